#!/usr/bin/env python3
"""Vectors/route-blinding, from the specification's paths (published/route_blinding.json) and cases of our own.
The second implementation is blinded_paths.py; --check compares."""

import json
import pathlib

from blinded_paths import (
    NONCE, RULES, blind, constraints, from_names, keyed, message_order, message_path, payinfo, payinfo_bytes,
    payment_order, payment_path, public, read_path, read_payinfo, relay, seal, shared, stream, unblind,
)
from vector_files import case, document, main

PUBLISHED = json.loads(
    (pathlib.Path(__file__).parent / "published" / "route_blinding.json").read_text(encoding="utf-8")
)
SOURCE = "lightning/bolts 04-onion-routing.md @a377265; the values: Scripts/vectors/blinded_paths.py"
BOB, CAROL, DAVE, EVE = (bytes([0x42 + n]) * 32 for n in range(4))
MOST = 2_100_000_000_000_000_000  # 21 million bitcoin in msat


def blind_cases():
    for route in PUBLISHED["routes"]:
        nodes = [(bytes.fromhex(node["nodeID"]), bytes.fromhex(node["data"])) for node in route["nodes"]]
        path, hops = blind(bytes.fromhex(route["secret"]), nodes)
        for hop, node in zip(hops, route["nodes"]):
            assert all(hop[key] == node[key] for key in hop), route["name"]
        given = {"secret": route["secret"], "nodes": [{"nodeID": n["nodeID"], "data": n["data"]} for n in route["nodes"]]}
        yield case(route["name"], given, lambda: {"path": path.hex()}, source=route["source"])
    # The payment onion's path consists of two, made with the secrets of the first two published ones.
    hops = PUBLISHED["payment"]["hops"]
    for secret, pair in ((b"\2" * 32, hops[:2]), (b"\1" * 32, hops[2:])):
        nodes = [(bytes.fromhex(hop["nodeID"]), from_names(hop["tlvs"])) for hop in pair]
        path, made = blind(secret, nodes)
        for hop, found in zip(pair, made):
            assert found["encryptedRecipientData"] == hop["encryptedRecipientData"], hop
            assert found["blindedNodeID"] == hop["blindedNodeID"], hop
        given = {"secret": secret.hex(), "nodes": [{"nodeID": n.hex(), "data": d.hex()} for n, d in nodes]}
        yield case(f"half of a payment's path, by {secret[0]}", given, lambda: {"path": path.hex()},
                   source=PUBLISHED["payment"]["source"])
    channel = bytes([1]) + (42 << 40 | 7 << 16 | 3).to_bytes(8, "big")
    for name, secret, start, nodes in (
        ("one hop, the recipient is the introduction", b"\x77" * 32, None, [(public(EVE), stream((6, b"\1" * 32)))]),
        ("no order at all", b"\x77" * 32, None, [(public(EVE), b"")]),
        ("introduced by a channel", b"\x78" * 32, channel,
         [(public(BOB), stream((4, public(EVE)))), (public(EVE), stream((6, b"\1" * 32)))]),
        ("the recipient three times", b"\x79" * 32, None,
         [(public(EVE), stream((4, public(EVE))))] * 2 + [(public(EVE), stream((6, b"\1")))]),
        ("a secret whose point has an odd y", b"\x12" * 32, None, [(public(EVE), stream((1, bytes(300)), (6, b"\1")))]),
    ):
        given = {"secret": secret.hex(), "nodes": [{"nodeID": n.hex(), "data": d.hex()} for n, d in nodes]}
        if start:
            given["introduction"] = start.hex()
        yield case(name, given, lambda: {"path": blind(secret, nodes, start)[0].hex()})


