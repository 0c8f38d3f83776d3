"""BOLT 4's route blinding: reading, orders, blinding, whole paths."""

import hashlib
import hmac

from chacha20poly1305 import open_, seal
from refused import Refused
from secp256k1 import N, agree, multiply, parse, public, serialize
from tlv import parse as records, stream, write_truncated

NONCE = bytes(12)
MILLION = 1_000_000


# Blinding


def product(key, factor):
    return (int.from_bytes(key, "big") * int.from_bytes(factor, "big") % N).to_bytes(32, "big")


def keyed(text, secret):
    return hmac.new(text, secret, hashlib.sha256).digest()


def successor(key, secret):
    """The factor from a key to that of the next node."""
    return hashlib.sha256(key + secret).digest()


def blind(secret, nodes, introduction=None):
    """The path over (node id, orders) as it travels."""
    first, hops = public(secret), []
    for node, data in nodes:
        shared = agree(secret, node)
        factor = int.from_bytes(keyed(b"blinded_node_id", shared), "big")
        hops.append({
            "blindedNodeID": serialize(multiply(factor, parse(node))).hex(),
            "encryptedRecipientData": seal(keyed(b"rho", shared), NONCE, b"", data).hex(),
        })
        secret = product(secret, successor(public(secret), shared))
    return written(introduction or nodes[0][0], first, hops)


def written(introduction, path_key, hops):
    path = introduction + path_key + bytes([len(hops)])
    for hop in hops:
        data = bytes.fromhex(hop["encryptedRecipientData"])
        path += bytes.fromhex(hop["blindedNodeID"]) + len(data).to_bytes(2, "big") + data
    return path


def opened(sealed, shared):
    orders = open_(keyed(b"rho", shared), NONCE, b"", sealed)
    if orders is None:
        raise Refused("undecryptable")
    return orders


def next_path_key(fields, path_key, shared):
    return fields.get(8) or serialize(multiply(int.from_bytes(successor(path_key, shared), "big"), parse(path_key)))


# Orders


def relay(delta, rate, base):
    return delta.to_bytes(2, "big") + rate.to_bytes(4, "big") + write_truncated(base)


def constraints(expiry, least):
    return expiry.to_bytes(4, "big") + write_truncated(least)


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


def next_node(kind, value):
    return {"nodeID": value.hex()} if kind == 4 else {"shortChannelID": int.from_bytes(value, "big")}


def message_step(data, final):
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


def blinded_route(given, ids, fields):
    data = padded(fields) if given["isPadded"] else [stream(*entry) for entry in fields]
    return blind(bytes.fromhex(given["secret"]), list(zip(map(bytes.fromhex, ids), data))).hex()


def message_path(**given):
    route = [(entry["nodeID"], entry.get("outgoingChannel")) for entry in given["relays"]]
    route += [(given["recipient"], None)] * given["dummyHops"]
    ids = [node for node, _ in route] + [given["recipient"]]
    fields = [
        [(2, channel.to_bytes(8, "big"))] if channel is not None else [(4, bytes.fromhex(following))]
        for (_, channel), following in zip(route, ids[1:])
    ]
    fields.append([(6, bytes.fromhex(given["pathID"]))] if given["pathID"] is not None else [])
    return {"path": blinded_route(given, ids, fields)}


def summed(given):
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


def payment_path(**given):
    info = summed(given)
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
    ids = [hop["nodeID"] for hop in given["relays"]] + [given["recipient"]]
    return info | {"payinfo": write_payinfo(info).hex(), "path": blinded_route(given, ids, fields)}


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


def path_at(data, position):
    """The path that starts there, and where it ends."""
    first, _ = taken(data, position, 1)
    if first[0] < 2:
        start, position = taken(data, position, 9)
        introduction = start.hex()
    elif first[0] < 4:
        introduction, position = point(data, position, "invalid-introduction-node")
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
    return {"introduction": introduction, "firstPathKey": path_key, "hops": hops}, position


def read_path(data):
    found, end = path_at(data, 0)
    if end < len(data):
        raise Refused("trailing-bytes")
    return found


PAYINFO = {"feeBase": 4, "feeProportionalMillionths": 4, "cltvExpiryDelta": 2, "htlcMinimum": 8, "htlcMaximum": 8}


def payinfo_at(data, position):
    found = {}
    for name, size in PAYINFO.items():
        value, position = taken(data, position, size)
        found[name] = int.from_bytes(value, "big")
    length, position = taken(data, position, 2)
    features, position = taken(data, position, int.from_bytes(length, "big"))
    return found | {"features": features.hex()}, position


def write_payinfo(info):
    features = bytes.fromhex(info["features"])
    numbers = b"".join(info[name].to_bytes(size, "big") for name, size in PAYINFO.items())
    return numbers + len(features).to_bytes(2, "big") + features


# The files of vectors


def path(path):
    found = read_path(bytes.fromhex(path))
    start = bytes.fromhex(found["introduction"])
    if start[0] < 2:
        introduction = {"shortChannelID": int.from_bytes(start[1:], "big"), "direction": start[0]}
    else:
        introduction = {"nodeID": found["introduction"]}
    again = written(start, bytes.fromhex(found["firstPathKey"]), found["hops"])
    return found | {"introduction": introduction, "path": again.hex()}


def payinfo(payinfo):
    data = bytes.fromhex(payinfo)
    found, end = payinfo_at(data, 0)
    if end < len(data):
        raise Refused("trailing-bytes")
    return found | {"payinfo": write_payinfo(found).hex()}


def blinded(secret, nodes, introduction=None):
    pairs = [(bytes.fromhex(node["nodeID"]), bytes.fromhex(node["data"])) for node in nodes]
    return {"path": blind(bytes.fromhex(secret), pairs, introduction and bytes.fromhex(introduction)).hex()}


def unblinded(nodeKey, pathKey, encryptedRecipientData):
    key, path_key = bytes.fromhex(nodeKey), bytes.fromhex(pathKey)
    shared = agree(key, path_key)
    data = opened(bytes.fromhex(encryptedRecipientData), shared)
    return {
        "blindedKey": product(key, keyed(b"blinded_node_id", shared)).hex(),
        "data": data.hex(),
        "nextPathKey": next_path_key(orders(data), path_key, shared).hex(),
    }


def message_order(data, isFinal):
    return message_step(bytes.fromhex(data), isFinal)


def payment_order(data, isFinal, amount, expiry):
    fields = orders(bytes.fromhex(data))
    if 12 in fields:
        if expiry > int.from_bytes(fields[12][:4], "big"):
            raise Refused("expiry-too-high")
        if amount < int.from_bytes(fields[12][4:], "big"):
            raise Refused("amount-too-low")
    if any(fields.get(14, b"")):
        raise Refused("unknown-feature")
    if 2 in fields and 4 in fields:
        raise Refused("two-next-nodes")
    if isFinal:
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
