"""BOLT 1's TLV streams and truncated integers."""

import bigsize
from refused import Refused


def record(kind, value):
    return bigsize.encode(kind) + bigsize.encode(len(value)) + value


def stream(*records):
    return b"".join(record(kind, value) for kind, value in records)


def parse(data):
    records, position = [], 0
    while position < len(data):
        kind, position = bigsize.read(data, position)
        if records and kind <= records[-1][0]:
            raise Refused("duplicate" if kind == records[-1][0] else "out-of-order")
        length, position = bigsize.read(data, position)
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


def write_truncated(value):
    return value.to_bytes((value.bit_length() + 7) // 8, "big")


def parsed(stream):
    records = parse(bytes.fromhex(stream))
    return {
        "records": [{"type": kind, "value": value.hex()} for kind, value in records],
        "stream": b"".join(record(*each) for each in records).hex(),
    }


def integer(bits, bytes):
    value = truncated_integer(bytearray.fromhex(bytes), bits)
    return {"value": value, "bytes": write_truncated(value).hex()}
