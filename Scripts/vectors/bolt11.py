#!/usr/bin/env python3
"""Vectors/bolt-11, from the specification's invoices (published/bolt11.json) and cases of our own.

Every expected value is computed here, by a reader and a signer that share no code with the Swift rooms.
`bolt11.py` writes the files; `bolt11.py --check` compares them with what is there and exits 1 on a difference.
"""

import hashlib
import json
import pathlib

import secp256k1
from bech32 import decode as unbech32, encode as bech32, to_groups
from bolt11_reader import C, D, F, H, M, N, NINE, P, R, S, X, number_groups, read, signing_hash
from vector_files import document, main, outcome

OWN = "Scripts/vectors/bolt11.py"
PUBLISHED = json.loads((pathlib.Path(__file__).parent / "published" / "bolt11.json").read_text(encoding="utf-8"))


def field(tag, groups):
    return [tag] + number_groups(len(groups), 2) + list(groups)


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
    return bech32(hrp, groups + to_groups(signature + bytes([made if recovery is None else recovery])), "bech32")


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
    yield "an empty data part", bech32("lnbc", [], "bech32")
    yield "one group too few for timestamp and signature", bech32("lnbc", [0] * 110, "bech32")
    yield "a field that is longer than the data part", make(USUAL + [D, 31, 31])
    yield "a field whose length reaches one group beyond the data part", make(USUAL + [D, 0, 3, 0, 0])
    yield "one group before the signature that is no field", make(USUAL + [D])
    yield "two groups before the signature that are no field", make(USUAL + [D, 0])
    yield "a field of no length", make(s + p + field(D, []))

    yield "no payment hash but all else", make(s + d)
    yield "no payment secret but all else", make(p + d)
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


def judged(name, text, own):
    return outcome({"name": name, "input": {"invoice": text}} | ({"source": OWN} if own else {}), lambda: read(text))


def decode_document():
    cases = []
    for verdict, key in (("expect", "valid"), ("reject", "invalid")):
        for entry in PUBLISHED[key]:
            case = judged(entry["name"], entry["invoice"], own=False)
            assert verdict in case, case
            cases.append(case)
    return document(
        "BOLT 11", "decode",
        "Read input.invoice and check its signature. Compare every value, null for what the invoice does not have, or "
        "refuse it by the rule that reject names. Amounts are in msat, times and expiry in seconds; the signature is R "
        "and S. features has the numbers of the set bits, ascending; routeHints has the hints in order, each a list of its "
        "hops, with fees in msat and millionths and a short channel id as one number of 64 bits.",
        PUBLISHED["source"], cases + [judged(name, text, own=True) for name, text in own_cases()], RULES)


def sign_document():
    cases = []
    for entry in PUBLISHED["valid"]:
        text = entry["invoice"].lower()
        hrp, groups = unbech32(text, "bech32")
        again = sign(hrp, groups[:-104])
        case = {
            "name": entry["name"],
            "input": {"invoice": entry["invoice"], "secretKey": KEY.hex()},
            "expect": {"invoice": again},
        }
        if again != text:  # the one that the published key did not sign
            assert read(text)["payee"] != PUBLISHED["payee"], entry["name"]
            case["source"] = OWN
        cases.append(case)
    return document(
        "BOLT 11", "sign",
        "Read input.invoice, write the same amount, timestamp and fields in the same order, and sign them with "
        "input.secretKey (RFC 6979, low S). Compare the whole text with expect.invoice.",
        PUBLISHED["source"], cases, {})


if __name__ == "__main__":
    main({"bolt-11/decode.json": decode_document(), "bolt-11/sign.json": sign_document()})
