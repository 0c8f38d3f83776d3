"""LUD-17."""

import lud01
from luds import implicit_url, read_url

PREFIXES = {tag: scheme for scheme, tag in lud01.SCHEMES.items()}


def decode(text):
    found = lud01.recognize(text)
    assert found["kind"] == "scheme"
    return {"tag": found["purpose"], "url": found["url"]}


def encode(url, tag):
    scheme, _, rest = read_url(url).partition("://")
    return {"text": f"{PREFIXES[tag]}://{rest}" if implicit_url(rest) == f"{scheme}://{rest}" else None}
