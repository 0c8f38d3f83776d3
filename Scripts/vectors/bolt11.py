#!/usr/bin/env python3
"""Vectors/bolt-11, from the specification's invoices (published/bolt11.json) and cases of our own.

Every expected value is computed here, by a reader and a signer that share no code with the Swift rooms.
`bolt11.py` writes the files; `bolt11.py --check` compares them with what is there and exits 1 on a difference.
"""

import hashlib
import json
import pathlib
import sys

import secp256k1

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE.parent.parent / "Vectors" / "bolt-11"
SECOND = "Scripts/vectors/bolt11.py"

# ---- bech32 (BIP-173), without the limit of 90 characters

ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def polymod(values):
    state = 1
    for value in values:
        top = state >> 25
        state = (state & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            if top >> bit & 1:
                state ^= generator
    return state


def expanded(hrp):
    return [ord(c) >> 5 for c in hrp] + [0] + [ord(c) & 31 for c in hrp]


def bech32(hrp, groups):
    remainder = polymod(expanded(hrp) + groups + [0] * 6) ^ 1
    checksum = [remainder >> 5 * (5 - i) & 31 for i in range(6)]
    return hrp + "1" + "".join(ALPHABET[g] for g in groups + checksum)


def unbech32(text):
    if any(not 33 <= ord(c) <= 126 for c in text):
        raise Reject("invalid-character")
    if text.lower() != text != text.upper():
        raise Reject("mixed-case")
    text = text.lower()
    if "1" not in text:
        raise Reject("missing-separator")
    hrp, data = text.rsplit("1", 1)
    if not hrp:
        raise Reject("empty-human-readable-part")
    if any(c not in ALPHABET for c in data):
        raise Reject("invalid-character")
    groups = [ALPHABET.index(c) for c in data]
    if len(groups) < 6:
        raise Reject("truncated")
    if polymod(expanded(hrp) + groups) != 1:
        raise Reject("bad-checksum")
    return hrp, groups[:-6]


def to_groups(data):
    """Bytes as groups of five bits, filled up with zero bits."""
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    return [int(bits[i : i + 5], 2) for i in range(0, len(bits), 5)]


def number_groups(value, count=None):
    """A number in so many groups, or in as few as hold it."""
    groups = []
    while value or (count is not None and len(groups) < count):
        groups.insert(0, value & 31)
        value >>= 5
    return groups


def number(groups):
    value = 0
    for group in groups:
        value = value << 5 | group
    return value


# ---- reading


class Reject(Exception):
    """Refused by the rule of that name."""


NETWORKS = {"lnbc": "bitcoin", "lntb": "testnet", "lntbs": "signet", "lnbcrt": "regtest"}
MULTIPLIERS = {"": 10**11, "m": 10**8, "u": 10**5, "n": 100}
P, R, NINE, X, F, D, S, N, H, C, M = 1, 3, 5, 6, 9, 13, 16, 19, 23, 24, 27
KNOWN_FEATURES = {8, 14, 16, 24, 36, 48}
DEPENDENCIES = {16: 14}


def whole_bytes(groups):
    bits = "".join(f"{g:05b}" for g in groups)
    rest = len(bits) % 8
    if rest >= 5 or "1" in bits[len(bits) - rest :]:
        raise Reject("field-padding")
    return bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits) - rest, 8))


def minimal_number(groups):
    if groups and groups[0] == 0:
        raise Reject("field-not-minimal")
    if number(groups) >= 2**64:
        raise Reject("field-out-of-range")
    return number(groups)


