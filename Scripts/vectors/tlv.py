#!/usr/bin/env python3
"""Second implementation of BOLT 1's TLV streams and truncated integers. Writes Vectors/tlv/; --check compares."""

from bigsize import FORMS, encode
from vector_files import Refused, document, main, outcome

SOURCE = "lightning/bolts 01-messaging.md, Appendix B @a377265; the records: Scripts/vectors/tlv.py"
OWN = "Scripts/vectors/tlv.py"
RULES = {
    "truncated": "The stream ends within a type or a length, or before a value does.",
    "not-minimal": "A type or a length has a shorter form.",
    "out-of-order": "A record's type is lower than the one before.",
    "duplicate": "A record's type is that of the one before.",
    "too-long": "More bytes than the integer's width.",
    "leading-zero": "The first byte is zero: a truncated integer has no leading zero bytes, and zero has none at all.",
}


def bigsize(data, start):
    if start >= len(data):
        raise Refused("truncated")
    for first, _, minimum in FORMS:
        if data[start] == first:
            end = start + 1 + (1 << first - 0xFC)
            if end > len(data):
                raise Refused("truncated")
            value = int.from_bytes(data[start + 1 : end], "big")
            if value < minimum:
                raise Refused("not-minimal")
            return value, end
    return data[start], start + 1


def parse(data):
    records, position = [], 0
    while position < len(data):
        kind, position = bigsize(data, position)
        if records and kind <= records[-1][0]:
            raise Refused("duplicate" if kind == records[-1][0] else "out-of-order")
        length, position = bigsize(data, position)
        if position + length > len(data):
            raise Refused("truncated")
        records.append((kind, data[position : position + length]))
        position += length
    return records


def truncated_integer(data, bits):
    if len(data) > bits // 8:
        raise Refused("too-long")
    if data[:1] == b"\0":
        raise Refused("leading-zero")
    return int.from_bytes(data, "big")


POINT = "023da092f6980e58d2c037173180e9a465476026ee50f96695963e8efe436f54eb"
# Streams of the appendix that no namespace can read, and those whose records some namespace reads.
REFUSED = [
    ("a type of three bytes, two missing", "fd", "truncated"),
    ("a type of three bytes, one missing", "fd01", "truncated"),
    ("a type of 1 in three bytes", "fd000100", "not-minimal"),
    ("a type without a length", "fd0101", "truncated"),
    ("a length of three bytes, two missing", "0ffd", "truncated"),
    ("a length of three bytes, one missing", "0ffd26", "truncated"),
    ("a length without a value", "0ffd2602", "truncated"),
    ("a length of 1 in three bytes", "0ffd000100", "not-minimal"),
    ("a value of 513 bytes, half of them missing", "0ffd0201" + "00" * 258, "truncated"),
    ("type 1 after type 2", "0208000000000000022601012a", "out-of-order"),
    ("type 2 twice", "0208000000000000023102080000000000000451", "duplicate"),
    ("unknown type 15 after type 31", "1f000f012a", "out-of-order"),
    ("unknown type 31 twice", "1f001f012a", "duplicate"),
    ("type 0 after the highest type", "ffffffffffffffffff000000", "out-of-order"),
]
ACCEPTED = [
    ("an empty stream", ""),
    ("an unknown odd type", "2100"),
    ("an unknown odd type in three bytes", "fd020100"),
    ("type 253, the lowest in three bytes", "fd00fd00"),
    ("type 255", "fd00ff00"),
    ("an unknown odd type in five bytes", "fe0200000100"),
    ("an unknown odd type in nine bytes", "ff020000000000000100"),
    ("an empty value", "0100"),
    ("a value of one byte", "010101"),
    ("a value of eight bytes", "01080100000000000000"),
    ("a short channel id", "02080000000000000226"),
    ("a point and two amounts", "0331" + POINT + "00000000000000010000000000000002"),
    ("type 254", "fd00fe020226"),
    ("an unknown even type, which only a namespace refuses", "1200"),
    ("an unknown even type in three bytes, which only a namespace refuses", "fd010200"),
    ("an unknown even type in five bytes, which only a namespace refuses", "fe0100000200"),
    ("an unknown even type in nine bytes, which only a namespace refuses", "ff010000000000000200"),
]
OWN_STREAMS = [
    ("three records, no gap in the types", "000001012a0203aabbcc"),
    ("the lowest and the highest type", "0000ffffffffffffffffff00"),
    ("a value of 252 bytes", "05fc" + "11" * 252),
    ("a value of 253 bytes", "05fd00fd" + "11" * 253),
    ("a length of 2^64-1", "01ffffffffffffffffff"),
    ("a length of 2^63", "01ff800000000000000000"),
    ("a length of 252 in three bytes", "05fd00fc" + "11" * 252),
    ("a length of 65535 in five bytes", "05fe0000ffff"),
    ("a type of 65535 in five bytes", "fe0000ffff00"),
    ("a type of 2^32-1 in nine bytes", "ff00000000ffffffff00"),
    ("a value one byte short, after a good record", "0000010200"),
    ("a byte left over after the last record", "0100ff"),
    ("a duplicate with another record between is out of order", "010002000100"),
]
# The values of n1's amount (tu64) and the values that the appendix refuses for it.
INTEGERS = [(64, "", 0)] + [(64, "01" + "00" * count, 256**count) for count in range(8)]
REFUSED_INTEGERS = [(64, "ff" * 9), (64, "00")] + [(64, "0001" + "00" * count) for count in range(7)]
OWN_INTEGERS = [
    (16, ""), (16, "01"), (16, "ff"), (16, "0100"), (16, "ffff"), (16, "00"), (16, "0001"), (16, "010000"), (16, "000000"),
    (32, ""), (32, "01"), (32, "ffffffff"), (32, "010000"), (32, "00"), (32, "00ffffff"), (32, "0100000000"),
    (64, "ff"), (64, "ffffffffffffffff"), (64, "20000000000001"), (64, "0000000000000000"), (64, "010000000000000000"),
]


