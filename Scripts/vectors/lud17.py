#!/usr/bin/env python3
"""Second implementation of LUD-17. Writes Vectors/lud-17/; --check compares."""

import lud01
from luds import URL_RULES, implicit_url, judged, read_url
from vector_files import document, main

OWN = "Scripts/vectors/lud17.py"
LUD17 = "LUD-17"
PREFIXES = {tag: scheme for scheme, tag in lud01.SCHEMES.items()}


def decode(text):
    found = lud01.recognize(text)
    assert found["kind"] == "scheme"
    return {"tag": found["purpose"], "url": found["url"]}


def encode(url, tag):
    scheme, _, rest = read_url(url).partition("://")
    return {"text": f"{PREFIXES[tag]}://{rest}" if implicit_url(rest) == f"{scheme}://{rest}" else None}


def decoded():
    for name, text, *source in [
        ("the clearnet example", "lnurlw://domain.com/path", LUD17),
        ("the onion example", "lnurlp://examplennnnnnnn.onion/path", LUD17),
        ("a pay link: path and query keep their case", "lnurlp://domain.com/Path?x=Y"),
        ("a channel link", "lnurlc://domain.com/path"),
        ("a login link", "keyauth://domain.com/path?tag=login"),
        ("upper case throughout, as in a QR code", "LNURLP://DOMAIN.COM/PATH"),
        ("a scheme in mixed case", "LnurlP://domain.com/Path"),
        ("a port", "lnurlp://domain.com:8443/path"),
        ("no path", "lnurlp://domain.com"),
        ("this machine over http", "lnurlp://127.0.0.1:8080/lnurlp/alice"),
        ("behind lightning:", "lightning:lnurlp://domain.com/path"),
    ]:
        yield name, {"text": text}, None, *source
    for name, text, rule in [
        ("no slashes", "lnurlp:domain.com/path", "unknown-scheme"),
        ("one slash", "lnurlp:/domain.com/path", "unknown-scheme"),
        ("a scheme that there is not", "lnurlx://domain.com/path", "unknown-scheme"),
        ("no host", "lnurlp://", "empty-host"),
        ("an @ before the host", "lnurlp://alice@domain.com/path", "user-info"),
        ("a fragment", "lnurlp://domain.com/path#top", "fragment"),
        ("port 65536", "lnurlp://domain.com:65536/path", "invalid-port"),
        ("an international name as it is shown", "lnurlp://测试.com/path", "url-not-ascii"),
        ("a URL inside", "lnurlp://https://domain.com/path", "invalid-port"),
        ("bech32 inside", "lightning:" + lud01.encode("lnurlp://domain.com/path"), "unknown-scheme"),
    ]:
        yield name, {"text": text}, rule


def encoded():
    for name, url, tag in [
        ("a pay link", "https://domain.com/Path?x=Y", "payRequest"),
        ("a withdraw link", "https://domain.com/path", "withdrawRequest"),
        ("a channel link", "https://domain.com/path", "channelRequest"),
        ("a login link of an onion service", "http://examplennnnnnnn.onion/path", "login"),
        ("this machine", "http://127.0.0.1:8080/lnurlp/alice", "payRequest"),
        ("an onion service over https has no such form", "https://examplennnnnnnn.onion/path", "payRequest"),
        ("plain http to the clearnet has no such form", "http://domain.com/path", "payRequest"),
    ]:
        yield name, {"url": url, "tag": tag}, None


def files():
    return {
        "lud-17/decode.json": document(
            "LUD-17", "decode",
            "Read `text`. Compare `tag`, what its scheme says it is for, and `url`: https, or http for .onion (and for this"
            " machine, by our own rule).",
            OWN, judged(decode, decoded()), URL_RULES,
        ),
        "lud-17/encode.json": document(
            "LUD-17", "encode",
            "Write `url` under the scheme that says `tag`. Compare `text`; null where a reader would take it for another URL.",
            OWN, judged(encode, encoded()), {},
        ),
    }


if __name__ == "__main__":
    main(files())
