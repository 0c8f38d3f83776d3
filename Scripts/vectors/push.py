#!/usr/bin/env python3
"""Second implementation of Web Push and of notifications as breez/notify pushes them, over PyPI cryptography.

Writes Vectors/push/; --check compares.
"""

import base64
import json

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from luds import Refused, judged
from vector_files import document, main

OWN = "Scripts/vectors/push.py (PyPI cryptography)"


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# Keys


def p256(scalar):
    return ec.derive_private_key(int(scalar, 16), ec.SECP256R1())


def point(key):
    return key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def signed_text(header, claims):
    return b64(compact(header).encode()) + "." + b64(compact(claims).encode())


def vapid(key, contact, endpoint, issuedAt):
    scheme, rest = endpoint.split("://")
    host = rest.split("/")[0]
    origin = f"{scheme}://" + (host[: -len(":443")] if host.endswith(":443") else host)
    claims = {"aud": origin, "exp": issuedAt + 82800, "sub": contact}
    return {"signedText": signed_text({"typ": "JWT", "alg": "ES256"}, claims), "k": b64(point(p256(key)))}


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
    try:
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        content, nonce = web_push_keys(
            receiver.exchange(ec.ECDH(), public), bytes.fromhex(secret), data[:16], point(receiver), sender
        )
        text = AESGCM(content).decrypt(nonce, data[86:], None).rstrip(b"\0")
    except (InvalidTag, ValueError):
        raise Refused("authentication") from None
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
    try:
        value = json.loads(body)
    except ValueError:
        raise Refused("json") from None
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


# Cases

KEY_6979 = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
KEY_7515 = unb64("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI").hex()
SENDER = unb64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw").hex()
RECEIVER = unb64("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94").hex()
AUTH, SALT = unb64("BTBZMqHH6r4Tts7J_aSIgg").hex(), unb64("DGv6ra1nlYgDCS1FRnbzlw").hex()
MELON = b"When I grow up, I want to be a watermelon".hex()


