#!/usr/bin/env python3
"""Second implementation of LUD-01, and of what wallets find in a pasted text. Writes Vectors/lud-01/; --check compares."""

import re
import urllib.parse

import bech32
from luds import ADDRESS_RULES, URL_RULES, Refused, allowed_url, implicit_url, judged, read_address
from vector_files import document, main

OWN = "Scripts/vectors/lud01.py"
LUD01 = "LUD-01"
BIP173 = "BIP-173, Test vectors"
SCHEMES = {
    "lnurlp": "payRequest", "lnurlw": "withdrawRequest", "lnurlc": "channelRequest", "keyauth": "login",
}
RULES = URL_RULES | ADDRESS_RULES | bech32.RULES | {
    "empty": "No text at all.",
    "unrecognized": "Neither an LNURL nor an address, a URL or an invoice.",
    "wrong-prefix": "The human-readable part is not lnurl.",
    "not-utf8": "The bytes are not UTF-8.",
}
SERVICE = "LNURL1DP68GURN8GHJ7UM9WFMXJCM99E5K7TELWY7NXENRXVMRGDTZXSENJCM98PJNWXQ96S9"
PUBLISHED = (
    "LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3HXQURZEPEXEJXXEPNXSCRV"
    "WFNV9NXZCN9XQ6XYEFHVGCXXCMYXYMNSERXFQ5FNS"
)
ONION = "juhaavcaxhxlp77nkq76byazcldy2hlmovfu2epvl5ankdibsot4csyd.onion"


def encode(content):
    data = content if isinstance(content, bytes) else content.encode()
    return bech32.encode("lnurl", bech32.to_groups(data), "bech32")


def decode(text):
    if not text:
        raise Refused("empty")
    try:
        prefix, groups = bech32.decode(text, "bech32")
        data = bech32.to_bytes(groups)
    except bech32.Refused as refused:
        raise Refused(str(refused)) from None
    if prefix != "lnurl":
        raise Refused("wrong-prefix")
    try:
        content = data.decode()
    except UnicodeDecodeError:
        raise Refused("not-utf8") from None
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


def lnurls():
    yield "the example", {"text": PUBLISHED}, None, LUD01
    yield "the example in lower case", {"text": PUBLISHED.lower()}, None, LUD01
    for name, url in [
        ("a short one", "https://service.io/?q=3fc3645b439ce8e7"),
        ("a Lightning address's first step", "https://stacker.news/.well-known/lnurlp/odell"),
        ("another address's first step", "https://opreturnbot.com/.well-known/lnurlp/ben"),
        ("a host of four labels", "https://pay.staging.galoy.io/.well-known/lnurlp/user0"),
        ("an IPv4 address", "https://1.1.1.1/v1/lnurl/pay"),
        ("an international name in Punycode", "https://xn--sxqv5g23dyr3a428a.com/v1/lnurl/pay"),
        ("an onion service", f"http://{ONION}/"),
        ("an onion service over https, unusual but not forbidden", "https://domain.onion/v1/lnurl/pay"),
        ("this machine over http", "http://127.0.0.1:8080/lnurlp/alice"),
        ("this machine by name over http", "http://localhost:8080/lnurlp/alice"),
        ("this machine by IPv6 over http", "http://[::1]:8080/lnurlp/alice"),
        ("upper case in path and query is kept", "https://service.com/Path?Q=Yz%2F&tag=login"),
        ("a URL of 1500 characters", "https://service.com/" + "a" * 1480),
    ]:
        yield name, {"text": encode(url)}, None
    for name, content, rule in [
        ("nothing inside", "", "unknown-scheme"),
        ("a word inside", "lnurl", "unknown-scheme"),
        ("a host without a scheme inside", "lnurl.com.btc", "unknown-scheme"),
        ("a scheme of LUD-17 inside", "lnurlp://api.fiatjaf.com/v1/lnurl/pay", "unknown-scheme"),
        ("a scheme of its own inside", "onion://lnurl.fiatjaf.onion", "unknown-scheme"),
        ("plain http to the clearnet", "http://1.1.1.1/v1/lnurl/pay", "clearnet-http"),
        ("plain http to a private network", "http://10.0.0.1/pay", "clearnet-http"),
        ("plain http to a name that only begins like this machine", "http://127.0.0.1.example.com/", "clearnet-http"),
        ("plain http to a name that only contains onion", "http://onion.example.com/", "clearnet-http"),
        ("an international name as it is shown", "https://测试假域名.com/v1/lnurl/pay", "url-not-ascii"),
        ("a password inside", "https://user:secret@service.com/", "user-info"),
        ("no host inside", "https:///path", "empty-host"),
        ("a fragment inside", "https://service.com/#top", "fragment"),
        ("port 0 inside", "https://service.com:0/", "invalid-port"),
        ("bytes that are not UTF-8 inside", b"https://service.com/\xff", "not-utf8"),
    ]:
        yield name, {"text": encode(content)}, rule
    half = SERVICE[:10] + SERVICE[10:].lower()
    bech32m = "lnurl1dp68gurn8ghj7um9wfmxjcm99e5k7telwy7nxenrxvmrgdtzxsenjcm98pjnwnu4k48"
    yield "no text", {"text": ""}, "empty"
    yield "mixed case", {"text": half}, "mixed-case"
    yield "the last character changed", {"text": SERVICE[:-1].lower() + "q"}, "bad-checksum"
    yield "the checksum of bech32m (BIP-350)", {"text": bech32m}, "bad-checksum"
    yield "no separator", {"text": "lnurl"}, "missing-separator"
    yield "another human-readable part", {"text": "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw"}, "wrong-prefix", BIP173
    yield "a human-readable part that only begins with lnurl", {"text": bech32.encode("lnurlp", [], "bech32")}, "wrong-prefix"
    yield "white space at the end", {"text": SERVICE + " "}, "invalid-character"


