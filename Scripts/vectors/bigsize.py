"""BOLT 1's bigsize."""

from refused import Refused

# The first byte of each longer form, its bytes behind that, and the least number in it.
FORMS = [(0xFD, 2, 0xFD), (0xFE, 4, 0x1_0000), (0xFF, 8, 0x1_0000_0000)]


def encode(value):
    if value < 0xFD:
        return bytes([value])
    first, size, _ = [form for form in FORMS if value >= form[2]][-1]
    return bytes([first]) + value.to_bytes(size, "big")


def read(data, start):
    """The number there, and where it ends."""
    if start >= len(data):
        raise Refused("truncated")
    for first, size, least in FORMS:
        if data[start] == first:
            end = start + 1 + size
            if end > len(data):
                raise Refused("truncated")
            value = int.from_bytes(data[start + 1 : end], "big")
            if value < least:
                raise Refused("not-minimal")
            return value, end
    return data[start], start + 1


def decoded(bytes):
    data = bytearray.fromhex(bytes)
    value, end = read(data, 0)
    if end < len(data):
        raise Refused("trailing-bytes")
    return {"value": value}


def encoded(value):
    return {"bytes": encode(value).hex()}
