#!/usr/bin/env python3
"""Vectors/bolt-08, from the specification's 16 cases (published/bolt08.json) and cases of our own. The second implementation is
noise.py; --check compares."""

import json
import pathlib

from noise import RULES, Cipher, initiate, respond
from secp256k1 import public
from vector_files import Refused, case, document, main

PUBLISHED = json.loads((pathlib.Path(__file__).parent / "published" / "bolt08.json").read_text(encoding="utf-8"))
SPECIFICATION = PUBLISHED["source"]
SOURCE = "lightning/bolts 08-transport.md @a377265; the values: Scripts/vectors/noise.py"
HELLO = b"hello"
# What the specification calls the ways in which an act is refused.
NAMES = {
    "READ_FAILED": "length", "BAD_VERSION": "version", "BAD_PUBKEY": "key", "BAD_TAG": "tag",
    "BAD_CIPHERTEXT": "ciphertext",
}


def rule_of(published):
    return NAMES[published["error"].split(" ")[0].split("_", 1)[1]] if "error" in published else None


def initiate_case(name, responder, key, ephemeral, two, rule=None, source=None):
    given = {"responder": responder.hex(), "key": key.hex(), "ephemeral": ephemeral.hex(), "actTwo": two.hex()}

    def compute():
        one, three, sending, _ = initiate(responder, key, ephemeral, lambda _: two)
        return {"actOne": one.hex(), "actThree": three.hex(), "hello": sending.frame(HELLO).hex()}

    return case(name, given, compute, rule, source)


def respond_case(name, key, ephemeral, one, three, rule=None, source=None):
    given = {"key": key.hex(), "ephemeral": ephemeral.hex(), "actOne": one.hex(), "actThree": three.hex()}

    def compute():
        two, remote, sending, _ = respond(key, ephemeral, one, lambda _: three)
        return {"actTwo": two.hex(), "initiator": remote.hex(), "hello": sending.frame(HELLO).hex()}

    return case(name, given, compute, rule, source)


def unhex(*texts):
    return [bytes.fromhex(text) for text in texts]


def initiate_cases():
    for entry in PUBLISHED["initiator"]:
        responder, key, ephemeral, two = unhex(entry["rs.pub"], entry["ls.priv"], entry["e.priv"], entry["inputs"][0])
        made = initiate_case(entry["name"], responder, key, ephemeral, two, rule_of(entry), SPECIFICATION)
        if "expect" in made:
            one, three, sending, receiving = initiate(responder, key, ephemeral, lambda _: two)
            assert [one.hex(), three.hex()] == entry["outputs"]
            assert entry["keys"] == {"sk": sending.key.hex(), "rk": receiving.key.hex()}
            assert made["expect"]["hello"] == PUBLISHED["messages"]["frames"]["0"]
        yield made
    key, ephemeral, theirs, their_ephemeral = (bytes([n]) * 32 for n in (0x31, 0x32, 0x33, 0x34))
    two = {}

    def answer(one):
        def keep(act):
            two["bytes"] = act
            raise Refused("length")
        try:
            respond(theirs, their_ephemeral, one, keep)
        except Refused:
            return two["bytes"]

    initiate(public(theirs), key, ephemeral, answer)
    good = two["bytes"]
    yield initiate_case("other keys", public(theirs), key, ephemeral, good)
    yield initiate_case("a byte too many", public(theirs), key, ephemeral, good + b"\0", "length")
    yield initiate_case("nothing", public(theirs), key, ephemeral, b"", "length")
    yield initiate_case("another responder than the one meant", public(key), key, ephemeral, good, "tag")
    yield initiate_case("another ephemeral key than the one answered", public(theirs), key, key, good, "tag")
    yield initiate_case("a key that is no point", public(theirs), key, ephemeral,
                        b"\0\2" + bytes(31) + b"\5" + good[34:], "key")
    yield initiate_case("the first byte of the tag changed", public(theirs), key, ephemeral,
                        good[:34] + bytes([good[34] ^ 1]) + good[35:], "tag")


