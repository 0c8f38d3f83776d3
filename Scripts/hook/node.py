#!/usr/bin/env python3
"""A node that is only played: it signs real BOLT11 invoices for regtest, and is paid by hand.

Its state is a file, so that several processes can share it: node.py FILE pay HASH MSAT | advance SECONDS | now | rebuild
"""
import contextlib
import fcntl
import hashlib
import json
import os
import secrets
import sys
import time

PRIME, ORDER = 2**256 - 2**32 - 977, 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
BASE = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)
CHARACTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


class Fault(Exception):
    """What the hook answers instead: a code of the contract, and words for the operator."""

    def __init__(self, code, message=""):
        super().__init__(message)
        self.code = code


class Node:
    def __init__(self, path):
        self.path = path

    @contextlib.contextmanager
    def state(self):
        """The state, nobody else's meanwhile; what was changed in it is written back."""
        if os.path.exists(self.path + ".gone"):
            raise Fault("unavailable", "the node is gone")
        with open(self.path, "a+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            before = file.read()
            state = json.loads(before or '{"key": "%064x", "ahead": 0, "invoices": {}, "paid": []}' % KEY)
            yield state
            after = json.dumps(state)
            if after != before:
                file.truncate(0)
                file.write(after)

    def info(self):
        with self.state() as state:
            point = multiply(int(state["key"], 16), BASE)
        return {
            "nodeID": f"{2 + point[1] % 2:02x}{point[0]:064x}", "network": "regtest", "blockHeight": 800_000,
            "synchronized": True, "public": True, "alias": "played", "software": "Scripts/hook/node.py", "peers": [],
        }

    def create(self, amount, description, descriptionHash, expiry, label, preimage):
        preimage = preimage or secrets.token_hex(32)
        payment_hash = hashlib.sha256(bytes.fromhex(preimage)).hexdigest()
        with self.state() as state:
            used = [(payment_hash, label)] + [(key, one["label"]) for key, one in state["invoices"].items()]
            if payment_hash in state["invoices"] or label in (one for _, one in used[1:]):
                raise Fault("duplicate", "that label or preimage was used before")
            text = bytes.fromhex(descriptionHash) if descriptionHash else description
            bolt11 = invoice(int(state["key"], 16), now(state), amount, payment_hash, text, expiry)
            state["invoices"][payment_hash] = {
                "label": label, "preimage": preimage, "amount": amount, "until": now(state) + expiry, "status": "open",
            }
        return {"bolt11": bolt11, "paymentHash": payment_hash}

    def status(self, payment_hash):
        with self.state() as state:
            one = state["invoices"].get(payment_hash)
            if one is None:
                return {"status": "unknown"}
            if one["status"] == "settled":
                return {"status": "settled", **next(s for s in state["paid"] if s["paymentHash"] == payment_hash)}
            return {"status": "expired" if one["status"] == "open" and one["until"] <= now(state) else one["status"]}

    def cancel(self, payment_hash):
        with self.state() as state:
            one = state["invoices"].get(payment_hash, {"status": "unknown"})
            if one["status"] not in ("open", "canceled"):
                raise Fault("refused", one["status"])
            one["status"] = "canceled"
        return {}

    def settlements(self, after, limit):
        with self.state() as state:
            if int(after or 0) > len(state["paid"]):
                raise Fault("unknown-cursor", "the node counts its payments anew")
            return state["paid"][int(after or 0):][:limit]

    def pay(self, payment_hash, amount):
        with self.state() as state:
            one = state["invoices"].get(payment_hash)
            if one is None or one["status"] != "open" or one["until"] <= now(state):
                raise Fault("refused", "not payable")
            if not one["amount"] <= amount <= 2 * one["amount"]:
                raise Fault("refused", "another amount")
            one["status"] = "settled"
            state["paid"].append({
                "paymentHash": payment_hash, "preimage": one["preimage"], "received": amount,
                "settledAt": now(state), "cursor": str(len(state["paid"]) + 1),
            })


KEY = 0x1111111111111111111111111111111111111111111111111111111111111111


def now(state):
    return int(time.time()) + state["ahead"]


def multiply(number, point):
    """`number` times a point of secp256k1."""
    result = None
    while number:
        if number & 1:
            result = add(result, point)
        point, number = add(point, point), number >> 1
    return result


def add(one, other):
    if one is None or other is None:
        return one or other
    if one[0] == other[0] and (one[1] + other[1]) % PRIME == 0:
        return None
    if one == other:
        slope = 3 * one[0] * one[0] * pow(2 * one[1], -1, PRIME)
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, PRIME)
    x = (slope * slope - one[0] - other[0]) % PRIME
    return x, (slope * (one[0] - x) - one[1]) % PRIME


