#!/usr/bin/env python3
"""Second implementation of bech32 (BIP-173), with and without checksum. Writes Vectors/bech32/; --check compares."""

from vector_files import Refused, document, main, outcome

SOURCE = "BIP-173, Test vectors; the groups: Scripts/vectors/bech32.py"
LNURL = "LUD-01; the groups: Scripts/vectors/bech32.py"
OWN = "Scripts/vectors/bech32.py"
ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
GENERATORS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
WHITE_SPACE = " \t\n\v\f\r"
RULES = {
    "invalid-continuation": "A + does not stand between two other characters (BOLT 12, Encoding).",
    "invalid-character": "A character outside 33 to 126, or one after the separator that the alphabet does not have.",
    "mixed-case": "Upper and lower case in one text.",
    "missing-separator": "No 1 anywhere.",
    "empty-human-readable-part": "The last 1 is the first character.",
    "truncated": "Fewer than six characters after the separator.",
    "bad-checksum": "The checksum does not match.",
    "bad-padding": "Five bits or more are left over, or one of those left over is set.",
    "out-of-range": "A group above 31.",
}


def polymod(values):
    state = 1
    for value in values:
        top = state >> 25
        state = (state & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(GENERATORS):
            if top >> bit & 1:
                state ^= generator
    return state


def expanded(prefix):
    return [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]


def encode(prefix, groups, checksum):
    if checksum == "bech32":
        rest = polymod(expanded(prefix) + groups + [0] * 6) ^ 1
        groups = groups + [rest >> 5 * (5 - i) & 31 for i in range(6)]
    return prefix + "1" + "".join(ALPHABET[g] for g in groups)


def joined(text):
    parts = text.split("+")
    parts = parts[:1] + [part.lstrip(WHITE_SPACE) for part in parts[1:]]
    if len(parts) > 1 and "" in parts:
        raise Refused("invalid-continuation")
    return "".join(parts)


def decode(text, checksum):
    if checksum == "none":
        text = joined(text)
    # Whatever comes first in the text decides.
    for end, character in enumerate(text, 1):
        if not 33 <= ord(character) <= 126:
            raise Refused("invalid-character")
        if text[:end].lower() != text[:end] and text[:end].upper() != text[:end]:
            raise Refused("mixed-case")
    prefix, separator, data = text.lower().rpartition("1")
    if not separator:
        raise Refused("missing-separator")
    if not prefix:
        raise Refused("empty-human-readable-part")
    if any(c not in ALPHABET for c in data):
        raise Refused("invalid-character")
    groups = [ALPHABET.index(c) for c in data]
    if checksum == "bech32":
        if len(groups) < 6:
            raise Refused("truncated")
        if polymod(expanded(prefix) + groups) != 1:
            raise Refused("bad-checksum")
        groups = groups[:-6]
    return prefix, groups


def to_groups(data):
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    return [int(bits[i : i + 5], 2) for i in range(0, len(bits), 5)]


def to_bytes(groups):
    if any(group > 31 for group in groups):
        raise Refused("out-of-range")
    bits = "".join(f"{group:05b}" for group in groups)
    whole = len(bits) // 8 * 8
    if len(bits) - whole > 4 or "1" in bits[whole:]:
        raise Refused("bad-padding")
    return bytes(int(bits[i : i + 8], 2) for i in range(0, whole, 8))


VALID = [
    ("upper case, an empty data part", "A12UEL5L"),
    ("lower case, an empty data part", "a12uel5l"),
    (
        "a human-readable part with digits, the longest that BIP-173 allows",
        "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs",
    ),
    ("every character of the alphabet", "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw"),
    ("the separator as human-readable part", "11" + "q" * 82 + "c8247j"),
    ("a long data part", "split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w"),
    ("a human-readable part without letters", "?1ezyfcl"),
]
INVALID = [
    ("a human-readable part with character 32", "\x201nwldj5", "invalid-character"),
    ("a human-readable part with character 127", "\x7f1axkwrx", "invalid-character"),
    ("a human-readable part with character 128", "\x801eym55h", "invalid-character"),
    ("no separator", "pzry9x0s0muk", "missing-separator"),
    ("nothing before the separator", "1pzry9x0s0muk", "empty-human-readable-part"),
    ("a b after the separator", "x1b4n0q5v", "invalid-character"),
    ("too short a checksum", "li1dgmt3", "truncated"),
    ("character 255 in the checksum", "de1lg7wt\xff", "invalid-character"),
    ("a checksum made from the upper-case form", "A1G7SGD8", "bad-checksum"),
    ("nothing before the separator, an empty data part", "10a06t8", "empty-human-readable-part"),
    ("nothing before the separator, a checksum alone", "1qzzfhee", "empty-human-readable-part"),
]
LONG_VALID = [
    (
        "a text longer than BIP-173 allows",
        "LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3HXQURZEPEXEJXXEPN"
        "XSCRVWFNV9NXZCN9XQ6XYEFHVGCXXCMYXYMNSERXFQ5FNS",
    ),
]
OWN_INVALID = [
    ("mixed case in the data part", "a12uEl5l", "mixed-case"),
    ("mixed case in the human-readable part", "Ab1qqqqqq", "mixed-case"),
    ("upper-case human-readable part, lower-case data part", "A12uel5l", "mixed-case"),
    ("the checksum of bech32m (BIP-350)", "a1lqfn3a", "bad-checksum"),
    ("the last character changed", "a12uel5q", "bad-checksum"),
    ("two characters exchanged", "a12ule5l", "bad-checksum"),
    ("white space after the checksum", "a12uel5l ", "invalid-character"),
    ("a text split with +", "a12ue+l5l", "invalid-character"),
    ("nothing at all", "", "missing-separator"),
]
# BOLT 12: the same alphabet, no checksum, + between two characters. The texts are our own.
PLAIN_VALID = [
    ("without checksum: an empty data part", "lno1"),
    ("without checksum: every character of the alphabet", "lno1qpzry9x8gf2tvdw0s3jn54khce6mua7l"),
    ("without checksum: upper case", "LNO1QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    ("without checksum: split with +", "lno1qpzry9x8gf2t+vdw0s3jn54khce6mua7l"),
    ("without checksum: split with + and white space", "lno1qpzry9x8+\r\n\tgf2tvdw0s3jn54+  khce6mua7l"),
    ("without checksum: split in the human-readable part", "l+no1qpzry9x8"),
    ("without checksum: split after every character", "l+n+o+1+q+p+z"),
]
PLAIN_INVALID = [
    ("without checksum: + at the end", "lno1qpzry9x8+"),
    ("without checksum: + and a space at the end", "lno1qpzry9x8+ "),
    ("without checksum: + at the start", "+lno1qpzry9x8"),
    ("without checksum: two +", "lno1qpzry++9x8"),
    ("without checksum: two + with a space between them", "lno1qpzry+ +9x8"),
    ("without checksum: a space before +", "lno1qpzry +9x8"),
    ("without checksum: white space without +", "lno1qpzry 9x8"),
    ("without checksum: white space at the end", "lno1qpzry9x8 "),
    ("without checksum: mixed case", "LNO1qpzry9x8"),
    ("without checksum: mixed case beyond a +", "lno1qpzry+9X8"),
    ("without checksum: a b after the separator", "lno1qpzry9b8"),
    ("without checksum: no separator", "lnoqpzry9x8"),
    ("without checksum: nothing before the separator", "1qpzry9x8"),
    ("without checksum: nothing at all", ""),
    ("without checksum: + alone", "+"),
]


def decode_case(name, text, checksum, source=None):
    def compute():
        prefix, groups = decode(text, checksum)
        again = encode(prefix, groups, checksum)
        assert again == "".join(c for c in text if c not in "+" + WHITE_SPACE).lower()
        return {"humanReadablePart": prefix, "groups": bytes(groups).hex(), "text": again}

    given = {"text": text, "checksum": checksum}
    return outcome({"name": name} | ({"source": source} if source else {}) | {"input": given}, compute)


def rejected_case(name, text, rule, source=None):
    case = decode_case(name, text, "bech32", source)
    assert case["reject"] == rule, (name, case)
    return case


def regroup_cases():
    for length in range(8):
        data = bytes((17 * i + 0xA5) & 0xFF for i in range(length))
        yield f"{length} bytes", to_groups(data)
    yield "every byte set", to_groups(b"\xff" * 5)
    for name, groups in [
        ("one group alone: five bits left over", [0]),
        ("two groups, a padding bit set", [31, 29]),
        ("two groups, the lowest padding bit set", [0, 1]),
        ("three groups: seven bits left over", [0, 0, 0]),
        ("four groups, the padding set", [31, 31, 31, 31]),
        ("five groups, the lowest padding bit set", [0, 0, 0, 0, 1]),
        ("six groups: six bits left over", [0] * 6),
        ("seven groups, the highest of three padding bits set", [0] * 6 + [4]),
        ("nine groups: a whole group left over", [0] * 9),
        ("a group of 32", [0, 32]),
        ("a group of 255", [255, 0]),
    ]:
        yield name, groups


def regroup_case(name, groups):
    def compute():
        data = to_bytes(groups)
        return {"bytes": data.hex(), "groups": bytes(to_groups(data)).hex()}

    return outcome({"name": name, "input": {"groups": bytes(groups).hex()}}, compute)


def files():
    decoded = [decode_case(name, text, "bech32") for name, text in VALID]
    decoded += [decode_case(name, text, "bech32", LNURL) for name, text in LONG_VALID]
    decoded += [rejected_case(*entry) for entry in INVALID]
    decoded += [rejected_case(*entry, OWN) for entry in OWN_INVALID]
    decoded += [decode_case(name, text, "none", OWN) for name, text in PLAIN_VALID + PLAIN_INVALID]
    encoded = [
        {
            "name": case["name"],
            "source": case.get("source", SOURCE),
            "input": {
                "humanReadablePart": case["expect"]["humanReadablePart"],
                "groups": case["expect"]["groups"],
                "checksum": case["input"]["checksum"],
            },
            "expect": {"text": case["expect"]["text"]},
        }
        for case in decoded
        if "expect" in case and "+" not in case["input"]["text"] and not case["input"]["text"].isupper()
    ]
    return {
        "bech32/decode.json": document(
            "BIP-173", "decode",
            "Read `text`, with the checksum that `checksum` names: bech32, or none as in BOLT 12, where + and white space"
            " may split the text. There is no limit of 90 characters. Compare `humanReadablePart` (lower case), `groups`"
            " (a byte for each group of 5 bits, without the checksum), and `text`, written again in lower case.",
            SOURCE, decoded, RULES,
        ),
        "bech32/encode.json": document(
            "BIP-173", "encode",
            "Write `humanReadablePart` and `groups` (a byte for each group of 5 bits) with `checksum`: bech32 or none."
            " Compare `text`.",
            SOURCE, encoded, RULES,
        ),
        "bech32/regroup.json": document(
            "BIP-173", "regroup",
            "Join `groups` (a byte for each group of 5 bits) to bytes; compare `bytes`, and `groups`, cut from them again.",
            OWN, [regroup_case(*entry) for entry in regroup_cases()], RULES,
        ),
    }


if __name__ == "__main__":
    main(files())
