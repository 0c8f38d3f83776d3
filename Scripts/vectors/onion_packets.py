"""BOLT 4's onion messages: packets, sending over a path, peeling."""

from bigsize import encode as bigsize, read as read_bigsize
from blinded_paths import NONCE, keyed, message_step, next_path_key, opened, product, read_path, successor
from chacha20poly1305 import xor
from refused import Refused, refusing
from secp256k1 import agree, multiply, parse, public, serialize
from tlv import parse as records, stream

SIZES = (1300, 32768)
KNOWN = {2, 4, 64, 66, 68}


def xored(one, other):
    return bytes(a ^ b for a, b in zip(one, other))


def key_stream(secret, count):
    return xor(keyed(b"rho", secret), NONCE, 0, bytes(count))


def build(layers, session, size=None):
    """The packet that wraps (blinded node id, payload), as it travels."""
    if not layers:
        raise Refused("no-layers")
    if any(len(payload) < 2 for _, payload in layers):
        raise Refused("payload-too-short")
    framed = [bigsize(len(payload)) + payload for _, payload in layers]
    needed = sum(len(payload) + 32 for payload in framed)
    size = size or next((size for size in SIZES if needed <= size), 0)
    if needed > size:
        raise Refused("too-long")
    key, secrets = session, []
    for node, _ in layers:
        secrets.append(agree(key, node))
        key = product(key, successor(public(key), secrets[-1]))
    # Let the nodes before the last one peel a packet of zeros: what they append is what the last one will find at its end.
    filler = b""
    for secret, payload in zip(secrets[:-1], framed):
        count = len(payload) + 32
        filler = xored(filler + bytes(count), key_stream(secret, size + count)[size - len(filler) :])
    payloads, code = xor(keyed(b"pad", session), NONCE, 0, bytes(size)), bytes(32)
    for number, (secret, payload) in reversed(list(enumerate(zip(secrets, framed)))):
        payloads = xored((payload + code + payloads)[:size], key_stream(secret, size))
        if number == len(layers) - 1 and filler:
            payloads = payloads[: -len(filler)] + filler
        code = keyed(keyed(b"mu", secret), payloads)
    return b"\0" + public(session) + payloads + code


def message(path_key, packet):
    return path_key + len(packet).to_bytes(2, "big") + packet


def send(path, session, last, size=None):
    """The message over a path whose last node reads the fields `last` beside its orders."""
    found = read_path(path)
    layers = []
    for number, hop in enumerate(found["hops"], 1):
        fields = [(4, bytes.fromhex(hop["encryptedRecipientData"]))]
        if number == len(found["hops"]):
            fields = sorted(fields + last)
        layers.append((bytes.fromhex(hop["blindedNodeID"]), stream(*fields)))
    return message(bytes.fromhex(found["firstPathKey"]), build(layers, session, size))


def peel(key, data):
    """What the node with that key does with a message, which begins behind its type."""
    if len(data) < 35 or len(data) < 35 + int.from_bytes(data[33:35], "big"):
        raise Refused("too-short")
    path_key, packet = data[:33], data[35 : 35 + int.from_bytes(data[33:35], "big")]
    if len(packet) < 66 + 35:
        raise Refused("too-short")
    if packet[0] != 0:
        raise Refused("unknown-version")
    public_key, payloads, code = packet[1:34], packet[34:-32], packet[-32:]
    if parse(public_key) is None:
        raise Refused("invalid-public-key")
    if parse(path_key) is None:
        raise Refused("invalid-path-key")
    path_secret = agree(key, path_key)
    secret = agree(product(key, keyed(b"blinded_node_id", path_secret)), public_key)
    if keyed(keyed(b"mu", secret), payloads) != code:
        raise Refused("bad-authentication-code")
    clear = xored(payloads + bytes(len(payloads)), key_stream(secret, 2 * len(payloads)))
    payload, position = framed_payload(clear[: len(payloads)])
    code, position = clear[position : position + 32], position + 32
    following = None
    if any(code):
        factor = int.from_bytes(successor(public_key, secret), "big")
        ephemeral = serialize(multiply(factor, parse(public_key)))
        following = b"\0" + ephemeral + clear[position : position + len(payloads)] + code
    fields, unknown = read_payload(payload)
    if following is None:
        return received(fields, unknown, path_secret)
    if 4 not in fields:
        raise Refused("no-recipient-data")
    if len(fields) > 1 or unknown:
        raise Refused("further-fields")
    orders = opened(fields[4], path_secret)
    result = message_step(orders, False)
    sent = message(next_path_key(dict(records(orders)), path_key, path_secret), following)
    if result["next"] == {"nodeID": public(key).hex()}:
        return peel(key, sent)
    return {"next": result["next"], "message": sent.hex()}


def framed_payload(clear):
    with refusing("payload-out-of-bounds"):
        length, position = read_bigsize(clear, 0)
    if length < 2 or position + length + 32 > len(clear):
        raise Refused("payload-out-of-bounds")
    return clear[position : position + length], position + length


def read_payload(payload):
    fields, unknown = {}, []
    for kind, value in records(payload):
        if kind not in KNOWN:
            if kind % 2 == 0:
                raise Refused("unknown-even-type")
            unknown.append(stream((kind, value)))
            continue
        if kind == 2:
            with refusing("invalid-reply-path"):
                read_path(value)
        if kind > 4 and any(other > 4 for other in fields):
            raise Refused("several-contents")
        fields[kind] = value
    return fields, unknown


def received(fields, unknown, path_secret):
    path_id = None
    if 4 in fields:
        path_id = message_step(opened(fields[4], path_secret), True)["pathID"]
    content = next(({"type": kind, "value": fields[kind].hex()} for kind in (64, 66, 68) if kind in fields), None)
    return {
        "pathID": path_id, "replyPath": fields[2].hex() if 2 in fields else None, "content": content,
        "unknownRecords": [record.hex() for record in unknown],
    }


# The files of vectors


def packet(layers, sessionKey, size=None):
    pairs = [(bytes.fromhex(layer["blindedNodeID"]), bytes.fromhex(layer["payload"])) for layer in layers]
    return {"packet": build(pairs, bytes.fromhex(sessionKey), size).hex()}


def sent(path, sessionKey, content, replyPath, unknownRecords, size=None):
    last = [field for record in unknownRecords for field in records(bytes.fromhex(record))]
    last += [(2, bytes.fromhex(replyPath))] if replyPath is not None else []
    last += [(content["type"], bytes.fromhex(content["value"]))] if content is not None else []
    return {"message": send(bytes.fromhex(path), bytes.fromhex(sessionKey), last, size).hex()}


def peeled(nodeKey, message):
    return peel(bytes.fromhex(nodeKey), bytes.fromhex(message))
