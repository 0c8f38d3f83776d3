"""Second implementation of BOLT 4's route blinding, for the vector scripts: reading, orders, blinding, whole paths."""

import hashlib
import hmac

from bigsize import encode as bigsize
from chacha20poly1305 import open_, seal
from secp256k1 import N, multiply, parse, serialize
from tlv import parse as records
from vector_files import Refused

NONCE = bytes(12)
MILLION = 1_000_000
RULES = {
    "truncated": "A field ends before its value does.",
    "trailing-bytes": "Bytes follow where the value ends.",
    "not-minimal": "A type or a length has a shorter form.",
    "out-of-order": "A record's type is lower than the one before.",
    "duplicate": "A record's type is that of the one before.",
    "invalid-introduction-node": "first_node_id starts with none of 00 to 03, or is no point.",
    "invalid-first-path-key": "first_path_key is no point.",
    "no-hops": "num_hops is 0.",
    "invalid-blinded-node-id": "A blinded_node_id is no point.",
    "undecryptable": "The tag is not that of this node, path key and text.",
    "unknown-even-type": "A record of an even type that BOLT 4 does not list.",
    "invalid-value": "A known record whose value is not of its form.",
    "expiry-too-high": "The HTLC expires above payment_constraints.max_cltv_expiry.",
    "amount-too-low": "The amount is below payment_constraints.htlc_minimum_msat.",
    "unknown-feature": "allowed_features has a bit; none is known, and odd ones count too.",
    "two-next-nodes": "Both short_channel_id and next_node_id are there.",
    "no-next-node": "Not the final node, and neither short_channel_id nor next_node_id.",
    "no-payment-relay": "Not the final node, and no payment_relay.",
    "amount-below-fee": "The amount does not cover fee_base_msat.",
    "expiry-below-delta": "The HTLC expires before cltv_expiry_delta blocks.",
    "path-id-before-the-end": "Not the final node, and a path_id.",
    "fee-too-large": "The fees of all hops together do not fit into 32 bits.",
    "cltv-expiry-delta-too-large": "The blocks of all hops together do not fit into 16 bits.",
    "max-cltv-expiry-too-large": "A max_cltv_expiry does not fit into 32 bits.",
    "maximum-below-minimum": "The most that can arrive is less than the least that may be sent.",
}


def public(key):
    return serialize(multiply(int.from_bytes(key, "big")))


# Blinding


def product(key, factor):
    return (int.from_bytes(key, "big") * int.from_bytes(factor, "big") % N).to_bytes(32, "big")


def keyed(text, secret):
    return hmac.new(text, secret, hashlib.sha256).digest()


def shared(key, point):
    return hashlib.sha256(serialize(multiply(int.from_bytes(key, "big"), parse(point)))).digest()


def blind(secret, nodes, introduction=None):
    """The path over (node id, orders) as it travels, and for each hop what went into it."""
    first, hops = public(secret), []
    for node, data in nodes:
        path_key, ss = public(secret), shared(secret, node)
        factor = int.from_bytes(keyed(b"blinded_node_id", ss), "big")
        hops.append({
            "pathKey": path_key.hex(), "sharedSecret": ss.hex(), "rho": keyed(b"rho", ss).hex(),
            "blindedNodeID": serialize(multiply(factor, parse(node))).hex(),
            "encryptedRecipientData": seal(keyed(b"rho", ss), NONCE, b"", data).hex(),
        })
        secret = product(secret, hashlib.sha256(path_key + ss).digest())
    return written(introduction or nodes[0][0], first, hops), hops


def written(introduction, path_key, hops):
    path = introduction + path_key + bytes([len(hops)])
    for hop in hops:
        data = bytes.fromhex(hop["encryptedRecipientData"])
        path += bytes.fromhex(hop["blindedNodeID"]) + len(data).to_bytes(2, "big") + data
    return path


# Orders


