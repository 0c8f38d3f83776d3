#!/usr/bin/env python3
"""Second implementation of BOLT 1's bigsize. Writes Vectors/bigsize/; --check compares."""

import struct

from vector_files import document, main

SOURCE = "lightning/bolts 01-messaging.md, Appendix A @a377265"
OWN = "Scripts/vectors/bigsize.py"
FORMS = [(0xFD, ">H", 0xFD), (0xFE, ">I", 0x1_0000), (0xFF, ">Q", 0x1_0000_0000)]
RULES = {
    "truncated": "The bytes end before the number does.",
    "not-minimal": "A shorter form holds the same number (BOLT 1: the encoding must be minimal).",
    "trailing-bytes": "Bytes follow the number.",
}

# Names, numbers and bytes of the appendix.
PUBLISHED = [
    ("zero", 0, "00"),
    ("the largest number of one byte", 252, "fc"),
    ("the smallest number of three bytes", 253, "fd00fd"),
    ("the largest number of three bytes", 65535, "fdffff"),
    ("the smallest number of five bytes", 65536, "fe00010000"),
    ("the largest number of five bytes", 4294967295, "feffffffff"),
    ("the smallest number of nine bytes", 4294967296, "ff0000000100000000"),
    ("the largest number of nine bytes", 18446744073709551615, "ffffffffffffffffff"),
]
REFUSED = [
    ("252 in three bytes", "fd00fc", "not-minimal"),
    ("65535 in five bytes", "fe0000ffff", "not-minimal"),
    ("2^32-1 in nine bytes", "ff00000000ffffffff", "not-minimal"),
    ("three bytes, one missing", "fd00", "truncated"),
    ("five bytes, two missing", "feffff", "truncated"),
    ("nine bytes, four missing", "ffffffffff", "truncated"),
    ("nothing", "", "truncated"),
    ("three bytes, all but the first missing", "fd", "truncated"),
    ("five bytes, all but the first missing", "fe", "truncated"),
    ("nine bytes, all but the first missing", "ff", "truncated"),
]
MORE = [1, 127, 128, 255, 256, 1000, 0xFFFF_FFFE, 0x1234_5678_9ABC_DEF0, 2**53 + 1, 2**63 - 1, 2**63]
MORE_REFUSED = ["fd0000", "fe00000000", "ff0000000000000000", "0000", "fdffff00", "fcfc", "ff80000000000000"]


def encode(value):
    if value < 0xFD:
        return bytes([value])
    first, form, _ = [entry for entry in FORMS if value >= entry[2]][-1]
    return bytes([first]) + struct.pack(form, value)


def decode(data):
    """The number, or the name of the rule that refuses the bytes."""
    if not data:
        return "truncated"
    value, end = data[0], 1
    for first, form, minimum in FORMS:
        if data[0] == first:
            end = 1 + struct.calcsize(form)
            if len(data) < end:
                return "truncated"
            (value,) = struct.unpack(form, data[1:end])
            if value < minimum:
                return "not-minimal"
    return value if end == len(data) else "trailing-bytes"


def accepted(name, value, text, source=None):
    assert encode(value).hex() == text and decode(bytes.fromhex(text)) == value
    origin = {"source": source} if source else {}
    return (
        {"name": name, **origin, "input": {"bytes": text}, "expect": {"value": value}},
        {"name": name, **origin, "input": {"value": value}, "expect": {"bytes": text}},
    )


def files():
    pairs = [accepted(*entry) for entry in PUBLISHED]
    pairs += [accepted(f"the number {value}", value, encode(value).hex(), OWN) for value in MORE]
    refused = []
    for name, text, rule in REFUSED:
        assert decode(bytes.fromhex(text)) == rule
        refused.append({"name": name, "input": {"bytes": text}, "reject": rule})
    for text in MORE_REFUSED:
        rule = decode(bytes.fromhex(text))
        refused.append({"name": f"the bytes {text}", "source": OWN, "input": {"bytes": text}, "reject": rule})
    return {
        "bigsize/decode.json": document(
            "BOLT 1", "decode", "Read a bigsize that fills `bytes`; compare `value`.", SOURCE,
            [decoded for decoded, _ in pairs] + refused, RULES,
        ),
        "bigsize/encode.json": document(
            "BOLT 1", "encode", "Write `value` as a bigsize; compare `bytes`.", SOURCE,
            [encoded for _, encoded in pairs], RULES,
        ),
    }


if __name__ == "__main__":
    main(files())