def unblind_cases():
    encrypted = {n["pathKey"]: n["encryptedRecipientData"] for r in PUBLISHED["routes"] for n in r["nodes"]}
    for hop in PUBLISHED["unblind"]:
        found = next(e for e in (
            n["encryptedRecipientData"] for r in PUBLISHED["routes"][:2] for n in r["nodes"]
            if n["pathKey"] == hop["pathKey"]))
        given = {"nodeKey": hop["nodeKey"], "pathKey": hop["pathKey"], "encryptedRecipientData": found}
        result = unblind(*(bytes.fromhex(value) for value in given.values()))
        assert result == {key: hop[key] for key in result}, hop["name"]
        yield case(hop["name"] + " of the published path", given, lambda: result,
                   source=PUBLISHED["routes"][0]["source"])
    good = bytes.fromhex(encrypted[PUBLISHED["unblind"][3]["pathKey"]])
    path_key = bytes.fromhex(PUBLISHED["unblind"][3]["pathKey"])

    def made(name, data, rule=None):
        secret = b"\x33" * 32
        text = seal(keyed(b"rho", shared(secret, public(EVE))), NONCE, b"", data)
        return attempt(name, EVE, public(secret), text, rule)

    def attempt(name, key, point_, text, rule):
        given = {"nodeKey": key.hex(), "pathKey": point_.hex(), "encryptedRecipientData": text.hex()}
        return case(name, given, lambda: unblind(key, point_, text), rule)

    undecryptable = "undecryptable"
    yield attempt("another node", DAVE, path_key, good, undecryptable)
    yield attempt("another path key", EVE, public(b"\5" * 32), good, undecryptable)
    yield attempt("the first byte changed", EVE, path_key, bytes([good[0] ^ 1]) + good[1:], undecryptable)
    yield attempt("the last byte of the tag changed", EVE, path_key, good[:-1] + bytes([good[-1] ^ 1]), undecryptable)
    yield attempt("a byte less", EVE, path_key, good[:-1], undecryptable)
    yield attempt("less than a tag", EVE, path_key, good[:15], undecryptable)
    yield attempt("nothing", EVE, path_key, b"", undecryptable)
    yield made("an empty stream", b"")
    yield made("padding of a byte", stream((1, b"\0")))
    yield made("padding whose length takes three bytes", stream((1, bytes(253))))
    yield made("a path id of nothing", stream((6, b"")))
    yield made("unknown odd types before, between and behind", stream((3, b"\7"), (6, b"\1"), (7, b""), (65539, b"\1\2")))
    yield made("every field", stream(
        (1, b"\0"), (2, bytes(8)), (4, public(BOB)), (6, b"\1"), (8, public(CAROL)), (10, relay(1, 2, 3)),
        (12, constraints(4, 5)), (14, b"")))
    yield made("no fee and no least amount", stream((10, relay(144, 0, 0)), (12, constraints(0, 0))))
    yield made("the highest terms", stream((10, relay(0xFFFF, 2**32 - 1, 2**32 - 1)), (12, constraints(2**32 - 1, 2**64 - 1))))
    yield made("features, which an order may refuse later", stream((14, b"\2\0")))
    yield made("a record cut off", bytes.fromhex("0602aa"), "truncated")
    yield made("a type that is not minimal", bytes.fromhex("fd000600"), "not-minimal")
    yield made("types out of order", stream((6, b"\1"), (2, bytes(8))), "out-of-order")
    yield made("a type twice", stream((6, b"\1"), (6, b"\1")), "duplicate")
    for kind in (0, 16, 66, 1_000_000_000):
        yield made(f"unknown even type {kind}", stream((kind, b"")), "unknown-even-type")
    for name, field in (
        ("a channel of 7 bytes", (2, bytes(7))),
        ("a channel of 9 bytes", (2, bytes(9))),
        ("a next node of 32 bytes", (4, public(BOB)[:-1])),
        ("a next node of 34 bytes", (4, public(BOB) + b"\0")),
        ("a next node that is no point", (4, b"\2" + bytes(31) + b"\5")),
        ("a path key that is no point", (8, b"\4" + public(BOB)[1:])),
        ("a path key of 32 bytes", (8, public(BOB)[1:])),
        ("a relay of 5 bytes", (10, bytes(5))),
        ("a relay whose fee starts with zero", (10, relay(1, 2, 0) + b"\0\1")),
        ("a relay whose fee takes 5 bytes", (10, relay(1, 2, 0) + b"\1" * 5)),
        ("constraints of 3 bytes", (12, bytes(3))),
        ("constraints whose amount starts with zero", (12, bytes(4) + b"\0")),
        ("constraints whose amount takes 9 bytes", (12, bytes(4) + b"\1" * 9)),
    ):
        yield made(name, stream(field), "invalid-value")


SCID = (2, (0x1_0000_0000_0001).to_bytes(8, "big"))


