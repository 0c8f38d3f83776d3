"""Reads the documents of BOLT 12: every field, or the name of the first rule that is broken."""

import bech32
import bigsize
import blinded_paths
import secp256k1
import tlv
from refused import Refused, refusing
from tlv import record

CHAINS = {
    "bitcoin": "6fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000",
    "testnet": "43497fd7f826957108f4a30fd9cec3aeba79972084e90ead01ea330900000000",
    "signet": "f61eee3b63a380a477a063af32b2bbc97c9ff9f01f2c4225e973988108000000",
    "regtest": "06226e46111a0b59caaf126043eb5bbf28c34f3a5e332a1fc7b2b73cf188910f",
}
MOST = 21 * 10**17  # 21 million bitcoin in msat


# Text and streams


def read_text(text, prefix):
    found, groups = bech32.decode(text, "none")
    if found != prefix:
        raise Refused("wrong-prefix")
    return bech32.to_bytes(groups)


def write_text(data, prefix):
    return bech32.encode(prefix, bech32.to_groups(data), "none")


def read_stream(data):
    """[(type, value, raw)]"""
    return [(kind, value, record(kind, value)) for kind, value in renamed("stream-", tlv.parse, data)]


# What some rules are called here.
NAMES = {"path-no-hops": "path-without-hops", "path-invalid-first-path-key": "path-invalid-path-key"}


def renamed(prefix, read, *given):
    """What is read; the name of a rule that refuses it gets a prefix."""
    try:
        return read(*given)
    except Refused as rule:
        name = prefix + str(rule)
        raise Refused(NAMES.get(name, name)) from None


# Values


def several(read, may_be_empty=False):
    """The values of a record, each read at a position and with the position behind it."""
    def decode(data):
        if not data and not may_be_empty:
            raise Refused("value-empty")
        values, position = [], 0
        while position < len(data):
            value, position = read(data, position)
            values.append(value)
        return values

    return decode


def truncated(size):
    return lambda data: renamed("value-", tlv.truncated_integer, data, 8 * size)


def utf8(data):
    with refusing("value-invalid-utf8", UnicodeDecodeError):
        return data.decode("utf-8")


def exactly(size):
    def decode(data):
        if len(data) != size:
            raise Refused("value-truncated" if len(data) < size else "value-trailing-bytes")
        return data.hex()

    return decode


def point(data):
    if secp256k1.parse(data) is None:
        raise Refused("value-not-a-point")
    return data.hex()


def bits(data):
    value = int.from_bytes(data, "big")
    return [bit for bit in range(value.bit_length()) if value >> bit & 1]


def taken(data, position, count):
    return renamed("value-", blinded_paths.taken, data, position, count)


def sized(data, position, width):
    """What stands behind its own length."""
    length, position = taken(data, position, width)
    return taken(data, position, int.from_bytes(length, "big"))


def read_chain(data, position):
    chain, position = taken(data, position, 32)
    return chain.hex(), position


def read_path(data, position):
    found, position = renamed("path-", blinded_paths.path_at, data, position)
    return {"introductionNode": found.pop("introduction"), **found}, position


def read_payinfo(data, position):
    return renamed("path-", blinded_paths.payinfo_at, data, position)


def read_fallback(data, position):
    version, position = taken(data, position, 1)
    program, position = sized(data, position, 2)
    return {"version": version[0], "program": program.hex()}, position


def bip353(data):
    name, position = sized(data, 0, 1)
    domain, position = sized(data, position, 1)
    if position < len(data):
        raise Refused("value-trailing-bytes")
    return (name + b"@" + domain).decode("utf-8", "replace")


paths, payinfos, fallbacks, chains = (several(read) for read in (read_path, read_payinfo, read_fallback, read_chain))