def recognized():
    lower = SERVICE.lower()
    for name, text in [
        ("bech32 by itself", SERVICE),
        ("bech32 in lower case with white space around it", f" {lower}\n"),
        ("bech32 behind lightning:", "lightning:" + lower),
        ("bech32 behind LIGHTNING:", "LIGHTNING:" + SERVICE),
        ("bech32 behind lightning://", "lightning://" + lower),
        ("bech32 as the lightning parameter of a page", f"https://service.com/giftcard/redeem?id=123&lightning={SERVICE}"),
        ("bech32 as the lightning parameter before a fragment", f"https://service.com/?lightning={lower}#part"),
        ("bech32 as the LIGHTNING parameter of an upper-case URL", f"HTTPS://SERVICE.COM/?LIGHTNING={SERVICE}"),
        ("bech32 as the lightning parameter of a bitcoin: URI", f"bitcoin:?amount=1&lightning={lower}"),
        ("bech32 of a login", encode("https://site.com/?tag=login&k1=00")),
        ("a scheme of LUD-17", "lnurlp://domain.com/Path?x=Y"),
        ("an address", "alice@example.com"),
        ("an address behind the sign of bitcoin", "₿alice@example.com"),
        ("an address behind lightning:", "lightning:alice@example.com"),
        ("an address whose domain contains lnurl", "npc@lnurlzap.com"),
        ("an address whose name begins like bech32", "lnurl1abc@example.com"),
        ("an address whose name begins like an invoice", "lnbc1@example.com"),
        ("a URL", "https://example.com/lnurlp/alice"),
        ("a URL with an @ in its path", "https://example.com/@alice"),
        ("a URL whose lightning parameter is something else", "https://example.com/?lightning=yes"),
        ("a URL whose tag tells its purpose", "https://example.com/?tag=withdrawRequest"),
        ("a URL with a tag that is unknown", "https://example.com/?tag=other"),
        ("a URL of an onion service over http", "http://example.onion/p"),
        ("a BOLT 11 invoice", "lnbc2500u1pvjluez"),
        ("a BOLT 11 invoice in upper case", "LNBC1PVJLUEZ"),
        ("a BOLT 11 invoice of the test network", "lntb20m1pvjluez"),
        ("a BOLT 11 invoice of a signet", "lntbs1pvjluez"),
        ("a BOLT 11 invoice of a private chain", "lnbcrt210n1pvjluez"),
        ("a BOLT 11 invoice behind lightning:", "lightning:lnbc1pvjluez"),
        ("a BOLT 11 invoice as the lightning parameter of a bitcoin: URI", "bitcoin:?lightning=LNBC1PVJLUEZ"),
    ]:
        yield name, {"text": text}, None
    for name, text, rule in [
        ("nothing", "", "empty"),
        ("white space", " \n", "empty"),
        ("lightning: alone", "lightning:", "empty"),
        ("a word", "alice", "unrecognized"),
        ("a segwit address", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "unrecognized"),
        ("the beginning of an invoice alone", "lnbc", "unrecognized"),
        ("an amount with a leading zero", "lnbc01", "unrecognized"),
        ("an unknown network", "lntbx1", "unrecognized"),
        ("an unknown scheme", "lnurlx://domain.com/p", "unknown-scheme"),
        ("a scheme without slashes", "lnurlp:domain.com/p", "unknown-scheme"),
        ("plain http to the clearnet", "http://example.com/p", "clearnet-http"),
        ("broken bech32 behind lightning:", "lightning:" + lower[:-1] + "q", "bad-checksum"),
        ("broken bech32 in a lightning parameter", f"https://a.com/?lightning={lower[:-1]}q", "bad-checksum"),
        ("an address without a domain", "alice@", "invalid-domain"),
        ("an address with two @", "a@b@c", "several-at-signs"),
        ("an address with a space", "A b@x.com", "invalid-name-character"),
    ]:
        yield name, {"text": text}, rule


def files():
    return {
        "lud-01/decode.json": document(
            "LUD-01", "decode",
            "Read `text` in either case. Compare `url` (scheme and host in lower case, at least the path /), and the URL"
            " written again: `lower`, `upper`. Only https is accepted, and http for .onion, 127.0.0.0/8, ::1 and localhost.",
            OWN, judged(decoded, lnurls()), RULES,
        ),
        "lud-01/recognize.json": document(
            "LUD-01", "recognize",
            "Tell what a pasted `text` is. Compare `kind` (bech32, scheme, address, url, bolt11), `url` to ask (null for an"
            " invoice), and `purpose`, the tag that is known without asking, or null.",
            OWN, judged(recognize, recognized()), RULES,
        ),
    }


if __name__ == "__main__":
    main(files())
