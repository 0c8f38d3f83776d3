"""LUD-18 with the signature of LUD-04."""

import hashlib
import re

import secp256k1
from luds import is_text, read_json
from refused import Refused, refusing

FIELDS = ("name", "pubkey", "identifier", "email", "auth")


def der_integer(value):
    body = value.to_bytes((value.bit_length() + 8) // 8, "big")
    return b"\x02" + bytes([len(body)]) + body


def der(r, s):
    body = der_integer(r) + der_integer(s)
    return (b"\x30" + bytes([len(body)]) + body).hex()


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


def hexadecimal(value, length=None):
    """The bytes, or None."""
    if not is_text(value) or not re.fullmatch("([0-9a-fA-F]{2})*", value):
        return None
    data = bytes.fromhex(value)
    return data if length in (None, len(data)) else None


def point(value):
    """The bytes of a compressed point, or None."""
    data = hexadecimal(value, 33)
    return data if data and secp256k1.parse(data) else None


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
    r, s = numbers
    if r >= secp256k1.N or s > secp256k1.N // 2:
        raise Refused("bad-signature")
    if not secp256k1.ecdsa_verify(key, r.to_bytes(32, "big") + s.to_bytes(32, "big"), k1):
        raise Refused("bad-signature")
    return {"key": value["key"].lower(), "k1": value["k1"].lower()}


def payer_data(asked, payerData=None):
    members = {}
    if payerData is not None:
        if len(payerData.encode()) > 2048:
            raise Refused("too-long")
        with refusing("not-json", ValueError):
            members = read_json(payerData)
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