def respond_cases():
    for entry in PUBLISHED["responder"]:
        key, ephemeral, one = unhex(entry["ls.priv"], entry["e.priv"], entry["inputs"][0])
        three = bytes.fromhex(entry["inputs"][1]) if len(entry["inputs"]) > 1 else b""
        made = respond_case(entry["name"], key, ephemeral, one, three, rule_of(entry), SPECIFICATION)
        if "expect" in made:
            two, _, sending, receiving = respond(key, ephemeral, one, lambda _: three)
            assert [two.hex()] == entry["outputs"]
            assert entry["keys"] == {"rk": receiving.key.hex(), "sk": sending.key.hex()}
        yield made
    key, ephemeral, theirs, their_ephemeral = (bytes([n]) * 32 for n in (0x33, 0x34, 0x31, 0x32))
    acts = {}

    def answer(one):
        acts["one"] = one

        def keep(act):
            acts["two"] = act
            raise Refused("length")
        try:
            respond(key, ephemeral, one, keep)
        except Refused:
            return acts["two"]

    _, three, *_ = initiate(public(key), theirs, their_ephemeral, answer)
    one = acts["one"]
    yield respond_case("other keys", key, ephemeral, one, three)
    yield respond_case("meant for somebody else", theirs, ephemeral, one, three, "tag")
    yield respond_case("a byte too many in act one", key, ephemeral, one + b"\0", three, "length")
    yield respond_case("a byte too many in act three", key, ephemeral, one, three + b"\0", "length")
    yield respond_case("act three of another handshake", key, theirs, one, three, "ciphertext")
    yield respond_case("act one as act three", key, ephemeral, one, one + bytes(16), "ciphertext")
    yield respond_case("the last byte of the last tag changed", key, ephemeral, one,
                       three[:-1] + bytes([three[-1] ^ 1]), "tag")


def frame_case(name, key, chaining, message, index, rule=None, source=None):
    given = {"key": key.hex(), "chainingKey": chaining.hex(), "message": message.hex(), "index": index}

    def compute():
        cipher = Cipher(key, chaining)
        for _ in range(index):
            for _ in range(2):
                cipher.step()
        return {"frame": cipher.frame(message).hex()}

    return case(name, given, compute, rule, source)


def frame_cases():
    published = PUBLISHED["messages"]
    key, chaining, hello = unhex(published["sk"], published["ck"], published["message"])
    for index, frame in published["frames"].items():
        made = frame_case(f"hello, number {index}", key, chaining, hello, int(index), source=SPECIFICATION)
        assert made["expect"]["frame"] == frame
        yield made
    for index in (499, 999, 1499, 1500, 5000):
        yield frame_case(f"hello, number {index}", key, chaining, hello, index)
    yield frame_case("nothing", key, chaining, b"", 0)
    yield frame_case("the type of a pong with nothing", key, chaining, bytes.fromhex("00130000"), 0)
    yield frame_case("256 bytes", key, chaining, bytes(256), 3)


def read_cases():
    published = PUBLISHED["messages"]
    key, chaining = unhex(published["sk"], published["ck"])

    def attempt(name, frame, index=0, rule=None, source=None):
        given = {"key": key.hex(), "chainingKey": chaining.hex(), "frame": frame.hex(), "index": index}

        def compute():
            cipher = Cipher(key, chaining)
            for _ in range(2 * index):
                cipher.step()
            return {"message": cipher.read(frame).hex()}

        return case(name, given, compute, rule, source)

    frames = {int(index): bytes.fromhex(frame) for index, frame in published["frames"].items()}
    for index, frame in frames.items():
        yield attempt(f"hello, number {index}", frame, index, source=SPECIFICATION)
    good = frames[0]
    yield attempt("a frame again", good, 1, "tag")
    yield attempt("a frame too early", frames[1], 0, "tag")
    yield attempt("a frame of the key before", frames[500], 499, "tag")
    yield attempt("the first byte of the length changed", bytes([good[0] ^ 1]) + good[1:], 0, "tag")
    yield attempt("the tag of the length changed", good[:17] + bytes([good[17] ^ 1]) + good[18:], 0, "tag")
    yield attempt("the first byte of the message changed", good[:18] + bytes([good[18] ^ 1]) + good[19:], 0, "tag")
    yield attempt("the last byte of the tag changed", good[:-1] + bytes([good[-1] ^ 1]), 0, "tag")
    yield attempt("a byte less", good[:-1], 0, "truncated")
    yield attempt("half a length", good[:9], 0, "truncated")
    yield attempt("nothing", b"", 0, "truncated")
    yield attempt("an empty message", Cipher(key, chaining).frame(b""))


DOCUMENTS = {
    "initiate": (initiate_cases,
                 "Open a connection to the node `responder` with the static `key` and the `ephemeral` one, and get `actTwo`."
                 " Compare `actOne`, `actThree`, and `hello`, the first frame that is sent then, with the 5 bytes of that word."),
    "respond": (respond_cases,
                "Be called, with the static `key` and the `ephemeral` one; `actOne` and `actThree` come from the other side."
                " Compare `actTwo`, the node id of the `initiator`, and `hello`, the first frame that is sent then, with the"
                " 5 bytes of that word."),
    "frame": (frame_cases,
              "Send `message` with the cipher whose first key is `key`, after `index` other messages. Compare `frame`: the"
              " encrypted length and the encrypted message."),
    "read": (read_cases,
             "Read `frame` with the cipher whose first key is `key`, after `index` other messages. Compare `message`."),
}


def files():
    return {
        f"bolt-08/{subject}.json": document("BOLT 8", subject, description, SOURCE, list(cases()), RULES)
        for subject, (cases, description) in DOCUMENTS.items()
    }


if __name__ == "__main__":
    main(files())
