"""ChaCha20-Poly1305 (RFC 8439) for the vector scripts. Plain integers, slow, for public test keys only."""

import struct


def _quarter(state, a, b, c, d):
    for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[x] = (state[x] + state[y]) & 0xFFFFFFFF
        mixed = state[z] ^ state[x]
        state[z] = (mixed << turn | mixed >> 32 - turn) & 0xFFFFFFFF


def block(key, nonce, counter):
    start = list(struct.unpack("<16I", b"expand 32-byte k" + key + struct.pack("<I", counter) + nonce))
    state = start[:]
    for _ in range(10):
        for column in range(4):
            _quarter(state, column, column + 4, column + 8, column + 12)
        for row in range(4):
            _quarter(state, row, (row + 1) % 4 + 4, (row + 2) % 4 + 8, (row + 3) % 4 + 12)
    return struct.pack("<16I", *((a + b) & 0xFFFFFFFF for a, b in zip(state, start)))


def xor(key, nonce, counter, text):
    stream = b"".join(block(key, nonce, counter + n) for n in range((len(text) + 63) // 64))
    return bytes(a ^ b for a, b in zip(text, stream))


def tag(key, nonce, data, text):
    one_time = block(key, nonce, 0)
    r = int.from_bytes(one_time[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    s = int.from_bytes(one_time[16:32], "little")
    padded = data + bytes(-len(data) % 16) + text + bytes(-len(text) % 16) + struct.pack("<QQ", len(data), len(text))
    sum_ = 0
    for start in range(0, len(padded), 16):
        sum_ = (sum_ + int.from_bytes(padded[start : start + 16] + b"\1", "little")) * r % (2**130 - 5)
    return ((sum_ + s) & 2**128 - 1).to_bytes(16, "little")


def seal(key, nonce, data, text):
    sealed = xor(key, nonce, 1, text)
    return sealed + tag(key, nonce, data, sealed)


def open_(key, nonce, data, sealed):
    """The text, or None."""
    text, found = sealed[:-16], sealed[-16:]
    if len(sealed) < 16 or tag(key, nonce, data, text) != found:
        return None
    return xor(key, nonce, 1, text)
