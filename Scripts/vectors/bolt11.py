"""Signs BOLT 11 invoices."""

import secp256k1
from bech32 import decode, encode, to_groups
from bolt11_reader import number_groups, signing_hash


def field(tag, groups):
    return [tag] + number_groups(len(groups), 2) + list(groups)


def sign(prefix, groups, key):
    """The text of an invoice whose groups, timestamp first, lack only the signature."""
    signature, recovery = secp256k1.ecdsa_sign(key, signing_hash(prefix, groups))
    return encode(prefix, groups + to_groups(signature + bytes([recovery])), "bech32")


def signed(invoice, secretKey):
    prefix, groups = decode(invoice, "bech32")
    return {"invoice": sign(prefix, groups[:-104], bytes.fromhex(secretKey))}