def read_amount(text):
    if not text:
        return None
    digits = ""
    while text and text[0] in "0123456789":
        digits, text = digits + text[0], text[1:]
    if len(text) > 1:
        raise Reject("amount-not-decimal")
    if digits == "0":
        raise Reject("amount-not-positive")
    if digits[0] == "0":
        raise Reject("amount-leading-zero")
    if text == "p":
        if digits[-1] != "0":
            raise Reject("amount-below-millisatoshi")
        msat = int(digits) // 10
    elif text in MULTIPLIERS:
        msat = int(digits) * MULTIPLIERS[text]
    else:
        raise Reject("unknown-multiplier")
    if msat > 21 * 10**17:
        raise Reject("amount-too-large")
    return msat


def read_field(tag, groups, invoice):
    """Puts a field that is not skipped into the invoice, unless one of its kind is there already."""
    if tag in (P, S, H) and len(groups) != 52 or tag == N and len(groups) != 53:
        return
    if tag == P:
        invoice.setdefault("payment_hash", whole_bytes(groups).hex())
    elif tag == S:
        invoice.setdefault("payment_secret", whole_bytes(groups).hex())
    elif tag == H:
        invoice.setdefault("description_hash", whole_bytes(groups).hex())
    elif tag == M:
        invoice.setdefault("payment_metadata", whole_bytes(groups).hex())
    elif tag == D:
        try:
            invoice.setdefault("description", whole_bytes(groups).decode("utf-8"))
        except UnicodeDecodeError:
            raise Reject("description-not-utf8")
    elif tag == N:
        key = whole_bytes(groups)
        if secp256k1.parse(key) is None:
            raise Reject("invalid-payee")
        invoice.setdefault("payee", key.hex())
    elif tag == X:
        invoice.setdefault("expiry", minimal_number(groups))
    elif tag == C:
        invoice.setdefault("min_final_cltv_expiry_delta", minimal_number(groups))
    elif tag == NINE:
        if groups and groups[0] == 0:
            raise Reject("field-not-minimal")
        bits = number(groups)
        invoice.setdefault("features", [bit for bit in range(bits.bit_length()) if bits >> bit & 1])
    elif tag == F:
        read_fallback(groups, invoice)
    elif tag == R:
        read_route(groups, invoice)


def read_fallback(groups, invoice):
    if not groups:
        raise Reject("invalid-fallback-address")
    version = groups[0]
    if version > 18:
        return
    data = whole_bytes(groups[1:])
    allowed = [20] if version in (17, 18) else [20, 32] if version == 0 else range(2, 41)
    if len(data) not in allowed:
        raise Reject("invalid-fallback-address")
    invoice["fallback_addresses"].append({"version": version, "program": data.hex()})


def read_route(groups, invoice):
    data = whole_bytes(groups)
    if not data or len(data) % 51:
        raise Reject("invalid-route-hint")
    hops = []
    for start in range(0, len(data), 51):
        hop = data[start : start + 51]
        if secp256k1.parse(hop[:33]) is None:
            raise Reject("invalid-route-hint")
        hops.append({
            "node_id": hop[:33].hex(),
            "short_channel_id": int.from_bytes(hop[33:41], "big"),
            "fee_base_msat": int.from_bytes(hop[41:45], "big"),
            "fee_proportional_millionths": int.from_bytes(hop[45:49], "big"),
            "cltv_expiry_delta": int.from_bytes(hop[49:51], "big"),
        })
    invoice["route_hints"].append(hops)


def check_contents(invoice):
    for rule, key in (("missing-payment-hash", "payment_hash"), ("missing-payment-secret", "payment_secret")):
        if key not in invoice:
            raise Reject(rule)
    if "description" not in invoice and "description_hash" not in invoice:
        raise Reject("missing-description")
    if "description" in invoice and "description_hash" in invoice:
        raise Reject("description-and-description-hash")
    bits = invoice["features"]
    for bit in bits:
        if bit % 2 == 0 and bit not in KNOWN_FEATURES:
            raise Reject("unknown-required-feature")
    for feature, needed in DEPENDENCIES.items():
        if {feature, feature + 1} & set(bits) and not {needed, needed + 1} & set(bits):
            raise Reject("missing-feature-dependency")