def message_cases():
    for name, fields, final, rule in (
        ("to a node", [(4, public(BOB))], False, None),
        ("by a channel", [SCID], False, None),
        ("to a node, though a channel is named too", [SCID, (4, public(BOB))], False, None),
        ("with empty features", [(4, public(BOB)), (14, b"")], False, None),
        ("with features of zero bits", [(4, public(BOB)), (14, b"\0\0")], False, None),
        ("terms of payments do not matter", [(4, public(BOB)), (10, relay(1, 2, 3)), (12, constraints(4, 5))], False, None),
        ("received with a path id", [(6, b"\1\2")], True, None),
        ("received without one", [], True, None),
        ("received though a next node is named", [(4, public(BOB)), (6, b"\1")], True, None),
        ("an odd feature", [(4, public(BOB)), (14, b"\2")], False, "unknown-feature"),
        ("an even feature at the end", [(6, b"\1"), (14, b"\1\0")], True, "unknown-feature"),
        ("a feature and a path id", [(6, b"\1"), (14, b"\1")], False, "unknown-feature"),
        ("a path id before the end", [(4, public(BOB)), (6, b"\1")], False, "path-id-before-the-end"),
        ("an empty path id before the end", [(4, public(BOB)), (6, b"")], False, "path-id-before-the-end"),
        ("nowhere to go", [(1, bytes(4))], False, "no-next-node"),
    ):
        data = stream(*fields)
        yield case(name, {"data": data.hex(), "isFinal": final}, lambda: message_order(data, final), rule)


def payment_cases():
    amount, expiry = PUBLISHED["payment"]["amount"], PUBLISHED["payment"]["expiry"]
    for hop in PUBLISHED["payment"]["hops"]:
        final, data = "path_id" in hop["tlvs"], from_names(hop["tlvs"])
        given = {"data": data.hex(), "isFinal": final, "amount": amount, "expiry": expiry}
        result = payment_order(data, final, amount, expiry)
        yield case(f"the published path at {amount} msat", given, lambda: result, source=PUBLISHED["payment"]["source"])
        amount, expiry = result.get("amount", amount), result.get("expiry", expiry)
    assert (amount, expiry) == (PUBLISHED["payment"]["finalAmount"], PUBLISHED["payment"]["finalExpiry"])
    terms, limits, last = (10, relay(40, 100, 1000)), (12, constraints(800_000, 5000)), (6, b"\1" * 32)
    free = (12, constraints(2**32 - 1, 0))
    for name, fields, final, sent, height, rule in (
        ("to a node", [(4, public(BOB)), terms, limits], False, 5000, 800_000, None),
        ("without constraints", [SCID, terms], False, 1000, 40, None),
        ("nothing left after the fee", [SCID, terms], False, 1000, 800_000, None),
        ("one above the fee", [SCID, terms], False, 1001, 800_000, None),
        ("2^64-1 msat", [SCID, (10, relay(0, 0, 0)), free], False, 2**64 - 1, 0, None),
        ("2^64-1 msat at the highest terms", [SCID, (10, relay(0xFFFF, 2**32 - 1, 2**32 - 1)), free], False, 2**64 - 1, 2**32 - 1, None),
        ("features of zero bits", [SCID, terms, (14, b"\0")], False, 5000, 800_000, None),
        ("received", [last, limits], True, 5000, 800_000, None),
        ("received without constraints or path id", [], True, 1, 1, None),
        ("received though a next node is named", [SCID, last], True, 1, 1, None),
        ("an expiry one block too high", [SCID, terms, limits], False, 5000, 800_001, "expiry-too-high"),
        ("an expiry one block too high at the end", [last, limits], True, 5000, 800_001, "expiry-too-high"),
        ("an amount one msat too low", [SCID, terms, limits], False, 4999, 800_000, "amount-too-low"),
        ("an amount one msat too low at the end", [last, limits], True, 4999, 800_000, "amount-too-low"),
        ("both expiry and amount wrong", [SCID, terms, limits], False, 4999, 800_001, "expiry-too-high"),
        ("an odd feature", [SCID, terms, limits, (14, b"\x80")], False, 5000, 800_000, "unknown-feature"),
        ("an even feature at the end", [last, (14, b"\1")], True, 5000, 800_000, "unknown-feature"),
        ("two next nodes", [SCID, (4, public(BOB)), terms], False, 5000, 800_000, "two-next-nodes"),
        ("two next nodes at the end", [SCID, (4, public(BOB)), last], True, 5000, 800_000, "two-next-nodes"),
        ("nowhere to go", [terms, limits], False, 5000, 800_000, "no-next-node"),
        ("no terms", [SCID, limits], False, 5000, 800_000, "no-payment-relay"),
        ("an amount one msat below the fee", [SCID, terms], False, 999, 800_000, "amount-below-fee"),
        ("an expiry one block below the delta", [SCID, terms], False, 5000, 39, "expiry-below-delta"),
    ):
        data = stream(*fields)
        given = {"data": data.hex(), "isFinal": final, "amount": sent, "expiry": height}
        yield case(name, given, lambda: payment_order(data, final, sent, height), rule)


