#!/usr/bin/env python3
"""Second implementation of how notifications are read, over the cipher of PyPI cryptography.

Writes Vectors/responder/; --check compares.
"""

import base64
import hashlib
import json
import pathlib

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import secp256k1
from vector_files import Refused, document, main, outcome

OWN = "Scripts/vectors/responder.py (PyPI cryptography)"
WALLET = "the tests of the wallet Bitkit (synonymdev/bitkit-android, CryptoTest.kt)"

PUBLISHED = json.loads(
    (pathlib.Path(__file__).parent / "published" / "notifications.json").read_text(encoding="utf-8"))["notifications"]

CALLBACK = "https://ln.example/lnurlpay/alice/invoice"
REPLY = "https://ln.example/response/17293822569102704640"
VERIFY = "https://ln.example/lnurlpay/alice/{payment_hash}"

OTHER_NAMES = {"invoice.request": "invoice_request", "swap.update": "swap_updated"}
IDS = ["event_id", "gcm.message_id", "google.message_id"]


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def parsed(text, rule):
    try:
        return json.loads(text)
    except ValueError:
        raise Refused(rule) from None


def text(value, scope, longest=2048):
    if value is None:
        raise Refused(f"{scope}-missing")
    if not isinstance(value, str):
        raise Refused(f"{scope}-not-text")
    if not value:
        raise Refused(f"{scope}-empty")
    if len(value.encode()) > longest:
        raise Refused(f"{scope}-too-long")
    return value


def optional(value, longest=2048):
    return None if value is None or value == "" else text(value, "payload", longest)


def hexadecimal(value, longest=2048):
    digits = text(value, "payload", longest)
    if len(digits) % 2 or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
        raise Refused("payload-not-hexadecimal")
    return bytes.fromhex(digits)


def check_payload(kind, payload):
    """Refuses a payload that its type does not allow, and gives the reply URL."""
    if kind == "lnurlpay_info":
        text(payload.get("callback_url"), "payload")
    elif kind == "lnurlpay_invoice":
        amount = payload.get("amount")
        if amount is None:
            raise Refused("payload-missing")
        if type(amount) is not int or not 0 <= amount < 2**64:
            raise Refused("payload-not-whole-number")
        optional(payload.get("comment"), 2**17)
        optional(payload.get("verify_url"))
    elif kind == "lnurlpay_verify":
        text(payload.get("payment_hash"), "payload")
    elif kind == "invoice_request":
        request = payload.get("invoiceRequest")
        hexadecimal(payload.get("invoice_request") if request is None else request, 2 * 65535)
        optional(payload.get("offer"), 2**17)
    elif kind == "swap_updated":
        text(payload.get("id"), "payload", 128)
        text(payload.get("status"), "payload", 128)
    elif kind == "payment_received":
        if len(hexadecimal(payload.get("payment_hash"))) != 32:
            raise Refused("payload-not-hexadecimal")
    elif kind == "address_txs_confirmed":
        text(payload.get("address"), "payload", 128)
    elif kind == "tx_confirmed":
        text(payload.get("tx_id"), "payload", 128)
    reply = payload.get("reply_url")
    if kind in ("lnurlpay_info", "lnurlpay_invoice", "lnurlpay_verify"):
        return text(reply, "payload")
    if kind == "invoice_request":
        return optional(reply)
    return reply if isinstance(reply, str) and len(reply.encode()) <= 2048 else None


def message_id(form):
    for name in IDS:
        if isinstance(form.get(name), str) and 0 < len(form[name].encode()) <= 2048:
            return form[name]
    return None


def agreed(public, secret):
    """The point that both sides agree on, 33 bytes."""
    return secp256k1.serialize(secp256k1.multiply(int.from_bytes(secret, "big"), secp256k1.parse(public)))


def opened(sealed, key, purpose):
    """The object inside an encrypted payload, or None."""
    if key is None or any(not isinstance(sealed.get(name), str) for name in ("cipher", "iv", "tag", "publicKey")):
        return None
    try:
        point = agreed(bytes.fromhex(sealed["publicKey"]), key)
        shared = hashlib.sha256(hashlib.sha256(point + purpose.encode()).digest()).digest()
        nonce, tag = bytes.fromhex(sealed["iv"]), bytes.fromhex(sealed["tag"])
        if not 12 <= len(nonce) <= 16 or len(tag) != 16:
            return None
        cipher = Cipher(algorithms.AES(shared), modes.GCM(nonce, tag)).decryptor()
        plain = cipher.update(base64.b64decode(sealed["cipher"], validate=True)) + cipher.finalize()
        value = json.loads(plain)
    except Exception:
        return None
    return value if isinstance(value, dict) else None