def signing_hash(hrp, groups):
    bits = "".join(f"{g:05b}" for g in groups)
    bits += "0" * (-len(bits) % 8)
    return hashlib.sha256(hrp.encode() + int("1" + bits, 2).to_bytes(len(bits) // 8 + 1, "big")[1:]).digest()


def read(text):
    """All values of a correct invoice; raises Reject."""
    hrp, groups = unbech32(text)
    if len(groups) < 7 + 104:
        raise Reject("too-short")
    first_digit = next((i for i, c in enumerate(hrp) if c.isdigit()), len(hrp))
    prefix = hrp[:first_digit]
    if prefix not in NETWORKS:
        raise Reject("unknown-prefix")
    invoice = {
        "network": NETWORKS[prefix], "amount_msat": read_amount(hrp[first_digit:]),
        "timestamp": number(groups[:7]), "fallback_addresses": [], "route_hints": [],
    }
    rest = groups[7:-104]
    while rest:
        if len(rest) < 3 or len(rest) < 3 + number(rest[1:3]):
            raise Reject("field-truncated")
        length = number(rest[1:3])
        read_field(rest[0], rest[3 : 3 + length], invoice)
        rest = rest[3 + length :]
    invoice.setdefault("features", [])
    check_contents(invoice)
    invoice.setdefault("expiry", 3600)
    invoice.setdefault("min_final_cltv_expiry_delta", 18)
    invoice["expires_at"] = min(invoice["timestamp"] + invoice["expiry"], 2**64 - 1)
    read_signature(hrp, groups, invoice)
    return {key: value for key, value in invoice.items() if value is not None}


def read_signature(hrp, groups, invoice):
    data = whole_bytes(groups[-104:])
    signature, recovery = data[:64], data[64]
    if recovery > 3:
        raise Reject("invalid-recovery-id")
    digest = signing_hash(hrp, groups[:-104])
    invoice["payee_is_stated"] = "payee" in invoice
    if invoice["payee_is_stated"]:
        if int.from_bytes(signature[32:], "big") > secp256k1.N // 2:
            raise Reject("high-s")
        if not secp256k1.ecdsa_verify(bytes.fromhex(invoice["payee"]), signature, digest):
            raise Reject("invalid-signature")
    else:
        key = secp256k1.ecdsa_recover(signature, recovery, digest)
        if key is None:
            raise Reject("invalid-signature")
        invoice["payee"] = key.hex()
    invoice["signature"], invoice["recovery_id"] = signature.hex(), recovery


# ---- writing


def field(tag, groups):
    return [tag] + number_groups(len(groups), 2) + list(groups)


PUBLISHED = json.loads((HERE / "published" / "bolt11.json").read_text())
KEY = bytes.fromhex(PUBLISHED["secret_key"])
NODE = bytes.fromhex(PUBLISHED["payee"])
HASH = bytes.fromhex("0001020304050607080900010203040506070809000102030405060708090102")
SECRET = b"\x11" * 32
p = field(P, to_groups(HASH))
s = field(S, to_groups(SECRET))
d = field(D, to_groups(b"1 cup coffee"))
h = field(H, to_groups(hashlib.sha256(b"1 cup coffee").digest()))
n = field(N, to_groups(NODE))
USUAL = s + p + d


def features(*bits):
    return field(NINE, number_groups(sum(1 << bit for bit in bits)))


def sign(hrp, groups, key=KEY, high_s=False, recovery=None, spoil=False):
    signature, made = secp256k1.ecdsa_sign(key, signing_hash(hrp, groups))
    if high_s:
        flipped = secp256k1.N - int.from_bytes(signature[32:], "big")
        signature, made = signature[:32] + flipped.to_bytes(32, "big"), made ^ 1
    if spoil:
        signature = b"\xff" * 32 + signature[32:]
    return bech32(hrp, groups + to_groups(signature + bytes([made if recovery is None else recovery])))


def make(fields=USUAL, hrp="lnbc2500u", timestamp=1496314658, **options):
    return sign(hrp, number_groups(timestamp, 7) + list(fields), **options)


def hop(node=NODE, channel=0x0102030405060708, base=1, rate=20, delta=3):
    return (
        node + channel.to_bytes(8, "big") + base.to_bytes(4, "big") + rate.to_bytes(4, "big") + delta.to_bytes(2, "big")
    )


def with_last_group(groups, value):
    return list(groups[:-1]) + [groups[-1] | value]


OFF_CURVE = b"\x02" + bytes(31) + b"\x05"  # no point of secp256k1 has x = 5
AMOUNTS = [
    ("the largest amount, 21 million bitcoin", "21000000"),
    ("one millisatoshi", "10p"),
    ("an amount that is not in its shortest form", "2500000n"),
    ("an amount in nano-bitcoin", "25n"),
    ("an amount in whole bitcoin", "2"),
    ("an amount of zero", "0"),
    ("an amount of zero with a multiplier", "0m"),
    ("an amount with a leading zero", "02500u"),
    ("an amount of two zeros", "00"),
    ("one msat more than 21 million bitcoin", "21000000000000000010p"),
    ("an amount of 2^64 bitcoin", "18446744073709551616"),
    ("an amount that exceeds 64 bits in msat", "184467440737095516150000n"),
    ("an amount of nine pico-bitcoin", "9p"),
    ("an amount with two letters", "2500um"),
    ("an amount with digits after the multiplier", "25m5"),
    ("an amount with a decimal point", "2.5m"),
]


def own_cases():
    for network, prefix in (("testnet", "lntb"), ("signet", "lntbs"), ("regtest", "lnbcrt")):
        yield f"{network} with an amount", make(hrp=prefix + "20m")
        yield f"{network} without an amount", make(hrp=prefix)
    yield "a network that is not known", make(hrp="lnxy2500u")
    yield "a prefix without ln", make(hrp="bc2500u")
    yield "ln alone", make(hrp="ln")
    yield "a known prefix with a letter too many", make(hrp="lnbcrtx")
    for name, amount in AMOUNTS:
        yield name, make(hrp="lnbc" + amount)

    yield "a timestamp of zero", make(timestamp=0)
    yield "the last timestamp", make(timestamp=2**35 - 1)
    yield "no field at all", make([])
    yield "an empty data part", bech32("lnbc", [])
    yield "one group too few for timestamp and signature", bech32("lnbc", [0] * 110)
    yield "a field that is longer than the data part", make(USUAL + [D, 31, 31])
    yield "a field whose length reaches one group beyond the data part", make(USUAL + [D, 0, 3, 0, 0])
    yield "one group before the signature that is no field", make(USUAL + [D])
    yield "two groups before the signature that are no field", make(USUAL + [D, 0])
    yield "a field of no length", make(s + p + field(D, []))

    yield "no payment hash", make(s + d)
    yield "no payment secret", make(p + d)
    yield "neither description nor description hash", make(s + p)
    yield "both description and description hash", make(s + p + d + h)
    yield "two payment hashes, of which the first counts", make(USUAL + field(P, to_groups(bytes(32))))
    yield "two payment secrets, of which the first counts", make(USUAL + field(S, to_groups(bytes(32))))
    yield "two descriptions, of which the first counts", make(USUAL + field(D, to_groups(b"another")))
    for name, tag, width in (("payment hash", P, 52), ("payment secret", S, 52), ("description hash", H, 52), ("payee", N, 53)):
        others = {P: s + d, S: p + d, H: s + p, N: USUAL}[tag]
        for count in (width - 1, width + 1):
            yield f"a {name} of {count} groups alone", make(others + field(tag, [0] * count))
    yield "a wrong-length payment hash before a good one", make(field(P, [0] * 51) + USUAL)
    yield "a payment hash with non-zero padding", make(s + d + field(P, with_last_group(to_groups(HASH), 1)))
    yield "a payment secret with non-zero padding", make(p + d + field(S, with_last_group(to_groups(SECRET), 8)))
    yield "a description with non-zero padding", make(s + p + field(D, with_last_group(to_groups(b"a"), 1)))
    yield "a description with a group too many", make(s + p + field(D, to_groups(b"abcde") + [0]))
    yield "payment metadata with non-zero padding", make(USUAL + field(M, with_last_group(to_groups(b"\x01"), 2)))
    yield "a payee with non-zero padding", make(USUAL + field(N, with_last_group(to_groups(NODE), 1)))
    yield "an empty description", make(s + p + field(D, []), hrp="lnbc1m")
    yield "a description of 639 bytes", make(s + p + field(D, to_groups(b"x" * 639)))
    yield "a description that is not UTF-8", make(s + p + field(D, to_groups(b"\xc3\x28")))
    yield "a description of an overlong UTF-8 form", make(s + p + field(D, to_groups(b"\xc0\xaf")))
    yield "empty payment metadata", make(USUAL + field(M, []))
    yield "payment metadata of 639 bytes", make(USUAL + field(M, to_groups(b"\xab" * 639)))

    yield "an expiry of 2^60 seconds", make(USUAL + field(X, number_groups(2**60)))
    yield "an expiry of 2^64 - 1 seconds, which ends no earlier than time", make(USUAL + field(X, number_groups(2**64 - 1)))
    yield "an expiry of 2^64 seconds", make(USUAL + field(X, number_groups(2**64)))
    yield "an expiry of 1023 groups", make(USUAL + field(X, [1] * 1023))
    yield "an expiry with a leading zero", make(USUAL + field(X, [0, 1, 28]))
    yield "an expiry of zero without groups", make(USUAL + field(X, []))
    yield "an expiry of zero in one group", make(USUAL + field(X, [0]))
    yield "a min_final_cltv_expiry_delta of 144", make(USUAL + field(C, number_groups(144)))
    yield "a min_final_cltv_expiry_delta of 2^64", make(USUAL + field(C, number_groups(2**64)))
    yield "a min_final_cltv_expiry_delta with a leading zero", make(USUAL + field(C, [0, 18]))

    yield "an unknown field", make(USUAL + field(2, [1, 2, 3]))
    yield "an unknown field of 1023 groups", make(USUAL + field(31, [31] * 1023))
    yield "features with a leading zero", make(USUAL + field(NINE, [0, 16, 8, 0]))
    yield "features without a group", make(USUAL + field(NINE, []))
    yield "an unknown odd feature bit", make(USUAL + features(9, 15, 101))
    yield "an unknown even feature bit below the known ones", make(USUAL + features(2))
    yield "the highest feature bit, which is even", make(USUAL + field(NINE, [16] + [0] * 1022))
    yield "the highest odd feature bit", make(USUAL + field(NINE, [8] + [0] * 1022))
    yield "both bits of a pair", make(USUAL + features(14, 15))
    yield "every known feature, required", make(USUAL + features(8, 14, 16, 24, 36, 48))
    yield "every known feature, optional", make(USUAL + features(9, 15, 17, 25, 37, 49))
    yield "multi-part payment without payment secret", make(USUAL + features(9, 17))
    yield "required multi-part payment without payment secret", make(USUAL + features(8, 16))

    for version, size in ((0, 20), (0, 32), (1, 2), (1, 32), (16, 40), (17, 20), (18, 20)):
        yield f"a fallback address of version {version} with {size} bytes", make(
            USUAL + field(F, [version] + to_groups(bytes(range(size)))))
    for version, size in ((0, 19), (0, 21), (0, 40), (1, 1), (1, 41), (16, 0), (17, 19), (17, 32), (18, 21)):
        yield f"a fallback address of version {version} with {size} bytes, which it cannot have", make(
            USUAL + field(F, [version] + to_groups(bytes(range(size)))))
    yield "a fallback address of version 19", make(USUAL + field(F, [19, 1]))
    yield "a fallback address of version 31 without data", make(USUAL + field(F, [31]))
    yield "a fallback address without a version", make(USUAL + field(F, []))
    yield "a fallback address with non-zero padding", make(USUAL + field(F, [1] + with_last_group(to_groups(bytes(2)), 1)))
    yield "two fallback addresses, in order", make(
        USUAL + field(F, [17] + to_groups(b"\x01" * 20)) + field(F, [0] + to_groups(b"\x02" * 20)))

    yield "a route hint of one hop with the largest values", make(
        USUAL + field(R, to_groups(hop(channel=2**64 - 1, base=2**32 - 1, rate=2**32 - 1, delta=2**16 - 1))))
    yield "a route hint of twelve hops", make(USUAL + field(R, to_groups(hop() * 12)))
    yield "two route hints, in order", make(USUAL + field(R, to_groups(hop(base=1))) + field(R, to_groups(hop(base=2))))
    yield "a route hint without a hop", make(USUAL + field(R, []))
    yield "a route hint of 50 bytes", make(USUAL + field(R, to_groups(hop()[:50])))
    yield "a route hint of 52 bytes", make(USUAL + field(R, to_groups(hop() + b"\x00")))
    yield "a route hint by a node that is no point", make(USUAL + field(R, to_groups(hop(node=OFF_CURVE))))
    yield "a route hint by an uncompressed prefix", make(USUAL + field(R, to_groups(hop(node=b"\x04" + NODE[1:]))))
    yield "a route hint with non-zero padding", make(USUAL + field(R, with_last_group(to_groups(hop()), 1)))

    yield "a stated payee", make(USUAL + n)
    yield "a stated payee that is no point", make(USUAL + field(N, to_groups(OFF_CURVE)))
    yield "a stated payee that did not sign", make(USUAL + n, key=b"\x42" * 32)
    yield "a stated payee and another recovery id", make(USUAL + n, recovery=2)
    yield "two stated payees, of which the first counts", make(USUAL + n + field(N, to_groups(secp256k1.public(b"\x42" * 32))))
    yield "high S with a stated payee and one payment secret", make(USUAL + n, high_s=True)
    yield "high S without a stated payee", make(USUAL, high_s=True)
    yield "a recovery id of 4", make(USUAL, recovery=4)
    yield "a recovery id of 255 with a stated payee", make(USUAL + n, recovery=255)
    yield "an R beyond the group order", make(USUAL, spoil=True)
    yield "an R beyond the group order with a stated payee", make(USUAL + n, spoil=True)

    good = make(USUAL)
    yield "white space before", " " + good
    yield "white space after", good + "\n"
    yield "a URI scheme", "lightning:" + good
    yield "only the separator", "1"
    yield "nothing before the separator", good[good.rindex("1") :]
    yield "an empty text", ""
    yield "a letter beyond ASCII", good[:-1] + "é"


RULES = {
    "invalid-character": "A character that the bech32 alphabet does not have (BIP-173).",
    "mixed-case": "Upper and lower case in one text (BIP-173).",
    "missing-separator": "No 1 between the human-readable part and the data (BIP-173).",
    "empty-human-readable-part": "Nothing before the separator (BIP-173).",
    "truncated": "Fewer than the six characters of a checksum after the separator (BIP-173).",
    "bad-checksum": "The bech32 checksum does not match (BIP-173).",
    "unknown-prefix": "The text does not begin with ln and the prefix of a known network.",
    "amount-not-decimal": "The amount is not decimal digits followed by at most one letter.",
    "amount-leading-zero": "The amount begins with a zero.",
    "amount-not-positive": "The amount is zero.",
    "unknown-multiplier": "The letter after the amount is none of m, u, n, p.",
    "amount-below-millisatoshi": "The multiplier is p and the last digit is not 0.",
    "amount-too-large": "The amount exceeds 21 million bitcoin.",
    "too-short": "The data part has no room for timestamp and signature.",
    "field-truncated": "A field goes beyond the data part.",
    "field-padding": "The bits after the last byte of a field are not zero, or are five or more.",
    "missing-payment-hash": "No p field of the right length.",
    "missing-payment-secret": "No s field of the right length.",
    "missing-description": "Neither a d nor an h field.",
    "description-and-description-hash": "Both a d and an h field.",
    "description-not-utf8": "The d field is not UTF-8.",
    "invalid-payee": "The n field is not a point of the curve.",
    "field-not-minimal": "An x, c or 9 field begins with a zero group.",
    "field-out-of-range": "An x or c field exceeds 64 bits.",
    "invalid-fallback-address": "An f field of a known version with a wrong length, or without a version.",
    "invalid-route-hint": "An r field that is not one or more entries of 51 bytes, each with a point of the curve.",
    "unknown-required-feature": "An even feature bit that is not known.",
    "missing-feature-dependency": "A known feature without one that it depends on.",
    "invalid-recovery-id": "The recovery id exceeds 3.",
    "high-s": "The payee is stated and S is in the upper half of the group order.",
    "invalid-signature": "The signature is not the stated payee's, or no key can be recovered.",
}


def judged(name, text, source):
    case = {"name": name, "source": source, "input": {"invoice": text}}
    try:
        case["expect"] = read(text)
    except Reject as rule:
        case["reject"] = str(rule)
    return case


def decode_file():
    cases = []
    for outcome, key in (("expect", "valid"), ("reject", "invalid")):
        for entry in PUBLISHED[key]:
            case = judged(entry["name"], entry["invoice"], PUBLISHED["source"])
            assert outcome in case, case
            cases.append(case)
    cases += [judged(name, text, SECOND) for name, text in own_cases()]
    used = {case["reject"] for case in cases if "reject" in case}
    return {
        "standard": "BOLT 11",
        "subject": "decode",
        "description": "Read input.invoice and check its signature. Compare every value; a key that expect does not "
        "have must be absent from the invoice. Or refuse it by the rule that reject names. Amounts are msat, "
        "times and expiry seconds; the signature is R and S.",
        "source": PUBLISHED["source"],
        "cases": cases,
        "rules": {name: text for name, text in RULES.items() if name in used},
    }


def sign_file():
    """Every invoice of the specification that its published key signed as RFC 6979 says."""
    cases = []
    for entry in PUBLISHED["valid"]:
        text = entry["invoice"].lower()
        hrp, groups = unbech32(text)
        again = sign(hrp, groups[:-104])
        if read(text)["payee"] == PUBLISHED["payee"]:
            assert again == text, entry["name"]
        cases.append({
            "name": entry["name"],
            "input": {"invoice": entry["invoice"], "secret_key": KEY.hex()},
            "expect": {"invoice": again},
        })
        if again != text:
            cases[-1]["source"] = SECOND
    return {
        "standard": "BOLT 11",
        "subject": "sign",
        "description": "Read input.invoice, write the same amount, timestamp and fields in the same order, and sign "
        "them with input.secret_key (RFC 6979, low S). Compare the whole text with expect.invoice.",
        "source": PUBLISHED["source"],
        "cases": cases,
        "rules": {},
    }


def main():
    differing = []
    for name, content in (("decode.json", decode_file()), ("sign.json", sign_file())):
        path = FOLDER / name
        text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        if sys.argv[1:] == ["--check"]:
            if not path.exists() or path.read_text() != text:
                differing.append(str(path))
        else:
            FOLDER.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    for path in differing:
        print(f"differs: {path}", file=sys.stderr)
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
