"""Web Push, and notifications as breez/notify pushes them, over PyPI cryptography."""

import base64
import json

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from refused import Refused, refusing


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# Keys


def p256(scalar):
    return ec.derive_private_key(int(scalar, 16), ec.SECP256R1())


def point(key):
    return key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def vapid(key, contact, endpoint, issuedAt):
    scheme, rest = endpoint.split("://")
    host = rest.split("/")[0]
    origin = f"{scheme}://" + (host[: -len(":443")] if host.endswith(":443") else host)
    claims = {"aud": origin, "exp": issuedAt + 82800, "sub": contact}
    header = {"typ": "JWT", "alg": "ES256"}
    signed = ".".join(b64(compact(part).encode()) for part in (header, claims))
    return {"signedText": signed, "k": b64(point(p256(key)))}


# Web Push


def web_push_keys(agreed, secret, salt, receiver, sender):
    def derive(material, salt, info, count):
        return HKDF(hashes.SHA256(), count, salt, info).derive(material)

    material = derive(agreed, secret, b"WebPush: info\0" + receiver + sender, 32)
    return derive(material, salt, b"Content-Encoding: aes128gcm\0", 16), derive(material, salt, b"Content-Encoding: nonce\0", 12)


def seal(plaintext, publicKey, secret, senderKey, salt):
    text, receiver, sender = bytes.fromhex(plaintext), bytes.fromhex(publicKey), p256(senderKey)
    if len(text) > 3993:
        raise Refused("too-long")
    agreed = sender.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver))
    key, nonce = web_push_keys(agreed, bytes.fromhex(secret), bytes.fromhex(salt), receiver, point(sender))
    header = bytes.fromhex(salt) + (4096).to_bytes(4, "big") + bytes([65]) + point(sender)
    return {"body": (header + AESGCM(key).encrypt(nonce, text + b"\2", None)).hex()}


def open_(body, key, secret):
    data, receiver = bytes.fromhex(body), p256(key)
    if not 102 < len(data) <= 4096 or data[20] != 65:
        raise Refused("authentication")
    sender = data[21:86]
    with refusing("authentication", InvalidTag, ValueError):
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        content, nonce = web_push_keys(
            receiver.exchange(ec.ECDH(), public), bytes.fromhex(secret), data[:16], point(receiver), sender
        )
        text = AESGCM(content).decrypt(nonce, data[86:], None).rstrip(b"\0")
    if text[-1:] != b"\2":
        raise Refused("authentication")
    return {"plaintext": text[:-1].hex()}


# Notifications

TEXT, OPTIONAL, AMOUNT = range(3)
FORMS = [
    ("template", "payment_received", "payment_received", "Incoming payment", [("payment_hash", TEXT)]),
    ("template", "tx_confirmed", "tx_confirmed", "Transaction confirmed", [("tx_id", TEXT)]),
    ("template", "address_txs_confirmed", "address_txs_confirmed", "Address transactions confirmed", [("address", TEXT)]),
    ("template", "lnurlpay_info", "lnurlpay_info", "Receiving payment", [("callback_url", TEXT), ("reply_url", TEXT)]),
    (
        "template", "lnurlpay_invoice", "lnurlpay_invoice", "Invoice requested",
        [("amount", AMOUNT), ("comment", OPTIONAL), ("nostr", OPTIONAL), ("reply_url", TEXT), ("verify_url", OPTIONAL)],
    ),
    ("template", "lnurlpay_verify", "lnurlpay_verify", "Verify payment", [("payment_hash", TEXT), ("reply_url", TEXT)]),
    ("event", "swap.update", "swap_updated", "Swap updated", [("id", TEXT), ("status", TEXT)]),
    ("event", "invoice.request", "invoice_request", "Invoice request", [("invoiceRequest", TEXT), ("offer", TEXT)]),
    ("template", "nwc_event", "nwc_event", "NWC Event Received", [("event", TEXT)]),
]
LIFETIMES = {"lnurlpay_info": 30, "lnurlpay_invoice": 30, "lnurlpay_verify": 30, "invoice_request": 60}


def pushed(members, data):
    payload = {}
    for name, form in members:
        value = data.get(name)
        if form == OPTIONAL and value is None:
            continue
        if form == AMOUNT:
            if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 1 << 64:
                return None
        elif not isinstance(value, str) or (form == TEXT and not value):
            return None
        payload["invoice_request" if name == "invoiceRequest" else name] = value
    return payload


def notify(platform, token, body, appData=None):
    if platform not in ("ios", "android", "web"):
        raise Refused("platform")
    if not 1 <= len(token) <= 4096:
        raise Refused("token")
    with refusing("json", ValueError):
        value = json.loads(body)
    data = value.get("data") if isinstance(value, dict) else None
    for member, name, type_, title, members in FORMS:
        if isinstance(data, dict) and value.get(member) == name and (payload := pushed(members, data)) is not None:
            return pushes(platform, token, type_, title, payload, appData)
    raise Refused("notification")


def pushes(platform, token, type_, title, payload, app_data):
    now, texts = 1_700_000_000, {"notification_type": type_, "notification_payload": compact(payload)}
    if app_data is not None:
        texts["app_data"] = app_data
    life = LIFETIMES.get(type_, 86400)
    alert = {"aps": {"alert": {"title": title}, "mutable-content": 1}}
    message = {"token": token, "data": texts, "android": {"priority": "high", "ttl": f"{life}s"}}
    if platform == "ios":
        headers = {"apns-priority": "10", "apns-push-type": "alert", "apns-expiration": str(now + life)}
        message["apns"] = {"headers": headers, "payload": alert}
    return {
        "type": type_, "lifetime": life, "apns": compact(alert | texts), "fcm": compact({"message": message}),
        "fcmBytes": sum(len(key) + len(text.encode()) for key, text in texts.items()),
    }
