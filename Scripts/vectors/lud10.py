"""LUD-10, over the cipher of PyPI cryptography."""

import base64

from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import lud09
from refused import Refused, refusing


def cipher(preimage, vector):
    return Cipher(algorithms.AES256(bytes.fromhex(preimage)), modes.CBC(vector))


def seal(preimage, iv, plaintext):
    vector = bytes.fromhex(iv)
    if len(vector) != 16:
        raise Refused("initialization-vector")
    padder, encryptor = padding.PKCS7(128).padder(), cipher(preimage, vector).encryptor()
    padded = padder.update(plaintext.encode()) + padder.finalize()
    ciphertext = base64.b64encode(encryptor.update(padded) + encryptor.finalize()).decode()
    if len(ciphertext) > 4096:
        raise Refused("ciphertext-too-long")
    return {"ciphertext": ciphertext, "iv": base64.b64encode(vector).decode()}


def decrypt(preimage, ciphertext, iv):
    lud09.check_aes({"ciphertext": ciphertext, "iv": iv})
    decryptor = cipher(preimage, base64.b64decode(iv)).decryptor()
    padded = decryptor.update(base64.b64decode(ciphertext)) + decryptor.finalize()
    unpadder = padding.PKCS7(128).unpadder()
    with refusing("wrong-preimage", ValueError):
        data = unpadder.update(padded) + unpadder.finalize()
    with refusing("not-utf8", UnicodeDecodeError):
        return {"plaintext": data.decode()}
