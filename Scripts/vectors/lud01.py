"""LUD-01, and what wallets find in a pasted text."""

import re
import urllib.parse

import bech32
from luds import allowed_url, implicit_url, read_address
from refused import Refused, refusing

SCHEMES = {
    "lnurlp": "payRequest", "lnurlw": "withdrawRequest", "lnurlc": "channelRequest", "keyauth": "login",
}


def encode(url):
    return bech32.encode("lnurl", bech32.to_groups(url.encode()), "bech32")


def decode(text):
    if not text:
        raise Refused("empty")
    prefix, groups = bech32.decode(text, "bech32")
    data = bech32.to_bytes(groups)
    if prefix != "lnurl":
        raise Refused("wrong-prefix")
    with refusing("not-utf8", UnicodeDecodeError):
        content = data.decode()
    return allowed_url(content)


def decoded(text):
    url = decode(text)
    return {"url": url, "lower": encode(url), "upper": encode(url).upper()}


def without(prefix, text):
    return text[len(prefix):] if text[: len(prefix)].lower() == prefix else None


def bare(text):
    """A text that is known by its beginning, with no scheme."""
    if "@" in text:
        return None
    if text.lower().startswith("lnurl1"):
        return "bech32", decode(text), None
    if re.match("ln(bcrt|bc|tbs|tb)[1-9]", text, re.IGNORECASE):
        return "bolt11", None, None
    return None


def lightning_parameter(text):
    query = text.partition("?")[2].partition("#")[0]
    values = [without("lightning=", item) for item in query.split("&")]
    return next((urllib.parse.unquote_plus(value) for value in values if value is not None), None)


def recognize(text):
    text = text.strip(" \t\r\n")
    rest = without("lightning:", text)
    if rest is not None:
        text = rest.removeprefix("//")
    if not text:
        raise Refused("empty")
    scheme = text.partition(":")[0].lower()
    parameter = lightning_parameter(text)
    found = (bare(parameter) if parameter is not None else None) or bare(text)
    if not found and ":" in text and scheme in SCHEMES:
        if not text.partition(":")[2].startswith("//"):
            raise Refused("unknown-scheme")
        found = "scheme", implicit_url(text.partition("://")[2]), SCHEMES[scheme]
    if not found and "://" in text:
        found = "url", allowed_url(text), None
    if not found and "@" in text:
        found = "address", read_address(text.removeprefix("₿"))[3], "payRequest"
    if not found:
        raise Refused("unrecognized")
    kind, url, purpose = found
    if kind in ("url", "bech32"):
        tags = [value for name, value in urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query) if name == "tag"]
        purpose = next((tag for tag in tags[:1] if tag in SCHEMES.values()), None)
    return {"kind": kind, "url": url, "purpose": purpose}
