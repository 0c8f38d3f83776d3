"""ChaCha20-Poly1305 (RFC 8439) for the vector scripts, over the ciphers of PyPI cryptography."""

import struct

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305


def xor(key, nonce, counter, text):
    return Cipher(algorithms.ChaCha20(key, struct.pack("<I", counter) + nonce), None).encryptor().update(text)


def seal(key, nonce, data, text):
    return ChaCha20Poly1305(key).encrypt(nonce, text, data)


def open_(key, nonce, data, sealed):
    """The text, or None."""
    try:
        return ChaCha20Poly1305(key).decrypt(nonce, sealed, data)
    except InvalidTag:
        return None
