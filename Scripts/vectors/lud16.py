#!/usr/bin/env python3
"""Second implementation of LUD-16, with tags. Writes Vectors/lud-16/; --check compares."""

import hashlib
import json
import re
import urllib.parse

import lud01
from luds import ADDRESS_RULES, Refused, judged, read_address, read_local_part
from vector_files import document, main

OWN = "Scripts/vectors/lud16.py"
LUD16 = "LUD-16; the LNURL: Scripts/vectors/lud16.py"


def address(text):
    name, tag, domain, url = read_address(text)
    return {
        "name": name, "tag": tag, "domain": domain, "identifier": f"{name}@{domain}", "url": url,
        "lnurl": lud01.encode(url).upper(),
    }


def segment(segment):
    if re.search("%(?![0-9A-Fa-f]{2})", segment):
        raise Refused("percent-encoding")
    try:
        text = urllib.parse.unquote(segment, errors="strict")
    except UnicodeDecodeError:
        raise Refused("percent-encoding") from None
    name, tag = read_local_part(text)
    return {"name": name, "tag": tag}


def tagged(metadata, tag):
    end = metadata.rindex("]")
    entry = json.dumps(["text/tag", tag], separators=(",", ":"), ensure_ascii=False)
    text = metadata[:end] + "," + entry + metadata[end:]
    assert json.loads(text) == json.loads(metadata) + [["text/tag", tag]]
    return {"metadata": text, "tag": tag, "hash": hashlib.sha256(text.encode()).hexdigest()}


def addresses():
    for name, text, *source in [
        ("the example", "satoshi@bitcoin.org", LUD16),
        ("an address", "alice@example.com"),
        ("an address with a tag", "alice+rent@example.com"),
        ("a tag with a + in it", "alice+rent+june@example.com"),
        ("an onion service is asked over http", f"alice@{lud01.ONION}"),
        ("this machine is asked over http", "alice@127.0.0.1:8080"),
        ("this machine by name", "alice@localhost"),
        ("this machine by IPv6", "alice@[::1]:8080"),
        ("a private network is asked over https", "alice@10.0.0.1"),
        ("a port", "alice@example.com:8443"),
        ("every kind of character", "a-b_c.9@example.com"),
        ("upper case is folded", "HELLO+Rent@LNBits.COM"),
        ("the root's dot is let go", "alice@example.com."),
        ("an international name in Punycode", "alice@xn--sxqv5g23dyr3a428a.com"),
        ("a domain that contains lnurl", "npc@lnurlzap.com"),
        ("64 characters each", "a" * 64 + "+" + "b" * 64 + "@example.com"),
    ]:
        yield name, {"text": text}, None, *source
    for name, text, rule in [
        ("nothing", "", "missing-at-sign"),
        ("a name alone", "alice", "missing-at-sign"),
        ("two @", "donate@donate@legend.lnbits.com", "several-at-signs"),
        ("no name", "@x.com", "empty-name"),
        ("a tag alone", "+rent@x.com", "empty-name"),
        ("an empty tag", "alice+@x.com", "empty-tag"),
        ("no domain", "a@", "invalid-domain"),
        ("the root as domain", "a@.", "invalid-domain"),
        ("a path", "alice@x.com/path", "invalid-domain"),
        ("a query", "alice@x.com?q", "invalid-domain"),
        ("a fragment", "alice@x.com#f", "invalid-domain"),
        ("port 0", "alice@x.com:0", "invalid-domain"),
        ("a port that is no number", "alice@x.com:http", "invalid-domain"),
        ("an international name as it is shown", "alice@测试.com", "invalid-domain"),
        ("a space", "A b@x.com", "invalid-name-character"),
        ("a letter beyond ASCII", "alicé@x.com", "invalid-name-character"),
        ("a letter that folds to ASCII in Unicode only", "ali\u212ae@x.com", "invalid-name-character"),
        ("an exclamation mark", "alice!@x.com", "invalid-name-character"),
        ("a percent sign", "alice%2brent@x.com", "invalid-name-character"),
        ("a space in the tag", "alice+a b@x.com", "invalid-name-character"),
        ("one dot", ".@x.com", "dot-segment"),
        ("two dots", "..@x.com", "dot-segment"),
        ("65 characters", "a" * 65 + "@x.com", "name-too-long"),
        ("a tag of 65 characters", "a+" + "b" * 65 + "@x.com", "tag-too-long"),
    ]:
        yield name, {"text": text}, rule


def segments():
    for name, text, rule in [
        ("a name", "alice", None),
        ("a name with a tag", "alice+rent", None),
        ("an encoded +", "alice%2Brent", None),
        ("an encoded + in lower case", "alice%2brent", None),
        ("upper case", "ALICE", None),
        ("an encoded letter", "%41lice", None),
        ("an encoded dot", "a%2eb", None),
        ("a + is never a space", "alice+", "empty-tag"),
        ("nothing", "", "empty-name"),
        ("two encoded dots", "%2e%2e", "dot-segment"),
        ("an encoded slash", "alice%2Fbob", "invalid-name-character"),
        ("an encoded space", "alice%20", "invalid-name-character"),
        ("an encoded zero", "alice%00", "invalid-name-character"),
        ("encoded twice", "%2541lice", "invalid-name-character"),
        ("a name of 300 characters", "a" * 300, "name-too-long"),
        ("a percent sign at the end", "alice%", "percent-encoding"),
        ("half a percent sign", "alice%4", "percent-encoding"),
        ("a percent sign before letters", "alice%zz", "percent-encoding"),
        ("bytes that are not UTF-8", "%ff", "percent-encoding"),
    ]:
        yield name, {"segment": text}, rule


def tags():
    plain = '[["text/plain","Pay to alice@example.com"],["text/identifier","alice@example.com"]]'
    spaced = '[["text/plain", "a ] b"], ["text/identifier", "alice@example.com"] ]\n'
    yield "behind the last entry", {"metadata": plain, "tag": "rent"}, None
    yield "a stored string keeps its white space", {"metadata": spaced, "tag": "rent"}, None
    yield "a tag with a +", {"metadata": plain, "tag": "a+b"}, None


def files():
    return {
        "lud-16/address.json": document(
            "LUD-16", "address",
            "Read the address `text`. Compare `name`, `tag` (or null), `domain`, `identifier` (without the tag), `url`, asked"
            " first, and `lnurl`, that URL in bech32.",
            OWN, judged(address, addresses()), ADDRESS_RULES,
        ),
        "lud-16/path-segment.json": document(
            "LUD-16", "path-segment",
            "Read the last `segment` of a request's path, as it was sent, as a service does. Compare `name` and `tag` (or"
            " null).",
            OWN, judged(segment, segments()), ADDRESS_RULES,
        ),
        "lud-16/tag.json": document(
            "LUD-16", "tag",
            "Add `tag` to a stored `metadata` string: an entry before the last bracket, nothing else changed. Compare"
            " `metadata`, `tag` as read from it, and `hash`, the SHA-256 of its UTF-8.",
            OWN, judged(tagged, tags()), {},
        ),
    }


if __name__ == "__main__":
    main(files())