def message_path_cases():
    def given(relays=(), path_id="aa" * 32, dummies=0, padded_=True):
        return {
            "recipient": public(EVE).hex(), "relays": list(relays), "pathID": path_id, "dummyHops": dummies,
            "isPadded": padded_, "secret": "5e" * 32,
        }

    bob, carol = {"nodeID": public(BOB).hex()}, {"nodeID": public(CAROL).hex()}
    short = bob | {"outgoingChannel": 0x0A_0000_0000_0001}
    for name, entry in (
        ("one hop", given()),
        ("one hop without a path id", given(path_id=None)),
        ("two hops", given([bob])),
        ("two hops, not padded", given([bob], padded_=False)),
        ("two hops by a channel", given([short])),
        ("two hops by a channel, not padded", given([short], padded_=False)),
        ("three hops, the first by a channel", given([short, carol])),
        ("a dummy hop", given(dummies=1)),
        ("a relay and three dummy hops", given([bob], dummies=3)),
        ("a relay and a dummy hop, not padded", given([bob], dummies=1, padded_=False)),
        ("a path id one byte shorter than the next node: padding takes two at least", given([bob], path_id="bb" * 32)),
        ("a path id as long as the next node", given([bob], path_id="bb" * 33)),
        ("a path id one byte longer than the next node", given([bob], path_id="bb" * 34)),
        ("a gap of 254 bytes", given([bob], path_id="cc" * (33 + 252))),
        ("a gap of 255 bytes, which no padding fills", given([bob], path_id="cc" * (33 + 253))),
        ("a gap of 256 bytes, which no padding fills", given([bob], path_id="cc" * (33 + 254))),
        ("a gap of 257 bytes", given([bob], path_id="cc" * (33 + 255))),
    ):
        yield case(name, entry, lambda: message_path(entry))