def truncated(value):
    return value.to_bytes((value.bit_length() + 7) // 8, "big")


def relay(delta, rate, base):
    return delta.to_bytes(2, "big") + rate.to_bytes(4, "big") + truncated(base)


def constraints(expiry, least):
    return expiry.to_bytes(4, "big") + truncated(least)


def stream(*fields):
    return b"".join(bigsize(kind) + bigsize(len(value)) + value for kind, value in fields)


def from_names(tlvs):
    """The stream of orders that the specification's files give by their names."""
    fields = []
    if "padding" in tlvs:
        fields.append((1, bytes.fromhex(tlvs["padding"])))
    if "short_channel_id" in tlvs:
        block, index, output = map(int, tlvs["short_channel_id"].split("x"))
        fields.append((2, (block << 40 | index << 16 | output).to_bytes(8, "big")))
    if "path_id" in tlvs:
        fields.append((6, bytes.fromhex(tlvs["path_id"])))
    if "next_path_key_override" in tlvs:
        fields.append((8, bytes.fromhex(tlvs["next_path_key_override"])))
    if "payment_relay" in tlvs:
        terms = tlvs["payment_relay"]
        fields.append((10, relay(
            terms["cltv_expiry_delta"], terms["fee_proportional_millionths"], terms.get("fee_base_msat", 0))))
    limits = tlvs["payment_constraints"]
    fields.append((12, constraints(limits["max_cltv_expiry"], limits["htlc_minimum_msat"])))
    assert tlvs["allowed_features"]["features"] == []
    return stream(*fields, (14, b""))


def orders(data):
    """The known fields of a stream by type; refuses what a node must refuse."""
    fields = {}
    for kind, value in records(data):
        if kind in (4, 8):
            good = parse(value) is not None
        elif kind == 2:
            good = len(value) == 8
        elif kind in (10, 12):
            head, width = (6, 4) if kind == 10 else (4, 8)
            good = head <= len(value) <= head + width and value[head : head + 1] != b"\0"
        elif kind in (1, 6, 14):
            good = True
        elif kind % 2 == 0:
            raise Refused("unknown-even-type")
        else:
            continue
        if not good:
            raise Refused("invalid-value")
        fields[kind] = value
    return fields


def unblind(node_key, path_key, encrypted):
    ss = shared(node_key, path_key)
    data = open_(keyed(b"rho", ss), NONCE, b"", encrypted)
    if data is None:
        raise Refused("undecryptable")
    fields = orders(data)
    factor = hashlib.sha256(path_key + ss).digest()
    following = fields.get(8) or serialize(multiply(int.from_bytes(factor, "big"), parse(path_key)))
    return {
        "blindedKey": product(node_key, keyed(b"blinded_node_id", ss)).hex(),
        "data": data.hex(),
        "nextPathKey": following.hex(),
    }


def next_node(kind, value):
    return {"nodeID": value.hex()} if kind == 4 else {"shortChannelID": int.from_bytes(value, "big")}


def message_order(data, final):
    fields = orders(data)
    if any(fields.get(14, b"")):
        raise Refused("unknown-feature")
    if final:
        return {"pathID": fields[6].hex() if 6 in fields else None}
    if 6 in fields:
        raise Refused("path-id-before-the-end")
    for kind in (4, 2):
        if kind in fields:
            return {"next": next_node(kind, fields[kind])}
    raise Refused("no-next-node")


def payment_order(data, final, amount, expiry):
    fields = orders(data)
    if 12 in fields:
        if expiry > int.from_bytes(fields[12][:4], "big"):
            raise Refused("expiry-too-high")
        if amount < int.from_bytes(fields[12][4:], "big"):
            raise Refused("amount-too-low")
    if any(fields.get(14, b"")):
        raise Refused("unknown-feature")
    if 2 in fields and 4 in fields:
        raise Refused("two-next-nodes")
    if final:
        return {"pathID": fields[6].hex() if 6 in fields else None}
    if 2 not in fields and 4 not in fields:
        raise Refused("no-next-node")
    if 10 not in fields:
        raise Refused("no-payment-relay")
    delta, rate, base = (int.from_bytes(part, "big") for part in (fields[10][:2], fields[10][2:6], fields[10][6:]))
    if amount < base:
        raise Refused("amount-below-fee")
    if expiry < delta:
        raise Refused("expiry-below-delta")
    kind = 2 if 2 in fields else 4
    forwarded = ((amount - base) * MILLION + MILLION + rate - 1) // (MILLION + rate)
    return {"next": next_node(kind, fields[kind]), "amount": forwarded, "expiry": expiry - delta}


# Whole paths


def padded(all_fields):
    """The streams, each with as much padding as makes all equally long."""
    bare = [stream(*fields) for fields in all_fields]
    total = max(map(len, bare))
    while True:
        result = []
        for fields, data in zip(all_fields, bare):
            options = [data] + [stream((1, bytes(count)), *fields) for count in range(total - len(data))]
            result += [option for option in options if len(option) == total][:1]
        if len(result) == len(bare):
            return result
        total += 1


def message_path(given):
    route = [(entry["nodeID"], entry.get("outgoingChannel")) for entry in given["relays"]]
    route += [(given["recipient"], None)] * given["dummyHops"]
    ids = [node for node, _ in route] + [given["recipient"]]
    fields = [
        [(2, channel.to_bytes(8, "big"))] if channel is not None else [(4, bytes.fromhex(following))]
        for (_, channel), following in zip(route, ids[1:])
    ]
    fields.append([(6, bytes.fromhex(given["pathID"]))] if given["pathID"] is not None else [])
    data = padded(fields) if given["isPadded"] else [stream(*entry) for entry in fields]
    nodes = list(zip((bytes.fromhex(node) for node in ids), data))
    return {"path": blind(bytes.fromhex(given["secret"]), nodes)[0].hex()}


def payinfo(given):
    """Fees from the recipient to the introduction node; bounds of what arrives."""
    base = rate = 0
    delta, least, most = given["minFinalCLTVExpiryDelta"], given["htlcMinimum"], given["htlcMaximum"]
    for hop in reversed(given["relays"]):
        own_base, own_rate = hop["feeBase"], hop["feeProportionalMillionths"]
        base = -(-(own_base * MILLION + base * (MILLION + own_rate)) // MILLION)
        rate = -(-((rate + own_rate) * MILLION + rate * own_rate) // MILLION)
        if base >= 2**32 or rate >= 2**32:
            raise Refused("fee-too-large")
        delta += hop["cltvExpiryDelta"]
        least = max(least, hop["htlcMinimum"])
        # The most that may come in here so that the next hop gets no more than it may.
        most = min(hop["htlcMaximum"], own_base + most * (MILLION + own_rate) // MILLION)
    most = max(0, most - base) * MILLION // (MILLION + rate)
    if delta >= 2**16:
        raise Refused("cltv-expiry-delta-too-large")
    if most < least:
        raise Refused("maximum-below-minimum")
    return {
        "feeBase": base, "feeProportionalMillionths": rate, "cltvExpiryDelta": delta,
        "htlcMinimum": least, "htlcMaximum": most, "features": "",
    }


def payinfo_bytes(info):
    features = bytes.fromhex(info["features"])
    return (
        info["feeBase"].to_bytes(4, "big") + info["feeProportionalMillionths"].to_bytes(4, "big")
        + info["cltvExpiryDelta"].to_bytes(2, "big") + info["htlcMinimum"].to_bytes(8, "big")
        + info["htlcMaximum"].to_bytes(8, "big") + len(features).to_bytes(2, "big") + features
    )


def payment_path(given):
    info = payinfo(given)
    expiry = given["expiryHeight"] + given["minFinalCLTVExpiryDelta"]
    fields = [[(6, bytes.fromhex(given["pathID"])), (12, expiry)]]
    for hop in reversed(given["relays"]):
        expiry += hop["cltvExpiryDelta"]
        following = (
            (2, hop["shortChannelID"].to_bytes(8, "big")) if "shortChannelID" in hop
            else (4, bytes.fromhex(hop["nextNodeID"]))
        )
        terms = relay(hop["cltvExpiryDelta"], hop["feeProportionalMillionths"], hop["feeBase"])
        fields.insert(0, [following, (10, terms), (12, expiry)])
    if expiry >= 2**32:
        raise Refused("max-cltv-expiry-too-large")
    for entry in fields:
        entry[-1] = (12, constraints(entry[-1][1], info["htlcMinimum"]))
    data = padded(fields) if given["isPadded"] else [stream(*entry) for entry in fields]
    ids = [hop["nodeID"] for hop in given["relays"]] + [given["recipient"]]
    nodes = list(zip((bytes.fromhex(node) for node in ids), data))
    return info | {
        "payinfo": payinfo_bytes(info).hex(),
        "path": blind(bytes.fromhex(given["secret"]), nodes)[0].hex(),
    }


# Reading


def taken(data, position, count):
    if position + count > len(data):
        raise Refused("truncated")
    return data[position : position + count], position + count


def point(data, position, rule):
    value, position = taken(data, position, 33)
    if parse(value) is None:
        raise Refused(rule)
    return value.hex(), position


def read_path(data):
    first, _ = taken(data, 0, 1)
    if first[0] < 2:
        channel, position = taken(data, 1, 8)
        start = {"shortChannelID": int.from_bytes(channel, "big"), "direction": first[0]}
    elif first[0] < 4:
        node, position = point(data, 0, "invalid-introduction-node")
        start = {"nodeID": node}
    else:
        raise Refused("invalid-introduction-node")
    path_key, position = point(data, position, "invalid-first-path-key")
    count, position = taken(data, position, 1)
    hops = []
    for _ in range(count[0]):
        node, position = point(data, position, "invalid-blinded-node-id")
        length, position = taken(data, position, 2)
        encrypted, position = taken(data, position, int.from_bytes(length, "big"))
        hops.append({"blindedNodeID": node, "encryptedRecipientData": encrypted.hex()})
    if not hops:
        raise Refused("no-hops")
    if position < len(data):
        raise Refused("trailing-bytes")
    return {"introduction": start, "firstPathKey": path_key, "hops": hops, "path": data.hex()}


def read_payinfo(data):
    if len(data) < 28 or len(data) < 28 + int.from_bytes(data[26:28], "big"):
        raise Refused("truncated")
    if len(data) > 28 + int.from_bytes(data[26:28], "big"):
        raise Refused("trailing-bytes")
    numbers = [int.from_bytes(data[a:b], "big") for a, b in ((0, 4), (4, 8), (8, 10), (10, 18), (18, 26))]
    names = ("feeBase", "feeProportionalMillionths", "cltvExpiryDelta", "htlcMinimum", "htlcMaximum")
    return dict(zip(names, numbers)) | {"features": data[28:].hex(), "payinfo": data.hex()}