def envelope(form, names, key, purpose, inside=False):
    """(type, payload, envelope, app data, id, closed), or None when there is no envelope."""
    def name(of):
        return names.get(of, of)

    app = form.get(name("app_data"))
    for member, kind in (("template", "template"), ("event", "event")):
        if form.get(name(member)) is None:
            continue
        wire = text(form[name(member)], "envelope", 64)
        data = form.get(name("data"))
        if data is None:
            raise Refused("envelope-missing")
        if not isinstance(data, dict):
            raise Refused("envelope-not-an-object")
        return OTHER_NAMES.get(wire, wire), data, kind, app, message_id(form), False
    try:
        sealed = form["aps"]["alert"]["payload"]
        sealed = sealed if isinstance(sealed, dict) else None
    except (KeyError, TypeError):
        sealed = None
    if form.get(name("notification_type")) is not None:
        wire = text(form[name("notification_type")], "envelope", 64)
        kind = OTHER_NAMES.get(wire, wire)
        if form.get(name("notification_payload")) is None and sealed is not None:
            inner = opened(sealed, key, purpose)
            return kind, inner or {}, "encrypted", app, None, inner is None
        payload = parsed(text(form.get(name("notification_payload")), "envelope", 2**18), "payload-json")
        if not isinstance(payload, dict):
            raise Refused("envelope-not-an-object")
        return kind, payload, "push", app, message_id(form), False
    if not inside and isinstance(form.get(name("body")), dict):
        return envelope(form[name("body")], names, key, purpose, inside=True)
    if sealed is None:
        return None
    inner = opened(sealed, key, purpose)
    closed = "undecipherable", {}, "encrypted", app, None, True
    if inner is None:
        return closed
    try:
        found = envelope(inner, names, key, purpose, inside=True)
    except Refused:
        return closed
    if found is not None and found[2] != "encrypted":
        return found[0], found[1], "encrypted", found[3] if found[3] is not None else app, found[4], False
    wire = inner.get("type")
    if not isinstance(wire, str) or not 0 < len(wire.encode()) <= 64:
        return closed
    payload = inner.get("payload")
    return OTHER_NAMES.get(wire, wire), payload if isinstance(payload, dict) else {}, "encrypted", app, None, False


def read(notification, names=None, key=None, purpose=None):
    if len(notification.encode()) > 2**18:
        raise Refused("too-large")
    form = parsed(notification, "json")
    if not isinstance(form, dict):
        raise Refused("not-an-object")
    found = envelope(form, names or {}, bytes.fromhex(key) if key else None, purpose)
    if found is None:
        raise Refused("unknown-envelope")
    kind, payload, travelled, app, identity, closed = found
    reply = payload.get("reply_url") if closed else check_payload(kind, payload)
    return {
        "type": kind, "envelope": travelled, "payload": payload, "replyURL": reply, "appData": app,
        "messageID": identity or message_id(form), "closed": closed,
    }


# Cases


def template(kind, **data):
    return compact({"template": kind, "data": data})


def event(kind, **data):
    return compact({"event": kind, "data": data})


def push(kind, more=None, **data):
    return compact({"notification_type": kind, "notification_payload": compact(data)} | (more or {}))


def info(**more):
    return dict(callback_url=CALLBACK, reply_url=REPLY) | more


def wish(amount=21000, **more):
    return dict(amount=amount, reply_url=REPLY) | more


RECEIVER, SENDER = b"\x01" * 32, b"\x02" * 32


def sealed(plain, purpose="purpose", nonce=bytes(range(12)), **changes):
    point = agreed(secp256k1.public(RECEIVER), SENDER)
    key = hashlib.sha256(hashlib.sha256(point + purpose.encode()).digest()).digest()
    cipher = Cipher(algorithms.AES(key), modes.GCM(nonce)).encryptor()
    text = cipher.update(plain.encode()) + cipher.finalize()
    return {
        "cipher": base64.b64encode(text).decode(), "iv": nonce.hex(), "tag": cipher.tag.hex(),
        "publicKey": secp256k1.public(SENDER).hex(),
    } | changes


def alert(payload, **more):
    return compact({"aps": {"mutable-content": 1, "alert": {"title": "x", "payload": payload}}} | more)