def published():
    """RFC 8291, section 5: what the standard gives must come of this implementation too."""
    body = (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    assert seal(MELON, point(p256(RECEIVER)).hex(), AUTH, SENDER, SALT)["body"] == unb64(body).hex()


def vapids():
    for name, endpoint in [
        ("a path", "https://push.example.net/send/abc"), ("a port", "https://push.example.net:8443/x"),
        ("the default port", "https://push.example.net:443/x"),
    ]:
        yield f"an endpoint with {name}", {
            "key": KEY_7515, "contact": "mailto:push@example.com", "endpoint": endpoint, "issuedAt": 1_699_963_200,
        }, None


def sealed():
    receiver = point(p256(RECEIVER)).hex()
    given = {"publicKey": receiver, "secret": AUTH, "senderKey": SENDER, "salt": SALT}
    yield "RFC 8291, section 5", {"plaintext": MELON} | given, None
    yield "an empty text", {"plaintext": ""} | given, None
    yield "the longest text", {"plaintext": "61" * 3993} | given, None
    yield "one byte more", {"plaintext": "61" * 3994} | given, "too-long"
    other = {"publicKey": point(p256(KEY_6979)).hex(), "secret": "ff" * 16, "senderKey": KEY_7515, "salt": "00" * 16}
    yield "other keys", {"plaintext": MELON} | other, None


def opened():
    receiver = point(p256(RECEIVER)).hex()
    body = seal(MELON, receiver, AUTH, SENDER, SALT)["body"]
    given = {"key": RECEIVER, "secret": AUTH}
    yield "RFC 8291, section 5", {"body": body} | given, None
    key, nonce = web_push_keys(
        p256(SENDER).exchange(ec.ECDH(), p256(RECEIVER).public_key()), bytes.fromhex(AUTH), bytes.fromhex(SALT),
        bytes.fromhex(receiver), point(p256(SENDER)),
    )

    def body_of(plaintext):
        return body[:172] + AESGCM(key).encrypt(nonce, plaintext, None).hex()

    yield "padding", {"body": body_of(b"text\2\0\0\0")} | given, None
    yield "a record that is not the last", {"body": body_of(b"text\1")} | given, "authentication"
    yield "no delimiter", {"body": body_of(b"text")} | given, "authentication"
    yield "only zeros", {"body": body_of(b"\0\0")} | given, "authentication"
    yield "another secret", {"body": body, "key": RECEIVER, "secret": "00" * 16}, "authentication"
    yield "another key", {"body": body, "key": KEY_6979, "secret": AUTH}, "authentication"
    yield "a bit changed", {"body": body[:-1] + ("0" if body[-1] != "0" else "1")} | given, "authentication"
    yield "a header alone", {"body": body[:172]} | given, "authentication"
    yield "another length of the key", {"body": body[:40] + "40" + body[42:]} | given, "authentication"
    yield "a point off the curve", {"body": body[:170] + "00" + body[172:]} | given, "authentication"


def notifications():
    def given(body, platform="ios", token="tok", **more):
        return {"platform": platform, "token": token, "body": body if isinstance(body, str) else compact(body)} | more

    info = {"template": "lnurlpay_info", "data": {"callback_url": "https://a/cb", "reply_url": "https://a/r/1"}}
    invoice = {"amount": 1, "reply_url": "https://a/r/1"}

    def asked(**more):
        return {"template": "lnurlpay_invoice", "data": invoice | more}

    request = {"event": "invoice.request", "data": {"offer": "lno1", "invoiceRequest": "00aa"}}
    simple = {"template": "payment_received", "data": {"payment_hash": "00"}}
    yield "lnurlpay_info with data of the app", given(info, appData="x y"), None
    yield "lnurlpay_info to Android", given(info, "android"), None
    yield "lnurlpay_info to the web", given(info, "web"), None
    yield "lnurlpay_invoice, complete", given(asked(
        amount=(1 << 64) - 1, comment="a&b <c> é", verify_url="https://a/{payment_hash}", nostr='{"k":1}')), None
    yield "an empty comment is kept", given(asked(comment="")), None
    yield "a comment that is null is left out", given(asked(comment=None)), None
    yield "a comment that is a number", given(asked(comment=1)), "notification"
    yield "no amount", given(asked(amount=None)), "notification"
    yield "an amount of 0", given(asked(amount=0)), "notification"
    yield "an amount in a text", given(asked(amount="1")), "notification"
    yield "an amount above 64 bits", given(asked(amount=1 << 64)).copy() | {
        "body": '{"template":"lnurlpay_invoice","data":{"amount":18446744073709551616,"reply_url":"https://a"}}'
    }, "notification"
    yield "further members are dropped", given(asked(zzz=1) | {"q": 2}), None
    yield "lnurlpay_verify", given({"template": "lnurlpay_verify", "data": {"payment_hash": "00ff", "reply_url": "https://a/r/1"}}), None
    yield "swap.update", given({"event": "swap.update", "data": {"id": "abc", "status": "transaction.mempool"}}), None
    yield "swap_updated, as the documentation has it", given({"template": "swap_updated", "data": {"id": "abc", "status": "x"}}), "notification"
    yield "invoice.request", given(request), None
    yield "invoice.request with the name of the push", given({"event": "invoice.request", "data": {"offer": "lno1", "invoice_request": "00aa"}}), "notification"
    yield "payment_received", given(simple), None
    yield "address_txs_confirmed", given({"template": "address_txs_confirmed", "data": {"address": "bc1"}}), None
    yield "tx_confirmed", given({"template": "tx_confirmed", "data": {"tx_id": "t"}}), None
    yield "nwc_event", given({"template": "nwc_event", "data": {"event": "{}"}}), None
    yield "an unknown template", given({"template": "spark_payment_received", "data": {"payment_hash": "00"}}), "notification"
    yield "an unknown template and a known event", given(request | {"template": "x"}), None
    yield "an empty member", given({"template": "tx_confirmed", "data": {"tx_id": ""}}), "notification"
    yield "no data", given({"template": "tx_confirmed"}), "notification"
    yield "an array", given([]), "notification"
    yield "a platform in capitals", given(simple, "IOS"), "platform"
    yield "no platform", given(simple, ""), "platform"
    yield "no token", given(simple, token=""), "token"
    yield "the longest token", given(simple, token="t" * 4096), None
    yield "a token of 4097 bytes", given(simple, token="t" * 4097), "token"
    yield "half a document", given("{"), "json"
    yield "no document", given(""), "json"


def files():
    published()

    def file(subject, description, cases, source=OWN, rules={}):
        return document("Push messages", subject, description, source, cases, rules)

    return {
        "push/vapid.json": file(
            "vapid", "Make the field Authorization of RFC 8292 for messages to `endpoint`, issued at `issuedAt` and valid for 23 hours."
            " The token's signature must be one of the key; compare `signedText`, which is what precedes it, and `k`.",
            judged(vapid, vapids())),
        "push/web-push-seal.json": file(
            "web-push-seal", "Encrypt `plaintext` for a subscription (`publicKey`, `secret`) with the sender's key `senderKey` and"
            " `salt`, in one record of 4096 bytes. Compare `body`.", judged(seal, sealed()), "RFC 8291, section 5; " + OWN,
            {"too-long": "The plaintext has more than 3993 bytes."}),
        "push/web-push-open.json": file(
            "web-push-open", "Decrypt `body` with the receiver's `key` and `secret`. Compare `plaintext`.", judged(open_, opened()),
            "RFC 8291, section 5; " + OWN, {"authentication": "It is not one whole record for this receiver."}),
        "push/notify.json": file(
            "notify", "Read a request to `/api/v1/notify` (`platform`, `token`, `appData`, `body`) of the time 1700000000. Compare"
            " `type`, `lifetime` (seconds), the bodies for APNs (`apns`) and FCM (`fcm`), and what FCM counts (`fcmBytes`); the push"
            " of an invoice request has no reply URL yet.", judged(notify, notifications()), "breez/notify 54b1cdc4; " + OWN,
            {
                "platform": "The platform is not ios, android or web.", "token": "The token is missing or too long.",
                "json": "The body is not JSON.",
                "notification": "The body is no known notification, or a member is missing or malformed.",
            }),
    }


if __name__ == "__main__":
    main(files())
