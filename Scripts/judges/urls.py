"""The package lnurl spells URLs as we do."""

import lnurl

URLS = [
    "https://service.com/api?q=3fc3645b439ce8e7f2553a69e5267081d96dcd340693afabe04be7b0ccd178df",
    "https://example.com/.well-known/lnurlp/alice",
    "https://example.com:8443/lnurlp/alice?a=1&b=%20",
    "http://127.0.0.1:8080/lnurlp/alice",
    "http://" + "a" * 56 + ".onion/lnurlp/alice",
    "https://example.com/" + "x" * 1500,
]


def judge(service, comparison):
    for url in URLS:
        theirs = lnurl.url_encode(url).lower()
        ours = service.lnurl("encode", url)["text"]
        comparison.same(f"encode {url:.60}", {"text": ours.lower()}, {"text": theirs})
        comparison.same(
            f"decode {theirs:.60}", {"url": service.lnurl("decode", theirs)["url"]}, {"url": lnurl.url_decode(theirs)}
        )