WHOLE = [
    ("lnurlpay_info", info()), ("lnurlpay_invoice", wish(comment="hi", verify_url=VERIFY, nostr="{}")),
    ("lnurlpay_verify", dict(payment_hash="ab" * 32, reply_url=REPLY)),
    ("invoice_request", dict(offer="lno1x", invoice_request="00ff", reply_url=REPLY)),
    ("invoice.request", dict(offer="lno1x", invoiceRequest="00FF")),
    ("swap_updated", dict(id="ab" * 32, status="transaction.mempool")),
    ("swap.update", dict(id="x", status="swap.dreamt")),
    ("payment_received", dict(payment_hash="ab" * 32)), ("address_txs_confirmed", dict(address="bc1q")),
    ("tx_confirmed", dict(tx_id="00")), ("incomingHtlc", dict(any=[1])), ("nwc_event", dict(event="{}")),
]


def read_cases():
    """name, notification, options"""
    for kind, data in WHOLE:
        yield f"{kind} in a template", template(kind, **data), {}
        yield f"{kind} in an event", event(kind, **data), {}
        yield f"{kind} in a push message", push(kind, **data), {}
        yield f"{kind} in a push message inside body", compact({"body": json.loads(push(kind, **data))}), {}
    for kind, data in WHOLE[:10]:
        for member in data:
            if member == "nostr":
                continue
            for label, value in (
                ("missing", ...), ("null", None), ("an empty text", ""), ("a number", 7), ("negative", -1),
                ("2^64-1", 2**64 - 1), ("true", True), ("an object", {}), ("a number in a text", "7"),
            ):
                changed = {key: other for key, other in data.items() if key != member}
                if value is not ...:
                    changed[member] = value
                yield f"{kind}, {member} is {label}", template(kind, **changed), {}
    for amount in ("1.0", "1e3", "18446744073709551616"):
        yield f"an amount of {amount}", '{"template":"lnurlpay_invoice","data":{"amount":%s,"reply_url":"%s"}}' % (
            amount, REPLY), {}
    for digits in ("0", "0g", "lnr1qq"):
        yield f"an invoice request of {digits}", event("invoice.request", invoiceRequest=digits), {}
    yield "a payment hash of 31 bytes where a payment is waited for", template("payment_received", payment_hash="ab" * 31), {}
    yield "any text as payment hash where one is asked about", template(
        "lnurlpay_verify", payment_hash="recover", reply_url=REPLY), {}
    yield "unknown members everywhere", compact(
        {"x": 1, "template": "lnurlpay_info", "data": info(y=[None]), "z": {}}), {}
    yield "a template and an event, of which the template counts", compact(
        {"event": "swap.update", "template": "lnurlpay_info", "data": info()}), {}
    yield "a template of null and an event", compact({"template": None, "event": "lnurlpay_info", "data": info()}), {}
    for app in ("text", 7, {"a": [1]}, False, None):
        yield f"app data: {compact(app)}", push("lnurlpay_info", {"app_data": app}, **info()), {}
    for name in IDS:
        yield f"an id in {name}", push("lnurlpay_info", {name: "m1"}, **info()), {}
    yield "an id that is a number", push("lnurlpay_info", {"event_id": 7}, **info()), {}
    for label, broken in (
        ("nothing", ""), ("half an object", "{"), ("an array", "[]"), ("a number", "7"), ("null", "null"),
        ("an empty object", "{}"), ("data alone", '{"data":{}}'), ("a body in a body", '{"body":{"body":{}}}'),
        ("a template that is a number", '{"template":7,"data":{}}'), ("an empty template", '{"template":"","data":{}}'),
        ("a template of 65 bytes", '{"template":"%s","data":{}}' % ("t" * 65)), ("no data", '{"template":"x"}'),
        ("data of null", '{"event":"x","data":null}'), ("data in a text", '{"event":"x","data":"{}"}'),
        ("no payload", '{"notification_type":"x"}'), ("a payload of null", '{"notification_type":"x","notification_payload":null}'),
        ("a payload that is an object", '{"notification_type":"x","notification_payload":{}}'),
        ("a payload that is no JSON", '{"notification_type":"x","notification_payload":"{"}'),
        ("a payload that is an array", '{"notification_type":"x","notification_payload":"[]"}'),
    ):
        yield label, broken, {}
    yield "a reply URL of 2049 bytes", template("lnurlpay_info", **info(reply_url="https://x.example/" + "x" * 2031)), {}
    names = {"template": "kind", "data": "body"}
    yield "other names", compact({"kind": "lnurlpay_info", "body": info()}), {"names": names}
    yield "the usual names where others are agreed", template("lnurlpay_info", **info()), {"names": names}
    key = {"key": RECEIVER.hex(), "purpose": "purpose"}
    inner = compact({"type": "lnurlpay_info", "payload": info()})
    yield "encrypted, type and payload", alert(sealed(inner)), key
    yield "encrypted, type alone", alert(sealed('{"type":"mutualClose"}'), app_data="a"), key
    yield "encrypted, a template", alert(sealed(template("lnurlpay_info", **info()))), key
    yield "encrypted, a push message", alert(sealed(push("lnurlpay_info", {"app_data": "in"}, **info())), app_data="out"), key
    yield "encrypted, the payload of the type outside", alert(sealed(compact(info())), notification_type="lnurlpay_info"), key
    yield "encrypted, a nonce of 16 bytes", alert(sealed(inner, nonce=bytes(range(16)))), key
    yield "encrypted, a nonce of 11 bytes", alert(sealed(inner, iv="00" * 11)), key
    yield "encrypted, inside body", compact({"body": json.loads(alert(sealed(inner)))}), key
    yield "encrypted, without a key", alert(sealed(inner)), {}
    yield "encrypted, the type outside, without a key", alert(sealed(compact(info())), notification_type="lnurlpay_info"), {}
    yield "encrypted for another purpose", alert(sealed(inner, purpose="other")), key
    yield "encrypted, another tag", alert(sealed(inner, tag="00" * 16)), key
    yield "encrypted, a sender that is no point", alert(sealed(inner, publicKey="02" + "00" * 31 + "05")), key
    yield "encrypted, no cipher", alert(sealed(inner, cipher=None)), key
    yield "encrypted, a cipher that is not base64", alert(sealed(inner, cipher="?")), key
    for plain in ("x", "[]", "{}", '{"type":7}', '{"template":7,"data":{}}'):
        yield f"encrypted: {plain}", alert(sealed(plain)), key
    yield "encrypted for a wallet that is out there", alert({
        "cipher": "l2fInfyw64gO12odo8iipISloQJ45Rc4WjFmpe95brdaAMDq+T/L9ZChcmMCXnR0J6BXd8sSIJe/0bmby8uSZZJuVCzwF76X"
                  "HfY5oq0Y1/hKzyZTn8nG3dqfiLHnAPy1tZFQfm5ALgjwWnViYJLXoGFpXs7kLMA=",
        "iv": "2b8ed77fd2198e3ed88cfaa794a246e8", "tag": "caddd13746d6a6aed16176734964d3a3",
        "publicKey": "031e9923e689a181a803486b7d8c0d4a5aad360edb70c8bb413a98458d91652213",
    }), {"key": "cc74b1a4fdcd35916c766d3318c5a93b7e33a36ebeff0463128bf284975c2680", "purpose": "bitkit-notifications"}


