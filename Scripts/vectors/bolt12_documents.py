"""Writes the documents of BOLT 12 for the vectors: fixed keys, and builders that can break any rule."""

import secp256k1
from bolt12_reader import CHAINS, read_stream, record, sign, tu

ISSUER = b"\x41" * 32
PAYER = b"\x42" * 32
ALICE, BOB, CAROL, DAVE = (secp256k1.public(bytes([byte]) * 32) for byte in (0x43, 0x44, 0x45, 0x46))
ISSUER_ID, PAYER_ID = secp256k1.public(ISSUER), secp256k1.public(PAYER)
OFF_CURVE = b"\x02" + bytes(31) + b"\x05"  # no point of secp256k1 has x = 5
SCIDDIR = b"\x01" + bytes.fromhex("0000010000020003")
REGTEST = bytes.fromhex(CHAINS["regtest"])
BITCOIN = bytes.fromhex(CHAINS["bitcoin"])
METADATA = bytes(range(16))
NOW = 1_800_000_000


def hop(node=CAROL, data=b"\xaa\xbb"):
    return node + len(data).to_bytes(2, "big") + data


def path(introduction=ALICE, key=BOB, hops=None):
    hops = [hop()] if hops is None else hops
    return introduction + key + bytes([len(hops)]) + b"".join(hops)


def payinfo(base=1, rate=2, delta=18, least=1, most=10**9, features=b""):
    sizes = ((base, 4), (rate, 4), (delta, 2), (least, 8), (most, 8), (len(features), 2))
    return b"".join(value.to_bytes(size, "big") for value, size in sizes) + features


def stream(records):
    """Raw records of {type: value}; None leaves a type out."""
    return b"".join(record(kind, value) for kind, value in sorted(records.items()) if value is not None)


def offer(**changes):
    """An offer of any amount by an issuer id; keywords are type numbers: t8=tu(1)."""
    records = {10: b"tea", 22: ISSUER_ID}
    records.update({int(key[1:]): value for key, value in changes.items()})
    return stream(records)


def request(to, key=PAYER, signer=None, **changes):
    """A signed request for an offer; t240=b"…" or None replaces the signature."""
    records = {kind: value for kind, value, _ in read_stream(to)}
    records.update({0: METADATA, 82: tu(1000), 88: secp256k1.public(key)})
    records.update({int(name[1:]): value for name, value in changes.items()})
    return signed(records, "invoice_request", signer or key)


def signed(records, name, key):
    unsigned = {kind: value for kind, value in records.items() if kind != 240 and value is not None}
    value = records.get(240, sign(read_stream(stream(unsigned)), name, key)[2:]) if unsigned else records.get(240)
    return stream({**unsigned, 240: value})


def invoice(to, key=ISSUER, signer=None, name="invoice", **changes):
    """A signed invoice that answers a request."""
    records = {kind: value for kind, value, _ in read_stream(to) if not 240 <= kind <= 1000}
    records.update({
        160: path(), 162: payinfo(), 164: tu(NOW), 168: b"\x77" * 32, 170: records.get(82, tu(1000)),
        176: secp256k1.public(key),
    })
    records.update({int(kind[1:]): value for kind, value in changes.items()})
    return signed(records, name, signer or key)


def flipped(data, kind):
    """The stream with the last bit of a record's value changed, its signature kept."""
    records = {k: v for k, v, _ in read_stream(data)}
    records[kind] = records[kind][:-1] + bytes([records[kind][-1] ^ 1])
    return stream(records)