def payment_path_cases():
    def hop(key, next_, delta, rate, base, least=1, most=MOST):
        following = {"shortChannelID": next_} if isinstance(next_, int) else {"nextNodeID": next_.hex()}
        return {
            "nodeID": public(key).hex(), **following, "cltvExpiryDelta": delta, "feeProportionalMillionths": rate,
            "feeBase": base, "htlcMinimum": least, "htlcMaximum": most,
        }

    def given(*relays, least=1, most=MOST, final=18, height=800_000, padded_=True):
        return {
            "recipient": public(EVE).hex(), "pathID": "dd" * 32, "relays": list(relays), "expiryHeight": height,
            "minFinalCLTVExpiryDelta": final, "htlcMinimum": least, "htlcMaximum": most, "isPadded": padded_,
            "secret": "5f" * 32,
        }

    published = [
        hop(key, number, terms["cltv_expiry_delta"], terms["fee_proportional_millionths"], terms.get("fee_base_msat", 0),
            least=50)
        for key, number, terms in zip(
            (BOB, CAROL, DAVE), (1, 2, 3), (h["tlvs"]["payment_relay"] for h in PUBLISHED["payment"]["hops"][:3]))
    ]
    info = payinfo(given(*published, final=0))
    expected = PUBLISHED["payment"]["payinfo"]
    assert info["feeBase"] == expected["fee_base_msat"] and info["cltvExpiryDelta"] == expected["cltv_expiry_delta"]
    assert info["feeProportionalMillionths"] == expected["fee_proportional_millionths"]
    two = [hop(BOB, 1, 144, 500, 100), hop(CAROL, 2, 144, 500, 100)]
    most32 = 2**32 - 1
    for name, entry, rule in (
        ("one hop, the recipient is the introduction", given(), None),
        ("one hop, a least and a most amount", given(least=1000, most=5_000_000), None),
        ("two hops by a channel", given(hop(BOB, 0x0B_0000_0000_0001, 34, 10, 1000)), None),
        ("two hops by a node, not padded", given(hop(BOB, public(EVE), 34, 10, 1000), padded_=False), None),
        ("two hops without a fee", given(hop(BOB, 1, 6, 0, 0)), None),
        ("three hops, both fees rounded up", given(*two, final=12), None),
        ("the terms of the published payment", given(*published, final=0, least=50, height=750_000), None),
        ("the largest minimum counts", given(hop(BOB, 1, 6, 0, 5, least=1000), hop(CAROL, 2, 6, 0, 5, least=2000), least=10), None),
        ("the tightest maximum counts, less the fees behind it",
         given(hop(BOB, 1, 6, 100, 7, most=10_000_000), hop(CAROL, 2, 6, 1000, 11, most=9_999_990)), None),
        ("a maximum that the recipient sets", given(hop(BOB, 1, 6, 100, 7, most=10_000_000), most=1_000), None),
        ("a fee of 2^32-1 msat", given(hop(BOB, 1, 6, 0, most32)), None),
        ("a rate of 2^32-1 millionths", given(hop(BOB, 1, 6, most32, 0)), None),
        ("an expiry delta of 2^16-1 blocks", given(hop(BOB, 1, 65_535, 0, 0), final=0), None),
        ("a max_cltv_expiry of 2^32-1", given(hop(BOB, 1, 100, 0, 0), final=20, height=2**32 - 121), None),
        ("a minimum that is the maximum", given(hop(BOB, 1, 6, 0, 0, least=5000, most=5000)), None),
        ("a fee of 2^32 msat", given(hop(BOB, 1, 6, 0, most32), hop(CAROL, 2, 6, 0, 1)), "fee-too-large"),
        ("a rate of 2^32 millionths", given(hop(BOB, 1, 6, most32, 0), hop(CAROL, 2, 6, 1, 0)), "fee-too-large"),
        ("a fee that only its rounding makes too large",
         given(hop(BOB, 1, 6, 1, most32 - 1), hop(CAROL, 2, 6, 0, 1)), "fee-too-large"),
        ("the highest fees twice", given(hop(BOB, 1, 6, most32, most32), hop(CAROL, 2, 6, most32, most32)), "fee-too-large"),
        ("an expiry delta of 2^16 blocks", given(hop(BOB, 1, 65_535, 0, 0), final=1), "cltv-expiry-delta-too-large"),
        ("a maximum below the minimum", given(hop(BOB, 1, 6, 0, 0, least=5000, most=4999)), "maximum-below-minimum"),
        ("a maximum that the fee eats up", given(hop(BOB, 1, 6, 0, 1000, most=1000)), "maximum-below-minimum"),
        ("a max_cltv_expiry of 2^32", given(hop(BOB, 1, 100, 0, 0), final=20, height=2**32 - 120), "max-cltv-expiry-too-large"),
        ("a max_cltv_expiry of 2^32 at the end", given(final=20, height=2**32 - 20), "max-cltv-expiry-too-large"),
    ):
        yield case(name, entry, lambda: payment_path(entry), rule)


def path_cases():
    two, _ = blind(b"\x21" * 32, [(public(BOB), stream((4, public(EVE)))), (public(EVE), stream((6, b"\1")))])
    key, hop = public(CAROL), public(DAVE) + b"\0\3abc"
    channel = (700_000 << 40 | 1234 << 16 | 1).to_bytes(8, "big")
    start = public(BOB)
    bad = b"\2" + bytes(31) + b"\5"  # x = 5 is on no point
    for name, data, rule in (
        ("two hops", two, None),
        ("introduced by node_id_1 of a channel", b"\0" + channel + key + b"\1" + hop, None),
        ("introduced by node_id_2 of a channel", b"\1" + channel + key + b"\1" + hop, None),
        ("a hop with nothing encrypted", start + key + b"\1" + public(DAVE) + b"\0\0", None),
        ("255 hops", start + key + b"\xff" + (public(DAVE) + b"\0\0") * 255, None),
        ("a hop with 256 bytes", start + key + b"\1" + public(DAVE) + b"\1\0" + bytes(256), None),
        ("nothing", b"", "truncated"),
        ("a channel cut off", b"\0" + channel[:-1], "truncated"),
        ("an introduction node cut off", start[:-1], "truncated"),
        ("an introduction node that starts with 04", b"\4" + start[1:] + key + b"\1" + hop, "invalid-introduction-node"),
        ("an introduction node that starts with ff", b"\xff" + start[1:] + key + b"\1" + hop, "invalid-introduction-node"),
        ("an introduction node that is no point", bad + key + b"\1" + hop, "invalid-introduction-node"),
        ("a path key cut off", start + key[:-1], "truncated"),
        ("a path key that is no point", start + bad + b"\1" + hop, "invalid-first-path-key"),
        ("a path key that starts with 04", start + b"\4" + key[1:] + b"\1" + hop, "invalid-first-path-key"),
        ("no count of hops", start + key, "truncated"),
        ("no hops", start + key + b"\0", "no-hops"),
        ("a hop too few", start + key + b"\2" + hop, "truncated"),
        ("a blinded id that is no point", start + key + b"\1" + bad + hop[33:], "invalid-blinded-node-id"),
        ("a second blinded id that is no point", start + key + b"\2" + hop + bad + hop[33:], "invalid-blinded-node-id"),
        ("a length cut off", start + key + b"\1" + public(DAVE) + b"\0", "truncated"),
        ("encrypted data cut off", start + key + b"\1" + hop[:-1], "truncated"),
        ("a byte left over", start + key + b"\1" + hop + b"\0", "trailing-bytes"),
    ):
        yield case(name, {"path": data.hex()}, lambda: read_path(data), rule)