RULES = {
    "too-large": "More than 262,144 bytes.",
    "json": "The notification is no JSON text.",
    "not-an-object": "The notification is no JSON object.",
    "unknown-envelope": "The notification has the members of no envelope.",
    "payload-json": "The payload of a push message is no JSON text.",
} | {
    f"{scope}-{rule}": f"A member of the {scope} {explanation}"
    for scope in ("envelope", "payload")
    for rule, explanation in {
        "missing": "is not there, or null.", "not-text": "is no text.", "empty": "is an empty text.",
        "too-long": "has too many bytes: 64 in a type, 128 in an id, address or status, 2048 in a URL.",
        "not-an-object": "is no object.", "not-whole-number": "is no integer from 0 to 2^64-1, written as a number.",
        "not-hexadecimal": "is not hexadecimal, or has too many or too few bytes.",
    }.items()
}


def read_document():
    cases = []
    recorded = [(entry["name"], entry["notification"], {}, entry["source"]) for entry in PUBLISHED]
    for name, notification, options, source in recorded + [(*case, None) for case in read_cases()]:
        source = WALLET if "out there" in name else source
        made = {"name": name, "input": {"notification": notification} | options} | ({"source": source} if source else {})
        cases.append(outcome(made, lambda: read(notification, **options)))
    return document(
        "Notifications", "read",
        "Read `notification`, with the names of `names` in place of the usual ones, and open it with `key` for `purpose` "
        "when it is encrypted. Compare the type, the envelope, the payload, where the answer goes, the app's own data and "
        "the sender's id, null for what is not there, and whether it stayed closed.",
        OWN, cases, RULES)


if __name__ == "__main__":
    main({"responder/read.json": read_document()})
