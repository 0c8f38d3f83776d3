"""BOLT 8: both sides of the handshake, and the transport."""

import hashlib
import hmac
import struct

from chacha20poly1305 import open_, seal
from refused import Refused
from secp256k1 import agree, parse, public


def derive(chaining, key):
    extracted = hmac.digest(chaining, key, "sha256")
    first = hmac.digest(extracted, b"\1", "sha256")
    return first, hmac.digest(extracted, first + b"\2", "sha256")


def nonce(counter):
    return bytes(4) + struct.pack("<Q", counter)


class Cipher:
    """One direction."""

    def __init__(self, key, chaining):
        self.key, self.chaining, self.counter = key, chaining, 0

    def step(self):
        self.counter += 1
        if self.counter == 1000:
            self.chaining, self.key = derive(self.chaining, self.key)
            self.counter = 0

    def seal(self, text):
        sealed = seal(self.key, nonce(self.counter), b"", text)
        self.step()
        return sealed

    def open(self, sealed):
        text = open_(self.key, nonce(self.counter), b"", sealed)
        if text is None:
            raise Refused("tag")
        self.step()
        return text

    def frame(self, message):
        if len(message) > 65535:
            raise Refused("message-too-long")
        return self.seal(struct.pack(">H", len(message))) + self.seal(message)

    def read(self, data):
        if len(data) < 18:
            raise Refused("truncated")
        count = struct.unpack(">H", self.open(data[:18]))[0] + 16
        if len(data) != 18 + count:
            raise Refused("truncated")
        return self.open(data[18:])


class Handshake:
    def __init__(self, responder, key, ephemeral):
        self.hash = self.chaining = hashlib.sha256(b"Noise_XK_secp256k1_ChaChaPoly_SHA256").digest()
        self.key, self.ephemeral, self.responder = key, ephemeral, responder
        self.mix(b"lightning")
        self.mix(responder)

    def mix(self, data):
        self.hash = hashlib.sha256(self.hash + data).digest()

    def agree(self, secret, point):
        self.chaining, self.temporary = derive(self.chaining, agree(secret, point))

    def seal(self, text, counter=0):
        sealed = seal(self.temporary, nonce(counter), self.hash, text)
        self.mix(sealed)
        return sealed

    def open(self, sealed, counter=0, rule="tag"):
        text = open_(self.temporary, nonce(counter), self.hash, sealed)
        if text is None:
            raise Refused(rule)
        self.mix(sealed)
        return text

    def say(self, point):
        """Act one of the initiator, act two of the responder."""
        own = public(self.ephemeral)
        self.mix(own)
        self.agree(self.ephemeral, point)
        return b"\0" + own + self.seal(b"")

    def hear(self, act, secret):
        if len(act) != 50:
            raise Refused("length")
        if act[0]:
            raise Refused("version")
        if parse(act[1:34]) is None:
            raise Refused("key")
        self.mix(act[1:34])
        self.agree(secret, act[1:34])
        self.open(act[34:])
        return act[1:34]

    def ciphers(self):
        return [Cipher(key, self.chaining) for key in derive(self.chaining, b"")]


def initiate(responder, key, ephemeral, answer):
    """`answer` gets act one and gives act two; returns act one, act three, sending and receiving cipher."""
    side = Handshake(responder, key, ephemeral)
    one = side.say(responder)
    remote = side.hear(answer(one), ephemeral)
    sealed = side.seal(public(key), 1)
    side.agree(key, remote)
    three = b"\0" + sealed + side.seal(b"")
    return one, three, *side.ciphers()


def respond(key, ephemeral, one, answer):
    """`answer` gets act two and gives act three; returns act two, the initiator, sending and receiving cipher."""
    side = Handshake(public(key), key, ephemeral)
    two = side.say(side.hear(one, key))
    three = answer(two)
    if len(three) != 66:
        raise Refused("length")
    if three[0]:
        raise Refused("version")
    remote = side.open(three[1:50], 1, "ciphertext")
    if parse(remote) is None:
        raise Refused("key")
    side.agree(ephemeral, remote)
    side.open(three[50:])
    receiving, sending = side.ciphers()
    return two, remote, sending, receiving


# The files of vectors

HELLO = b"hello"


def initiated(responder, key, ephemeral, actTwo):
    one, three, sending, _ = initiate(
        *map(bytes.fromhex, (responder, key, ephemeral)), lambda _: bytes.fromhex(actTwo))
    return {"actOne": one.hex(), "actThree": three.hex(), "hello": sending.frame(HELLO).hex()}


def responded(key, ephemeral, actOne, actThree):
    two, initiator, sending, _ = respond(
        *map(bytes.fromhex, (key, ephemeral, actOne)), lambda _: bytes.fromhex(actThree))
    return {"actTwo": two.hex(), "initiator": initiator.hex(), "hello": sending.frame(HELLO).hex()}


def cipher_after(key, chaining, messages):
    cipher = Cipher(bytes.fromhex(key), bytes.fromhex(chaining))
    # A message is sealed twice: its length, and itself.
    for _ in range(2 * messages):
        cipher.step()
    return cipher


def framed(key, chainingKey, message, index):
    return {"frame": cipher_after(key, chainingKey, index).frame(bytes.fromhex(message)).hex()}


def read(key, chainingKey, frame, index):
    return {"message": cipher_after(key, chainingKey, index).read(bytes.fromhex(frame)).hex()}