def payinfo_cases():
    info = {
        "feeBase": 1000, "feeProportionalMillionths": 10, "cltvExpiryDelta": 52, "htlcMinimum": 1,
        "htlcMaximum": 5_000_000_000, "features": "",
    }
    good, with_features = payinfo_bytes(info), payinfo_bytes(info | {"features": "0200"})
    highest = b"\xff" * 26 + b"\0\0"
    for name, data, rule in (
        ("no features", good, None),
        ("features", with_features, None),
        ("the highest values", highest, None),
        ("the lowest values", bytes(28), None),
        ("nothing", b"", "truncated"),
        ("27 bytes", good[:-1], "truncated"),
        ("features cut off", with_features[:-1], "truncated"),
        ("a byte left over", good + b"\0", "trailing-bytes"),
    ):
        yield case(name, {"payinfo": data.hex()}, lambda: read_payinfo(data), rule)


DOCUMENTS = {
    "path": (path_cases,
             "Read `path`, one blinded path that fills the bytes. Compare `introduction` (`nodeID`, or `shortChannelID` and"
             " `direction`: 0 for node_id_1), `firstPathKey`, `hops`, and `path`, written again."),
    "payinfo": (payinfo_cases,
                "Read `payinfo`, one blinded_payinfo that fills the bytes. Compare its values, amounts in msat, and `payinfo`,"
                " written again."),
    "blind": (blind_cases,
              "Blind a route: `nodes` from the introduction node to the recipient, each with its real `nodeID` and its"
              " encrypted_data_tlv `data`, with the ephemeral key `secret`; `introduction` is the first_node_id where it is not"
              " the first node's id. Compare `path`."),
    "unblind": (unblind_cases,
                "Be the node with `nodeKey`, reached with `pathKey`, and decrypt `encryptedRecipientData`. Compare `blindedKey`,"
                " the private key of the blinded id, `data`, the encrypted_data_tlv written again from what was read, and"
                " `nextPathKey`."),
    "message-order": (message_cases,
                      "Read the encrypted_data_tlv `data` as that of an onion message; `isFinal` tells whether the onion ends"
                      " here. Compare `next` (`nodeID` or `shortChannelID`), or at the end `pathID`, null for none."),
    "payment-order": (payment_cases,
                      "Read the encrypted_data_tlv `data` as that of an HTLC of `amount` msat and of expiry `expiry`; `isFinal`"
                      " tells whether the onion ends here. Compare `next`, `amount` and `expiry` of the outgoing HTLC, or at the"
                      " end `pathID`, null for none."),
    "message-path": (message_path_cases,
                     "Make a path for onion messages to `recipient` through `relays`, each named to the one before by its id or"
                     " by `outgoingChannel`, then `dummyHops` times the recipient himself with himself as the next node, with"
                     " `pathID` at the end. With `isPadded` all encrypted_data_tlv get the least common length that padding can"
                     " give to all, and the longest gets none where it has that length. Blind it with `secret`; compare `path`."),
    "payment-path": (payment_path_cases,
                     "Make a path for payments to `recipient` through `relays`, with padding and `secret` as for messages. The last"
                     " max_cltv_expiry is `expiryHeight` and `minFinalCLTVExpiryDelta`. Every htlc_minimum_msat is the largest"
                     " minimum. The payinfo's maximum is the most that can arrive from a payer who adds the payinfo's fees, rounded up,"
                     " such that no node gets more than its maximum. Compare `path`, `payinfo` and its values."),
}


def files():
    return {
        f"route-blinding/{subject}.json": document(
            "BOLT 4, route blinding", subject, description, SOURCE, list(cases()), RULES)
        for subject, (cases, description) in DOCUMENTS.items()
    }


if __name__ == "__main__":
    main(files())