OFFER = {
    2: ("chains", chains), 4: ("metadata", bytes.hex), 6: ("currency", utf8), 8: ("amount", truncated(8)),
    10: ("description", utf8), 12: ("features", bits), 14: ("absoluteExpiry", truncated(8)), 16: ("paths", paths),
    18: ("issuer", utf8), 20: ("quantityMax", truncated(8)), 22: ("issuerID", point),
}
REQUEST = {
    0: ("metadata", bytes.hex), 80: ("chain", exactly(32)), 82: ("amount", truncated(8)), 84: ("features", bits),
    86: ("quantity", truncated(8)), 88: ("payerID", point), 89: ("payerNote", utf8), 90: ("paths", paths),
    91: ("bip353Name", bip353),
}
ERROR = {1: ("erroneousField", truncated(8)), 3: ("suggestedValue", bytes.hex), 5: ("message", utf8)}
SIGNATURE = {240: ("signature", exactly(64))}
INVOICE = {
    160: ("paths", several(read_path, may_be_empty=True)), 162: ("blindedPay", payinfos), 164: ("createdAt", truncated(8)),
    166: ("relativeExpiry", truncated(4)), 168: ("paymentHash", exactly(32)), 170: ("amount", truncated(8)),
    172: ("fallbacks", fallbacks), 174: ("features", bits), 176: ("nodeID", point),
}


def read_fields(records, *tables):
    """One dictionary for each table; absent fields are null."""
    found = [{name: None for name, _ in table.values()} for table in tables]
    for kind, value, _ in records:
        for table, fields in zip(tables, found):
            if kind in table:
                name, decode = table[kind]
                fields[name] = decode(value)
                break
        else:
            if kind % 2 == 0:
                raise Refused("unknown-even-type")
    return found


# Signatures


def merkle_root(records):
    first = records[0][2]
    level = []
    for kind, _, raw in records:
        if 240 <= kind <= 1000:
            continue
        leaf = secp256k1.tagged(b"LnLeaf", raw)
        nonce = secp256k1.tagged(b"LnNonce" + first, bigsize.encode(kind))
        level.append(secp256k1.tagged(b"LnBranch", min(leaf, nonce) + max(leaf, nonce)))
    while len(level) > 1:
        pairs = [level[i : i + 2] for i in range(0, len(level), 2)]
        level = [secp256k1.tagged(b"LnBranch", min(p) + max(p)) if len(p) == 2 else p[0] for p in pairs]
    return level[0]


def signed_hash(records, name):
    return secp256k1.tagged(f"lightning{name}signature".encode(), merkle_root(records))


def check_signature(records, name, key, signature):
    if signature is None:
        raise Refused("missing-signature")
    if not secp256k1.schnorr_verify(bytes.fromhex(key)[1:], signed_hash(records, name), bytes.fromhex(signature)):
        raise Refused("invalid-signature")


def sign(records, name, secret):
    return secp256k1.schnorr_sign(secret, signed_hash(records, name))


# Offers


def in_ranges(kind, ranges):
    return any(low <= kind <= high for low, high in ranges)


OFFER_RANGES = ((1, 79), (10**9, 2 * 10**9 - 1))
REQUEST_RANGES = ((0, 159), (10**9, 3 * 10**9 - 1))


def even(features, known=()):
    return any(bit % 2 == 0 and bit not in known for bit in features or [])


def read_offer(data):
    records = read_stream(data)
    if any(not in_ranges(kind, OFFER_RANGES) for kind, _, _ in records):
        raise Refused("type-out-of-range")
    (offer,) = read_fields(records, OFFER)
    if even(offer["features"]):
        raise Refused("unknown-required-feature")
    if offer["amount"] is not None and offer["description"] is None:
        raise Refused("amount-without-description")
    if offer["amount"] == 0:
        raise Refused("amount-not-positive")
    if offer["currency"] is not None and offer["amount"] is None:
        raise Refused("currency-without-amount")
    if offer["issuerID"] is None and offer["paths"] is None:
        raise Refused("no-way-to-issuer")
    return offer


def accepted_chains(offer):
    return offer["chains"] or [CHAINS["bitcoin"]]


def check_offer(offer, ours, now):
    if not set(ours) & set(accepted_chains(offer)):
        raise Refused("unsupported-chain")
    if offer["absoluteExpiry"] is not None and now > offer["absoluteExpiry"]:
        raise Refused("expired")
