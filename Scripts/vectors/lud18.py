#!/usr/bin/env python3
"""Second implementation of LUD-18 with the signature of LUD-04. Writes Vectors/lud-18/; --check compares."""

import hashlib
import json
import re

import secp256k1
from luds import Refused, is_text, judged, read_json
from vector_files import document, main

OWN = "Scripts/vectors/lud18.py"
LUD04 = "LUD-04, Signature check examples"
LUD18 = "LUD-18, Pseudocode example; the hash: Scripts/vectors/lud18.py"
FIELDS = ("name", "pubkey", "identifier", "email", "auth")
RULES = {
    "too-long": "More than 2048 bytes: a limit of our own.",
    "not-json": "No JSON text, or a key twice.",
    "not-an-object": "No JSON object.",
    "bad-signature": "The signature is not the key's over the 32 bytes of k1 (LUD-04), or its s is high.",
} | {f"malformed-{field}": f"`{field}` is of another type, or cannot be read." for field in FIELDS} | {
    f"missing-{field}": f"`{field}` is mandatory, and missing, null or empty." for field in FIELDS
}
K1 = "e2af6254a8df433264fa23f67eb8188635d15ce883e8fc020989d5f82ae6f11e"
KEY = "02c3b844b8104f0c1b15c507774c9ba7fc609f58f343b9b149122e944dd20c9362"
R = "3767faf494f110b139293d9bab3c50e07b3bf33c463d4aa767256cd09132dc51"
S = "5821f8efacdb5c595b92ada255876d9201e126e2f31a140d44561cc1f7e9e43d"