def invoice(key, timestamp, amount, payment_hash, text, expiry):
    """A BOLT11 invoice for regtest; `text` is a description, or the 32 bytes of its hash."""
    prefix = "lnbcrt" + next(
        (f"{amount // unit}{letter}" for letter, unit in (("", 10**11), ("m", 10**8), ("u", 10**5), ("n", 100))
         if amount % unit == 0),
        f"{amount * 10}p",
    )
    data = groups(timestamp, 7)
    data += field(1, from_bytes(bytes.fromhex(payment_hash)))
    data += field(16, from_bytes(secrets.token_bytes(32)))
    data += field(23, from_bytes(text)) if isinstance(text, bytes) else field(13, from_bytes(text.encode()))
    data += field(6, groups(expiry)) + field(5, groups(1 << 8 | 1 << 14 | 1 << 17))
    digest = int.from_bytes(hashlib.sha256(prefix.encode() + to_bytes(data)).digest(), "big")
    data += from_bytes(sign(key, digest))
    return prefix + "1" + "".join(CHARACTERS[value] for value in data + checksum(prefix, data))


def sign(key, digest):
    """A recoverable signature: r, the smaller s, and which of the points it was."""
    nonce = 1 + secrets.randbelow(ORDER - 1)
    point = multiply(nonce, BASE)
    r = point[0] % ORDER
    s, odd = pow(nonce, -1, ORDER) * (digest + r * key) % ORDER, point[1] & 1
    if s > ORDER // 2:
        s, odd = ORDER - s, odd ^ 1
    return r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([odd])


def groups(number, count=0):
    """A number in groups of five bits, the highest first."""
    count = count or max(1, -(-number.bit_length() // 5))
    return [number >> 5 * index & 31 for index in reversed(range(count))]


def from_bytes(octets):
    count = -(-len(octets) * 8 // 5)
    return groups(int.from_bytes(octets, "big") << count * 5 - len(octets) * 8, count) if octets else []


def to_bytes(data):
    count = -(-len(data) * 5 // 8)
    number = 0
    for value in data:
        number = number << 5 | value
    return (number << count * 8 - len(data) * 5).to_bytes(count, "big")


def field(tag, data):
    return [tag] + groups(len(data), 2) + data


def checksum(prefix, data):
    """bech32 (BIP-173)."""
    spread = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]
    state = 1
    for value in spread + data + [0] * 6:
        top, state = state >> 25, (state & 0x1FFFFFF) << 5 ^ value
        for index, word in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            state ^= word if top >> index & 1 else 0
    return groups(state ^ 1, 6)


if __name__ == "__main__":
    path, command, *words = sys.argv[1:]
    node = Node(path)
    try:
        if command == "pay":
            node.pay(words[0], int(words[1]))
        elif command == "advance":
            with node.state() as state:
                state["ahead"] += int(words[0])
        elif command == "rebuild":
            with node.state() as state:
                state["invoices"], state["paid"] = {}, []
        elif command == "now":
            with node.state() as state:
                print(now(state))
    except Fault as fault:
        sys.exit(f"{fault.code}: {fault}")