def stream_case(name, text, source=None):
    def compute():
        records = parse(bytes.fromhex(text))
        again = b"".join(encode(kind) + encode(len(value)) + value for kind, value in records).hex()
        assert again == text
        return {"records": [{"type": kind, "value": value.hex()} for kind, value in records], "stream": again}

    return outcome({"name": name} | ({"source": source} if source else {}) | {"input": {"stream": text}}, compute)


def integer_case(bits, text, source=None):
    name, given = f"{bits} bits from {text or 'nothing'}", {"bits": bits, "bytes": text}
    return outcome(
        {"name": name} | ({"source": source} if source else {}) | {"input": given},
        lambda: {"value": truncated_integer(bytes.fromhex(text), bits), "bytes": text})


def files():
    streams = [stream_case(*entry) for entry in ACCEPTED]
    for name, text, rule in REFUSED:
        streams.append(stream_case(name, text))
        assert streams[-1]["reject"] == rule, name
    streams += [stream_case(*entry, OWN) for entry in OWN_STREAMS]
    integers = []
    for bits, text, value in INTEGERS:
        integers.append(integer_case(bits, text))
        assert integers[-1]["expect"]["value"] == value
    for bits, text in REFUSED_INTEGERS:
        integers.append(integer_case(bits, text))
        assert "reject" in integers[-1]
    integers += [integer_case(*entry, OWN) for entry in OWN_INTEGERS]
    return {
        "tlv/parse.json": document(
            "BOLT 1", "parse",
            "Take `stream` apart without a namespace: every type is let through. Compare `records`, each with its `type`"
            " and its `value`, and `stream`, written again from them.",
            SOURCE, streams, RULES,
        ),
        "tlv/truncated-integer.json": document(
            "BOLT 1", "truncated-integer",
            "Read all of `bytes` as a truncated integer of at most `bits` bits (tu16, tu32, tu64); compare `value`, and"
            " `bytes`, written again.",
            "lightning/bolts 01-messaging.md, Appendix B (n1, tlv1) @a377265", integers, RULES,
        ),
    }


if __name__ == "__main__":
    main(files())