def der_integer(value):
    body = value.to_bytes((value.bit_length() + 8) // 8, "big")
    return b"\x02" + bytes([len(body)]) + body


def der(r, s):
    body = der_integer(r) + der_integer(s)
    return (b"\x30" + bytes([len(body)]) + body).hex()


SIGNATURE = der(int(R, 16), int(S, 16))


def read_der(data):
    """r and s of a signature in strict DER, or None."""
    numbers, rest = [], data[2:]
    if len(data) < 2 or data[0] != 0x30 or data[1] != len(rest):
        return None
    for _ in range(2):
        if len(rest) < 2 or rest[0] != 2 or not 0 < rest[1] <= len(rest) - 2:
            return None
        numbers.append(int.from_bytes(rest[2 : 2 + rest[1]], "big"))
        rest = rest[2 + rest[1] :]
    return None if rest or der(*numbers) != data.hex() else numbers


def verifies(point, digest, r, s):
    if not 0 < r < secp256k1.N or not 0 < s <= secp256k1.N // 2:
        return False
    inverse = pow(s, -1, secp256k1.N)
    ours = secp256k1.multiply(int.from_bytes(digest, "big") * inverse % secp256k1.N)
    theirs = secp256k1.multiply(r * inverse % secp256k1.N, point)
    found = secp256k1.add(ours, theirs)
    return found is not None and found[0] % secp256k1.N == r


def hexadecimal(value, length=None):
    """The bytes, or None."""
    if not is_text(value) or not re.fullmatch("([0-9a-fA-F]{2})*", value):
        return None
    data = bytes.fromhex(value)
    return data if length in (None, len(data)) else None


def point(value):
    data = hexadecimal(value, 33)
    return secp256k1.parse(data) if data else None


def asked(members):
    """The `payerData` member of a first answer."""
    if not isinstance(members, dict):
        raise Refused("malformed-payer-data")
    found = {name: value for name, value in members.items() if value is not None}
    k1 = None
    if "auth" in found:
        k1 = found["auth"].get("k1")
        if k1 is None:
            raise Refused("missing-k1")
        if hexadecimal(k1, 32) is None:
            raise Refused("malformed-k1")
    mandatory = {name for name, value in found.items() if value.get("mandatory") is True}
    return {
        "asked": {name: "mandatory" if name in mandatory else "optional" for name in FIELDS if name in found},
        "k1": k1,
        "unknownMandatory": [name for name in found if name in mandatory and name not in FIELDS],
    }


def auth(value):
    if not isinstance(value, dict):
        raise Refused("malformed-auth")
    key, k1, data = point(value.get("key")), hexadecimal(value.get("k1"), 32), hexadecimal(value.get("sig"))
    numbers = read_der(data) if data else None
    if not key or not k1 or not numbers:
        raise Refused("malformed-auth")
    if not verifies(key, k1, *numbers):
        raise Refused("bad-signature")
    return {"key": value["key"].lower(), "k1": value["k1"].lower()}


def payer_data(asked, payerData=None):
    members = {}
    if payerData is not None:
        if len(payerData.encode()) > 2048:
            raise Refused("too-long")
        try:
            members = read_json(payerData)
        except ValueError:
            raise Refused("not-json") from None
        if not isinstance(members, dict):
            raise Refused("not-an-object")
    given = {name: members[name] for name in FIELDS if name in asked and members.get(name) is not None}
    for name in ("name", "pubkey", "identifier", "email"):
        if name in given and not is_text(given[name]):
            raise Refused("malformed-" + name)
    if "pubkey" in given and not point(given["pubkey"]):
        raise Refused("malformed-pubkey")
    signed = auth(given["auth"]) if "auth" in given else {"key": None, "k1": None}
    for name in FIELDS:
        if asked.get(name) == "mandatory" and not given.get(name):
            raise Refused("missing-" + name)
    pubkey = given.get("pubkey")
    return {
        "name": given.get("name"), "pubkey": pubkey.lower() if pubkey else None,
        "identifier": given.get("identifier"), "email": given.get("email"),
    } | signed


def description_hash(metadata, payerData=None):
    return {"hash": hashlib.sha256((metadata + (payerData or "")).encode()).hexdigest()}


def signed(key=KEY, k1=K1, sig=SIGNATURE):
    return json.dumps({"auth": {"key": key, "k1": k1, "sig": sig}})


def data():
    every = {name: "optional" for name in FIELDS}
    must = {name: "mandatory" for name in FIELDS}
    whole = {"name": "bob", "pubkey": KEY, "identifier": "bob@bob.com", "email": "bob@mail.com"}
    yield "every field but a signature", {"asked": every, "payerData": json.dumps(whole)}, None
    yield "the example signature over the raw bytes of k1", {"asked": every, "payerData": signed()}, None, LUD04
    yield "hexadecimal in upper case", {"asked": every, "payerData": signed(KEY.upper(), K1.upper(), SIGNATURE.upper())}, None
    yield "every field, each mandatory", {
        "asked": must, "payerData": json.dumps(whole | json.loads(signed())),
    }, None
    yield "nothing where nothing is mandatory", {"asked": every}, None
    yield "an empty object where nothing is mandatory", {"asked": every, "payerData": "{}"}, None
    yield "null is nothing", {"asked": every, "payerData": '{"name":null}'}, None
    yield "fields that were not asked are passed over, malformed ones too", {
        "asked": {"name": "optional"}, "payerData": '{"name":"bob","email":7,"auth":"x","pubkey":"00"}',
    }, None
    yield "2048 bytes", {"asked": every, "payerData": json.dumps({"name": "a" * 2036})}, None
    yield "2049 bytes", {"asked": every, "payerData": json.dumps({"name": "a" * 2037})}, "too-long"
    for name, text, rule in [
        ("no JSON", "name=bob", "not-json"),
        ("nothing inside", "", "not-json"),
        ("a key twice", '{"name":"a","name":"b"}', "not-json"),
        ("an array", "[]", "not-an-object"),
        ("a text", '"bob"', "not-an-object"),
        ("a name that is a number", '{"name":7}', "malformed-name"),
        ("an e-mail address that is an array", '{"email":[]}', "malformed-email"),
        ("an identifier that is an object", '{"identifier":{}}', "malformed-identifier"),
        ("a key of 32 bytes", json.dumps({"pubkey": KEY[:-2]}), "malformed-pubkey"),
        ("a key with another first byte", json.dumps({"pubkey": "04" + KEY[2:]}), "malformed-pubkey"),
        ("a key that is no point", json.dumps({"pubkey": "02" + "00" * 31 + "05"}), "malformed-pubkey"),
        ("a signature that is a text", '{"auth":"x"}', "malformed-auth"),
        ("a signature without members", '{"auth":{}}', "malformed-auth"),
        ("a signature by a key of 32 bytes", signed(key=KEY[:-2]), "malformed-auth"),
        ("a signature over 31 bytes", signed(k1=K1[:-2]), "malformed-auth"),
        ("a signature cut off", signed(sig=SIGNATURE[:-2]), "malformed-auth"),
        ("a signature with a byte behind", signed(sig=SIGNATURE + "00"), "malformed-auth"),
        ("a signature that is not in DER", signed(sig=R + S), "malformed-auth"),
        ("a signature over another challenge", signed(k1="f" + K1[1:]), "bad-signature"),
        ("a signature by another key", signed(key="03" + KEY[2:]), "bad-signature"),
        ("a signature with another s", signed(sig=der(int(R, 16), int(S, 16) + 1)), "bad-signature"),
        ("the same signature with the high s", signed(sig=der(int(R, 16), secp256k1.N - int(S, 16))), "bad-signature"),
        ("a signature over the hash of the challenge", signed(k1=hashlib.sha256(bytes.fromhex(K1)).hexdigest()), "bad-signature"),
    ]:
        yield name, {"asked": every, "payerData": text}, rule
    yield "no payer data where a name is mandatory", {"asked": {"name": "mandatory"}}, "missing-name"
    for name, text, rule in [
        ("a mandatory name is missing", '{"email":"a@b.c"}', "missing-name"),
        ("a mandatory name is null", '{"name":null}', "missing-name"),
        ("a mandatory name is empty", '{"name":""}', "missing-name"),
    ]:
        yield name, {"asked": {"name": "mandatory", "email": "optional"}, "payerData": text}, rule
    for field in FIELDS[1:]:
        yield f"a mandatory {field} is missing", {"asked": {field: "mandatory"}, "payerData": "{}"}, f"missing-{field}"


def hashes():
    metadata = '[["text/plain", "description"], ["image/png;base64", "AAA=="]]'
    bob = (
        '{"name":"bob","auth":{"key":"02c9323d02fc164f89c8f688dbfba8aad69a96fa8f6253ba8cce2c6f1546073fa3","sig":"2afd21794e2a80'
        '1d0d516584ceebe1a24ed8991dd5ec708259aeaee5c0d2d1437542b689ee5d39e619a01a257142d49c18a4af3088c46ce87e2d941a1bcc7210"},"'
        'identifier":"bob@bob.com","pubkey":"03ee58475055820fbfa52e356a8920f62f8316129c39369dbdde3e5d0198a9e315"}'
    )
    yield "the metadata of the example alone", {"metadata": metadata}, None, LUD18
    yield "the example with payer data", {"metadata": metadata, "payerData": bob}, None, LUD18
    yield "a space in the payer data counts", {"metadata": metadata, "payerData": bob.replace(":", ": ", 1)}, None
    yield "payer data beyond ASCII", {"metadata": '[["text/plain","é"]]', "payerData": '{"name":"⚡ \\u26a1"}'}, None


def files():
    return {
        "lud-18/payer-data.json": document(
            "LUD-18", "payer-data",
            "Read `payerData` (after one URL-decoding; missing when none was sent) where `asked` says which fields are optional"
            " and which mandatory. Compare the fields, and `key` and `k1` of the signature (null where there is none).",
            OWN, judged(payer_data, data()), RULES,
        ),
        "lud-18/description-hash.json": document(
            "LUD-18", "description-hash",
            "Hash `metadata` followed by `payerData`, as received: what an invoice commits to by the first text of LUD-18;"
            " without payer data, by LUD-06. Compare `hash`.",
            OWN, judged(description_hash, hashes()), {},
        ),
    }


if __name__ == "__main__":
    main(files())
