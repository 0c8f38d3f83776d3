"""LUD-16, with tags."""

import hashlib
import json
import re
import urllib.parse

import lud01
from luds import read_address, read_local_part
from refused import Refused, refusing


def address(text):
    name, tag, domain, url = read_address(text)
    return {
        "name": name, "tag": tag, "domain": domain, "identifier": f"{name}@{domain}", "url": url,
        "lnurl": lud01.encode(url).upper(),
    }


def segment(segment):
    if re.search("%(?![0-9A-Fa-f]{2})", segment):
        raise Refused("percent-encoding")
    with refusing("percent-encoding", UnicodeDecodeError):
        text = urllib.parse.unquote(segment, errors="strict")
    name, tag = read_local_part(text)
    return {"name": name, "tag": tag}


def tagged(metadata, tag):
    end = metadata.rindex("]")
    entry = json.dumps(["text/tag", tag], separators=(",", ":"), ensure_ascii=False)
    text = metadata[:end] + "," + entry + metadata[end:]
    assert json.loads(text) == json.loads(metadata) + [["text/tag", tag]]
    return {"metadata": text, "tag": tag, "hash": hashlib.sha256(text.encode()).hexdigest()}
