"""What the implementations of LUDs share: URLs, addresses, JSON."""

import json
import re
import urllib.parse

from refused import Refused, refusing


def read_url(text):
    """The URL as it is asked: scheme and host in lower case, a path if there was none."""
    if not text.isascii():
        raise Refused("url-not-ascii")
    found = re.fullmatch(r"(https?)://([^/?#]*)(.*)", text, re.IGNORECASE)
    if not found:
        raise Refused("unknown-scheme")
    scheme, authority, target = found.groups()
    if "@" in authority:
        raise Refused("user-info")
    bracketed = re.fullmatch(r"(\[[0-9a-fA-F:.]+\])(?::(.*))?", authority)
    host, port = bracketed.groups() if bracketed else (authority.split(":", 1) + [None])[:2]
    if not host:
        raise Refused("empty-host")
    if not bracketed and not re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?", host, re.IGNORECASE):
        raise Refused("invalid-host")
    if port is not None and not (re.fullmatch(r"[1-9][0-9]*", port) and int(port) < 65536):
        raise Refused("invalid-port")
    if "#" in target:
        raise Refused("fragment")
    if not target.startswith("/"):
        target = "/" + target
    return scheme.lower() + "://" + authority.lower() + target


def is_local_or_onion(url):
    name = urllib.parse.urlsplit(url).hostname
    return name.endswith(".onion") or name in ("localhost", "::1") or bool(re.fullmatch(r"127(\.\d+){3}", name))


def allowed_url(text):
    """A URL that may be asked: https, or http for onion services and this machine."""
    url = read_url(text)
    if url.startswith("http:") and not is_local_or_onion(url):
        raise Refused("clearnet-http")
    return url


def link(text, rule):
    """A URL that may be asked, refused by this rule unless by clearnet-http."""
    with refusing(rule):
        url = read_url(text)
    return allowed_url(url)


def implicit_url(rest):
    """The URL where no scheme is written."""
    url = read_url("https://" + rest)
    return "http" + url[5:] if is_local_or_onion(url) else url


def read_local_part(text):
    name, plus, tag = text.partition("+")
    check_part(name, "", "name")
    if name in (".", ".."):
        raise Refused("dot-segment")
    if plus:
        check_part(tag, "+", "tag")
    return name.lower(), tag.lower() if plus else None


def check_part(part, more, what):
    if not part:
        raise Refused("empty-" + what)
    if not re.fullmatch(rf"[A-Za-z0-9\-_.{more}]+", part, re.ASCII):
        raise Refused("invalid-name-character")
    if len(part) > 64:
        raise Refused(what + "-too-long")


def read_address(text):
    """Name, tag, domain, and the URL that is asked first (LUD-16)."""
    parts = text.split("@")
    if len(parts) < 2:
        raise Refused("missing-at-sign")
    if len(parts) > 2:
        raise Refused("several-at-signs")
    name, tag = read_local_part(parts[0])
    domain = parts[1].removesuffix(".") if parts[1] != "." else "."
    with refusing("invalid-domain"):
        url = implicit_url(domain)
    if urllib.parse.urlsplit(url).path != "/" or "?" in url or "/" in domain:
        raise Refused("invalid-domain")
    local = name if tag is None else f"{name}+{tag}"
    return name, tag, domain.lower(), url + ".well-known/lnurlp/" + local


class Real(str):
    """A JSON number with a fraction or an exponent, which is no integer here."""


def unique(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("duplicate key")
    return dict(pairs)


def read_json(text):
    """JSON without duplicate keys, NaN, halves of surrogate pairs and the like; raises ValueError."""

    def refuse(word):
        raise ValueError(word)

    value = json.loads(text, object_pairs_hook=unique, parse_float=Real, parse_constant=refuse)
    json.dumps(value, ensure_ascii=False).encode()
    return value


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value):
    return isinstance(value, str) and not isinstance(value, Real)


class Answer:
    """The members of a service's answer (LUD-01: an ERROR is one whatever else it holds)."""

    def __init__(self, body):
        self.members = read_json(body)
        if not isinstance(self.members, dict):
            raise Refused("not-an-object")
        status = self.members.get("status")
        if is_text(status) and status.lower() == "error":
            raise Refused("service-error")

    def has(self, name):
        return self.members.get(name) is not None

    def value(self, name, is_right):
        if not self.has(name):
            raise Refused("missing-" + hyphenated(name))
        if not is_right(self.members[name]):
            raise Refused("malformed-" + hyphenated(name))
        return self.members[name]

    def text(self, name):
        return self.value(name, is_text)

    def bool(self, name):
        return self.value(name, lambda value: isinstance(value, bool))

    def unsigned(self, name):
        def is_right(value):
            return is_integer(value) and value >= 0 or is_text(value) and re.fullmatch("[0-9]+", value, re.ASCII)

        number = int(self.value(name, is_right))
        if number >= 2**64:
            raise Refused("malformed-" + hyphenated(name))
        return number

    def url(self, name):
        return link(self.text(name), "invalid-" + hyphenated(name))


def hyphenated(name):
    return re.sub("[A-Z]", lambda letter: "-" + letter[0].lower(), name)
