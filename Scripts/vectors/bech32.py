"""Bech32 (BIP-173), with and without checksum."""

from refused import Refused

ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
GENERATORS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
WHITE_SPACE = " \t\n\v\f\r"


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


def decoded(text, checksum):
    prefix, groups = decode(text, checksum)
    return {"humanReadablePart": prefix, "groups": bytes(groups).hex(), "text": encode(prefix, groups, checksum)}


def encoded(humanReadablePart, groups, checksum):
    return {"text": encode(humanReadablePart, list(bytes.fromhex(groups)), checksum)}


def regrouped(groups):
    data = to_bytes(bytes.fromhex(groups))
    return {"bytes": data.hex(), "groups": bytes(to_groups(data)).hex()}


def broken(text, prefix=None):
    """The rules that the text itself breaks: what is found after decoding needs a text that can be decoded."""
    # BOLT 12 joins its texts at + before anything else.
    if "+" in text:
        return []
    human, separator, data = text.rpartition("1")
    rules = {
        "mixed-case": text.lower() != text and text.upper() != text,
        "missing-separator": not separator,
        "empty-human-readable-part": separator and not human,
        "wrong-prefix": prefix and separator and human.lower() != prefix,
        # Then there is no whole checksum that could match.
        "truncated": separator and len(data) < 6,
        "bad-checksum": separator and len(data) < 6,
        "invalid-character": any(not 33 <= ord(letter) <= 126 for letter in text)
        or separator and any(letter.lower() not in ALPHABET for letter in data),
    }
    return [rule for rule, holds in rules.items() if holds]
