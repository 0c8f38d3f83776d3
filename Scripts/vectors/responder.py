"""How notifications are read, over the cipher of PyPI cryptography."""

import base64
import hashlib
import json

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import secp256k1
from refused import Refused, refusing

OTHER_NAMES = {"invoice.request": "invoice_request", "swap.update": "swap_updated"}
IDS = ["event_id", "gcm.message_id", "google.message_id"]


def parsed(text, rule):
    with refusing(rule, ValueError):
        return json.loads(text)


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


def opened(sealed, key, purpose):
    """The object inside an encrypted payload, or None."""
    if key is None or any(not isinstance(sealed.get(name), str) for name in ("cipher", "iv", "tag", "publicKey")):
        return None
    try:
        public = secp256k1.parse(bytes.fromhex(sealed["publicKey"]))
        point = secp256k1.serialize(secp256k1.multiply(int.from_bytes(key, "big"), public))
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
    for kind in ("template", "event"):
        if form.get(name(kind)) is None:
            continue
        wire = text(form[name(kind)], "envelope", 64)
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
