#!/usr/bin/env python3
"""Vectors/bolt-04, from the specification's onion message (published/onion_messages.json) and cases of our own.
The second implementation is onion_packets.py; --check compares."""

import json
import pathlib

from blinded_paths import NONCE, RULES as PATH_RULES, blind, keyed, public, seal, shared, stream
from chacha20poly1305 import xor
from onion_packets import RULES, build, message, peel, send
from secp256k1 import multiply, serialize
from vector_files import case, document, main

PUBLISHED = json.loads(
    (pathlib.Path(__file__).parent / "published" / "onion_messages.json").read_text(encoding="utf-8")
)
SOURCE = "lightning/bolts 04-onion-routing.md @a377265; the values: Scripts/vectors/onion_packets.py"
ALICE, BOB, CAROL, DAVE = (bytes([0x41 + n]) * 32 for n in range(4))
SESSION = b"\3" * 32
BAD_POINT = bytes([2]) + b"\xff" * 32


def path_of(*nodes, secret=b"\x61" * 32):
    """A path over (key, orders)."""
    return blind(secret, [(public(key), orders) for key, orders in nodes])[0]


def to(key):
    return stream((4, public(key)))


def published_path():
    hops = PUBLISHED["hops"]
    first = bytes.fromhex(PUBLISHED["introduction"]) + bytes.fromhex(PUBLISHED["firstPathKey"]) + bytes([len(hops)])
    return first + b"".join(
        bytes.fromhex(hop["blindedNodeID"]) + (len(hop["encryptedRecipientData"]) // 2).to_bytes(2, "big")
        + bytes.fromhex(hop["encryptedRecipientData"]) for hop in hops)


def packet_cases():
    def attempt(name, layers, size=None, session=SESSION, rule=None, source=None):
        given = {
            "layers": [{"blindedNodeID": node.hex(), "payload": payload.hex()} for node, payload in layers],
            "sessionKey": session.hex(),
        } | ({"size": size} if size else {})
        return case(name, given, lambda: {"packet": build(layers, session, size).hex()}, rule, source)

    hops = PUBLISHED["hops"]
    payloads = [stream((4, bytes.fromhex(hop["encryptedRecipientData"]))) for hop in hops]
    payloads[-1] = stream((1, bytes.fromhex(PUBLISHED["content"]["1"]))) + payloads[-1]
    layers = [(bytes.fromhex(hop["blindedNodeID"]), payload) for hop, payload in zip(hops, payloads)]
    made = attempt("the published message", layers, session=bytes.fromhex(PUBLISHED["sessionKey"]),
                   source=PUBLISHED["source"])
    assert made["expect"]["packet"] == PUBLISHED["packet"]
    yield made
    a, b, c = public(ALICE), public(BOB), public(CAROL)
    yield attempt("one layer", [(a, b"\1\0")])
    yield attempt("another session key", [(a, b"\1\0")], session=b"\4" * 32)
    yield attempt("three layers of one node", [(a, b"\1\0"), (a, b"\1\1\0"), (a, b"\1\0")])
    yield attempt("the most that fits into 1300 bytes", [(a, bytes(1300 - 3 - 32))])
    yield attempt("the same in several layers", [(a, bytes(300)), (b, bytes(400)), (c, bytes(1300 - 700 - 3 * 35))])
    yield attempt("a byte more", [(a, bytes(300)), (b, bytes(400)), (c, bytes(1300 - 700 - 3 * 35 + 1))])
    yield attempt("a byte more, when 1300 bytes are wanted", [(a, bytes(1300 - 3 - 31))], 1300, rule="too-long")
    yield attempt("less, when 32768 bytes are wanted", [(a, b"\1\0"), (b, bytes(2))], 32768)
    yield attempt("more than fits into 32768 bytes", [(a, bytes(20000)), (b, bytes(32768 - 20000 - 2 * 35 + 1))],
                  rule="too-long")
    yield attempt("no layer", [], rule="no-layers")
    yield attempt("a payload of one byte", [(a, b"\1\0"), (b, b"\0")], rule="payload-too-short")
    yield attempt("no payload", [(a, b"")], rule="payload-too-short")


def send_cases():
    def attempt(name, path, last, session=SESSION, size=None, rule=None, source=None):
        contents = [{"type": kind, "value": value.hex()} for kind, value in last if kind >= 64 and kind % 2 == 0]
        given = {"path": path.hex(), "sessionKey": session.hex(), "content": contents[0] if contents else None}
        given["replyPath"] = next((value.hex() for kind, value in last if kind == 2), None)
        given["unknownRecords"] = [stream(field).hex() for field in last if field[0] % 2]
        given |= {"size": size} if size else {}
        return case(name, given, lambda: {"message": send(path, session, last, size).hex()}, rule, source)

    made = attempt("the published message", published_path(), [(1, bytes.fromhex(PUBLISHED["content"]["1"]))],
                   bytes.fromhex(PUBLISHED["sessionKey"]), source=PUBLISHED["source"])
    assert "0201" + made["expect"]["message"] == PUBLISHED["peel"][0]["message"]
    yield made
    one = path_of((DAVE, stream((6, b"\7" * 32))))
    two = path_of((BOB, to(DAVE)), (DAVE, stream((6, b"\7" * 32))))
    back = path_of((CAROL, to(ALICE)), (ALICE, stream((6, b"\x08" * 32))), secret=b"\x62" * 32)
    yield attempt("an invoice request with a way back", two, [(2, back), (64, b"\0\1\7")])
    yield attempt("an invoice", two, [(66, b"\0\1\7")])
    yield attempt("an invoice error", one, [(68, b"\5\2no")])
    yield attempt("nothing but the orders", one, [])
    yield attempt("unknown odd records before, between and behind", one, [(1, b"\1"), (3, b""), (65, b"\2"), (68, b"\5\2no")])
    yield attempt("too long for 1300 bytes", one, [(66, bytes(1230))])
    yield attempt("too long for 1300 bytes, and no more is wanted", one, [(66, bytes(1230))], size=1300, rule="too-long")
    yield attempt("too long for everything", one, [(66, bytes(32768))], rule="too-long")


def peel_cases():
    def attempt(name, key, data, rule=None, source=None):
        given = {"nodeKey": key.hex(), "message": data.hex()}
        return case(name, given, lambda: peel(key, data), rule, source)

    published = []
    for step, following in zip(PUBLISHED["peel"], PUBLISHED["peel"][1:] + [None]):
        data = bytes.fromhex(step["message"])
        assert data[:2] == b"\2\1"
        made = attempt("the published message at " + step["name"], bytes.fromhex(step["nodeKey"]), data[2:],
                       source=PUBLISHED["source"])
        if following:
            assert made["expect"]["next"] == {"nodeID": step["next"]}
            assert "0201" + made["expect"]["message"] == following["message"]
        else:
            assert made["expect"]["pathID"] == "deadbeefbadc0ffeedeadbeefbadc0ffeedeadbeefbadc0ffeedeadbeefbadc0"
        published.append(data[2:])
        yield made
    good = published[0]
    yield attempt("another node", BOB, good, "bad-authentication-code")
    for name, place in (
        ("the first byte of the payloads changed", 35 + 34), ("the last byte of the payloads changed", len(good) - 33),
        ("the last byte of the code changed", len(good) - 1),
    ):
        changed = bytearray(good)
        changed[place] ^= 1
        yield attempt(name, ALICE, bytes(changed), "bad-authentication-code")
    yield attempt("the path key of another message", ALICE, published[1][:33] + good[33:], "bad-authentication-code")
    yield attempt("the public key of another message", ALICE, good[:36] + published[1][36:69] + good[69:],
                  "bad-authentication-code")
    yield attempt("nothing", ALICE, b"", "too-short")
    yield attempt("cut off in the path key", ALICE, good[:32], "too-short")
    yield attempt("cut off in the packet", ALICE, good[:-1], "too-short")
    yield attempt("bytes behind", ALICE, good + b"\1\1\1")
    yield attempt("a packet of 100 bytes", ALICE, message(good[:33], good[35 : 35 + 100]), "too-short")
    yield attempt("a packet of 101 bytes", ALICE, message(good[:33], good[35 : 35 + 101]), "bad-authentication-code")
    yield attempt("version 1", ALICE, good[:35] + b"\1" + good[36:], "unknown-version")
    yield attempt("a public key that is no point", ALICE, good[:36] + BAD_POINT + good[69:], "invalid-public-key")
    yield attempt("a path key that is no point", ALICE, BAD_POINT + good[33:], "invalid-path-key")

    # Packets for Alice alone, or for Alice and then Bob, with whatever payload and orders.
    secret = b"\x63" * 32
    path_key, path_secret = public(secret), shared(secret, public(ALICE))
    blinded = serialize(multiply(
        int.from_bytes(keyed(b"blinded_node_id", path_secret), "big") * int.from_bytes(ALICE, "big")))

    def sealed(orders):
        return seal(keyed(b"rho", path_secret), NONCE, b"", orders)

    def last(name, payload, rule=None):
        return attempt(name, ALICE, message(path_key, build([(blinded, payload)], SESSION)), rule)

    def on_the_way(name, payload, rule=None):
        return attempt(name, ALICE, message(path_key, build([(blinded, payload), (public(BOB), b"\1\0")], SESSION)), rule)

    back = path_of((CAROL, to(BOB)), (BOB, stream((6, b"\x08" * 32))), secret=b"\x62" * 32)
    mine = sealed(stream((6, b"\7" * 32)))
    yield last("an invoice request with a way back", stream((2, back), (4, mine), (64, b"\0\1\7")))
    yield last("an invoice", stream((4, mine), (66, b"\0\1\7")))
    yield last("an invoice error", stream((4, mine), (68, b"\5\2no")))
    yield last("no content", stream((4, mine)))
    yield last("an empty content", stream((4, mine), (64, b"")))
    yield last("no orders", stream((68, b"\5\2no")))
    yield last("no path id", stream((4, sealed(b"")), (68, b"\5\2no")))
    yield last("an empty path id", stream((4, sealed(stream((6, b"")))), (68, b"\5\2no")))
    yield last("odd types that nobody knows", stream((1, b"\1"), (3, b""), (4, mine), (67, b"\2"), (1001, b"\3")))
    for kind in (0, 6, 62, 70, 1000):
        fields = sorted([(4, mine), (kind, b"")])
        yield last(f"unknown even type {kind}", stream(*fields), "unknown-even-type")
    yield last("an invoice request and an invoice error", stream((4, mine), (64, b"\0"), (68, b"\0")), "several-contents")
    yield last("an invoice and an invoice error", stream((4, mine), (66, b"\0"), (68, b"\0")), "several-contents")
    yield last("a reply path of no hops", stream((2, back[:66] + b"\0"), (4, mine)), "invalid-reply-path")
    yield last("a reply path with a byte too much", stream((2, back + b"\0"), (4, mine)), "invalid-reply-path")
    yield last("a type twice", stream((4, mine), (4, mine)), "duplicate")
    yield last("types out of order", stream((64, b"\0"), (4, mine)), "out-of-order")
    yield last("a record cut off", stream((4, mine))[:-1], "truncated")
    yield last("a length that is not minimal", b"\4\xfd\0\2\0\0", "not-minimal")
    yield last("orders for somebody else", stream((4, seal(b"\1" * 32, NONCE, b"", b""))), "undecryptable")
    yield last("orders that are no stream", stream((4, sealed(b"\6\2\0"))), "truncated")
    yield last("orders of an unknown even type", stream((4, sealed(stream((16, b""))))), "unknown-even-type")
    yield last("features at the end", stream((4, sealed(stream((14, b"\1"))))), "unknown-feature")
    yield last("orders at the end that lead on, which the onion does not", stream((4, sealed(to(BOB)))))

    yield on_the_way("a next node", stream((4, sealed(to(BOB)))))
    yield on_the_way("a next node by its channel", stream((4, sealed(stream((2, bytes(7) + b"\5"))))))
    yield on_the_way("a next node by both names", stream((4, sealed(stream((2, bytes(7) + b"\5"), (4, public(BOB)))))))
    yield on_the_way("a next path key of another path", stream((4, sealed(stream((4, public(BOB)), (8, public(DAVE)))))))
    yield on_the_way("orders with odd types that nobody knows", stream((4, sealed(stream((4, public(BOB)), (65539, b"\1"))))))
    yield on_the_way("no orders on the way", b"\1\0", "no-recipient-data")
    yield on_the_way("a reply path on the way", stream((2, back), (4, sealed(to(BOB)))), "further-fields")
    yield on_the_way("a content on the way", stream((4, sealed(to(BOB))), (64, b"\0")), "further-fields")
    yield on_the_way("an odd type on the way", stream((4, sealed(to(BOB))), (5, b"")), "further-fields")
    yield on_the_way("a path id on the way", stream((4, sealed(to(BOB) + stream((6, b"\1"))))), "path-id-before-the-end")
    yield on_the_way("features on the way", stream((4, sealed(to(BOB) + stream((14, b"\2"))))), "unknown-feature")
    yield on_the_way("empty features on the way", stream((4, sealed(to(BOB) + stream((14, b""))))))
    yield on_the_way("nowhere to go", stream((4, sealed(stream((1, b"\0"))))), "no-next-node")
    yield on_the_way("orders on the way for somebody else", stream((4, seal(b"\1" * 32, NONCE, b"", to(BOB)))), "undecryptable")

    # Dummy hops: layers of Alice's own behind the first.
    for count in (1, 3):
        path = path_of(*[(ALICE, to(ALICE))] * count, (ALICE, stream((6, b"\x09" * 32))))
        yield attempt(f"{count} of the node's own layers before the last", ALICE, send(path, SESSION, [(68, b"\5\2no")]))
    path = path_of((ALICE, to(ALICE)), (ALICE, to(BOB)), (BOB, b""))
    yield attempt("an own layer and then another node's", ALICE, send(path, SESSION, [(68, b"\5\2no")]))

    # Payload lengths of all kinds, in packets whose authentication code holds.
    def framed(name, clear, rule):
        packet = build([(blinded, bytes(1265))], SESSION)
        key = shared(SESSION, blinded)
        payloads = xor(keyed(b"rho", key), NONCE, 0, clear + bytes(1300 - len(clear)))
        made = packet[:34] + payloads + keyed(keyed(b"mu", key), payloads)
        return attempt(name, ALICE, message(path_key, made), rule)

    bounds = "payload-out-of-bounds"
    yield framed("a payload of 0 bytes, which was once another format", b"\0", bounds)
    yield framed("a payload of 1 byte", b"\1", bounds)
    yield framed("a payload of 2 bytes", b"\2\1\0", None)
    yield framed("a payload of 1265 bytes, as much as there can be", b"\xfd\x04\xf1" + stream((1, bytes(1261))), None)
    yield framed("a payload of 1266 bytes", b"\xfd\x04\xf2" + stream((1, bytes(1262))), bounds)
    yield framed("a length that has a shorter form", b"\xfd\0\2\1\0", bounds)
    yield framed("a length of 2^64-1", b"\xff" * 9, bounds)
    large = path_of((ALICE, to(BOB)), (BOB, b""))
    yield attempt("a packet of 32768 bytes", ALICE, send(large, SESSION, [(66, bytes(1230))]))


DOCUMENTS = {
    "packet": (packet_cases,
               "Wrap `layers`, from the first node to the last, each with the `blindedNodeID` that it is addressed by and its"
               " `payload`, into an onion_message_packet without associated data: payloads of `size` bytes, or else of the smallest"
               " size that holds them, 1300 or 32768; `sessionKey` is the first ephemeral key. Compare `packet`."),
    "send": (send_cases,
             "Make the onion message over `path`, a blinded path: each node reads its encrypted_recipient_data, and the last one"
             " `content` (the record of that `type`), `replyPath` and `unknownRecords` too. Packets as for `packet`. Compare"
             " `message`, what follows the type 513."),
    "peel": (peel_cases,
             "Be the node with `nodeKey` and take what follows the type 513, `message`. Layers that lead the node to itself are"
             " taken off too. Compare `next` (`nodeID` or `shortChannelID`) and the `message` to send there; or at the end `pathID`,"
             " `replyPath`, `content`, each null for none, and `unknownRecords`, those of odd types."),
}


def files():
    return {
        f"bolt-04/{subject}.json": document(
            "BOLT 4, onion messages", subject, description, SOURCE, list(cases()), PATH_RULES | RULES)
        for subject, (cases, description) in DOCUMENTS.items()
    }


if __name__ == "__main__":
    main(files())
