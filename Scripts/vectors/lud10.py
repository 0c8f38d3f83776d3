#!/usr/bin/env python3
"""Second implementation of LUD-10, over the cipher of PyPI cryptography. Writes Vectors/lud-10/; --check compares."""

import base64

from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import lud09
from luds import Refused, judged
from vector_files import document, main

OWN = "Scripts/vectors/lud10.py (PyPI cryptography)"
PREIMAGE = bytes(range(32)).hex()
VECTOR = bytes(range(16)).hex()
RULES = lud09.RULES | {
    "wrong-preimage": "What the preimage opens has no padding of PKCS #7.",
    "not-utf8": "What the preimage opens is not UTF-8.",
}


def cipher(preimage, vector):
    return Cipher(algorithms.AES256(bytes.fromhex(preimage)), modes.CBC(vector))


def encrypt(preimage, vector, data):
    padder, encryptor = padding.PKCS7(128).padder(), cipher(preimage, vector).encryptor()
    padded = padder.update(data) + padder.finalize()
    return encryptor.update(padded) + encryptor.finalize()


def seal(preimage, iv, plaintext):
    vector = bytes.fromhex(iv)
    if len(vector) != 16:
        raise Refused("initialization-vector")
    ciphertext = base64.b64encode(encrypt(preimage, vector, plaintext.encode())).decode()
    if len(ciphertext) > 4096:
        raise Refused("ciphertext-too-long")
    return {"ciphertext": ciphertext, "iv": base64.b64encode(vector).decode()}


def decrypt(preimage, ciphertext, iv):
    lud09.check_aes({"ciphertext": ciphertext, "iv": iv})
    decryptor = cipher(preimage, base64.b64decode(iv)).decryptor()
    padded = decryptor.update(base64.b64decode(ciphertext)) + decryptor.finalize()
    unpadder = padding.PKCS7(128).unpadder()
    try:
        data = unpadder.update(padded) + unpadder.finalize()
    except ValueError:
        raise Refused("wrong-preimage") from None
    try:
        return {"plaintext": data.decode()}
    except UnicodeDecodeError:
        raise Refused("not-utf8") from None


TEXTS = [
    ("a short text", "Secret data"),
    ("an empty text: a whole block of padding", ""),
    ("a text of one block: another block of padding", "0123456789abcdef"),
    ("15 bytes: one byte of padding", "0123456789abcde"),
    ("bytes are padded, not characters", "lightning icons: ⚡⚡"),
    ("16 characters of 48 bytes", "⚡" * 16),
    ("the longest text: 3071 bytes", "a" * 3071),
]


def sealed():
    for name, text in TEXTS:
        yield name, {"preimage": PREIMAGE, "iv": VECTOR, "plaintext": text}, None
    other = bytes(range(255, 223, -1)).hex()
    yield "another preimage and vector", {"preimage": other, "iv": "ff" * 16, "plaintext": "Secret data"}, None
    yield "3072 bytes", {"preimage": PREIMAGE, "iv": VECTOR, "plaintext": "a" * 3072}, "ciphertext-too-long"
    yield "a vector of 15 bytes", {"preimage": PREIMAGE, "iv": VECTOR[2:], "plaintext": "x"}, "initialization-vector"
    yield "a vector of 17 bytes", {"preimage": PREIMAGE, "iv": VECTOR + "00", "plaintext": "x"}, "initialization-vector"


def opened():
    def given(data, preimage=PREIMAGE, **more):
        ciphertext = base64.b64encode(encrypt(PREIMAGE, bytes.fromhex(VECTOR), data)).decode()
        return {
            "preimage": preimage, "ciphertext": ciphertext, "iv": base64.b64encode(bytes.fromhex(VECTOR)).decode(),
        } | more

    for name, text in TEXTS:
        yield name, given(text.encode()), None
    yield "a zero preimage", given(b"Secret data", "00" * 32), "wrong-preimage"
    yield "a preimage with one bit changed", given(b"Secret data", "01" + PREIMAGE[2:]), "wrong-preimage"
    # Of keys that differ in the last bytes alone, the first whose garbage happens to end like a padding.
    lucky = next(
        key for key in (PREIMAGE[:-4] + f"{n:04x}" for n in range(1 << 16))
        if verdict(given(b"Secret data", key)) == "not-utf8"
    )
    yield "a wrong preimage whose garbage ends like a padding", given(b"Secret data", lucky), "not-utf8"
    yield "a text that is not UTF-8", given(b"\xff\xfe"), "not-utf8"
    yield "a ciphertext of 15 bytes", given(b"", ciphertext="qEKI4TOS5+n33nsm28HH"), "ciphertext-not-whole-blocks"
    yield "an empty ciphertext", given(b"", ciphertext=""), "ciphertext-not-whole-blocks"
    yield "a ciphertext without its padding", given(b"", ciphertext="qEKI4TOS5+n33nsm28HHWA"), "malformed-ciphertext"
    yield "a vector of 23 characters", given(b"", iv="AAECAwQFBgcICQoLDA0ODw="), "initialization-vector"
    yield "a vector of 25 characters", given(b"", iv="AAECAwQFBgcICQoLDA0ODw==="), "initialization-vector"


def verdict(given):
    try:
        decrypt(**given)
    except Refused as refused:
        return str(refused)
    return None


def files():
    return {
        "lud-10/seal.json": document(
            "LUD-10", "seal",
            "Encrypt the UTF-8 of `plaintext` by AES-256-CBC with PKCS #7, key `preimage`, vector `iv` (both in hexadecimal)."
            " Compare `ciphertext` and `iv` in base64.",
            OWN, judged(seal, sealed()), RULES,
        ),
        "lud-10/open.json": document(
            "LUD-10", "open",
            "Decrypt `ciphertext` with `iv` (both in base64) and `preimage` (in hexadecimal). Compare `plaintext`.",
            OWN, judged(decrypt, opened()), RULES,
        ),
    }


if __name__ == "__main__":
    main(files())
