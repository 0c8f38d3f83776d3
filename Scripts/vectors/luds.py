"""What the scripts of the LUDs share: verdicts, URLs, addresses, JSON. Second implementation; imports nothing of the package."""

import json
import re
import urllib.parse

from vector_files import Refused, case


def judged(judge, entries):
    """Cases from (name, input, rule or None[, source]): the judge must come to the verdict that was written down."""
    return [case(name, given, lambda: judge(**given), rule, *source) for name, given, rule, *source in entries]


URL_RULES = {
    "unknown-scheme": "Neither https:// nor http://; the schemes of LUD-17 do not stand inside bech32.",
    "user-info": "A name or password before the host.",
    "empty-host": "Nothing where the host should be.",
    "invalid-host": "The host is neither a name nor an address.",
    "url-not-ascii": "A character beyond ASCII; international names are written in Punycode.",
    "invalid-port": "The port is no number from 1 to 65535.",
    "fragment": "A # in a URL that is to be fetched.",
    "clearnet-http": "Plain http, and neither an onion service (LUD-01) nor this machine.",
}


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


def implicit_url(rest):
    """The URL where no scheme is written."""
    url = read_url("https://" + rest)
    return "http" + url[5:] if is_local_or_onion(url) else url


ADDRESS_RULES = {
    "percent-encoding": "A % without two hexadecimal digits, or bytes that are not UTF-8.",
    "missing-at-sign": "No @.",
    "several-at-signs": "More than one @.",
    "empty-name": "Nothing before the @ or the +.",
    "name-too-long": "The name has more than 64 characters.",
    "invalid-name-character": "A character outside a-z0-9-_. after folding A-Z (LUD-16); a tag may hold further +.",
    "dot-segment": "The name is . or .. and would be lost from a path.",
    "empty-tag": "Nothing after the +.",
    "tag-too-long": "The tag has more than 64 characters.",
    "invalid-domain": "What follows the @ is no host or host:port.",
}


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
    try:
        url = implicit_url(domain)
    except Refused:
        raise Refused("invalid-domain") from None
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
        text = self.text(name)
        try:
            return allowed_url(text)
        except Refused as refused:
            if str(refused) == "clearnet-http":
                raise
            raise Refused("invalid-" + hyphenated(name)) from None


def hyphenated(name):
    return re.sub("[A-Z]", lambda letter: "-" + letter[0].lower(), name)


def member_rules(*names):
    """The rules of `Answer` for these members."""
    rules = {
        "not-an-object": "The answer is no JSON object.",
        "service-error": 'The answer has "status":"ERROR" in any case (LUD-01).',
    }
    for name in names:
        rules["missing-" + hyphenated(name)] = f"`{name}` is missing or null."
        rules["malformed-" + hyphenated(name)] = f"`{name}` is of another type, or cannot be read."
        rules["invalid-" + hyphenated(name)] = f"`{name}` is no URL."
    return rules | {"clearnet-http": URL_RULES["clearnet-http"]}
