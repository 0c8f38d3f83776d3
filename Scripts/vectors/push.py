#!/usr/bin/env python3
"""Second implementation of push messages and their credentials, over PyPI cryptography. Writes Vectors/push/; --check compares."""

import base64
import hashlib
import hmac
import json

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
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


# Keys and signatures


def p256(scalar):
    return ec.derive_private_key(int(scalar, 16), ec.SECP256R1())


def point(key):
    return key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def raw_signature(key, text):
    r, s = utils.decode_dss_signature(key.sign(text, ec.ECDSA(hashes.SHA256(), deterministic_signing=True)))
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def token(header, claims, sign):
    text = b64(compact(header).encode()) + "." + b64(compact(claims).encode())
    return text + "." + b64(sign(text.encode()))


def es256(key, text):
    return {"signature": raw_signature(p256(key), text.encode()).hex(), "publicKey": point(p256(key)).hex()}


def apns_token(key, keyID, team, issuedAt):
    secret = p256(key)
    return {
        "token": token(
            {"alg": "ES256", "kid": keyID}, {"iss": team, "iat": issuedAt}, lambda text: raw_signature(secret, text)
        )
    }


def rsa_key():
    """The key of RFC 7515, A.2."""
    n, d = (int.from_bytes(unb64(text), "big") for text in (RSA_N, RSA_D))
    p, q = sorted(rsa.rsa_recover_prime_factors(n, 65537, d), reverse=True)
    return rsa.RSAPrivateNumbers(
        p, q, d, rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q), rsa.RSAPublicNumbers(65537, n)
    ).private_key()


def fcm_assertion(key, keyID, email, tokenURL, now):
    secret = serialization.load_pem_private_key(key.encode(), None)
    assertion = token(
        {"alg": "RS256", "typ": "JWT", "kid": keyID},
        {
            "iss": email, "scope": "https://www.googleapis.com/auth/firebase.messaging", "aud": tokenURL, "iat": now,
            "exp": now + 3600,
        },
        lambda text: secret.sign(text, padding.PKCS1v15(), hashes.SHA256()),
    )
    grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
    return {"form": f"grant_type={grant}&assertion={assertion}"}


def vapid(key, contact, endpoint, issuedAt):
    secret = p256(key)
    scheme, rest = endpoint.split("://")
    host = rest.split("/")[0]
    origin = f"{scheme}://" + (host[: -len(":443")] if host.endswith(":443") else host)
    signed = token(
        {"typ": "JWT", "alg": "ES256"}, {"aud": origin, "exp": issuedAt + 82800, "sub": contact},
        lambda text: raw_signature(secret, text),
    )
    return {"authorization": f"vapid t={signed}, k={b64(point(secret))}"}


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


def collapse_id(secret, identity, topic, key):
    return {"id": hmac.new(bytes.fromhex(secret), f"{identity}|{topic}|{key}".encode(), hashlib.sha256).hexdigest()}


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


# Answers of providers

APNS = {
    "BadDeviceToken": "bad-token", "DeviceTokenNotForTopic": "misconfigured", "BadTopic": "misconfigured",
    "MissingTopic": "misconfigured", "TopicDisallowed": "misconfigured", "IdleTimeout": "connection-ended",
    "ExpiredProviderToken": "credential-expired", "UnrelatedKeyIdInToken": "credential-or-connection",
    "TooManyProviderTokenUpdates": "credential-too-new",
}
BUGS = [
    "BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "DuplicateHeaders", "InvalidPushType",
    "MissingDeviceToken", "PayloadEmpty",
]
REFUSED_KEYS = [
    "InvalidProviderToken", "MissingProviderToken", "Forbidden", "BadCertificate", "BadCertificateEnvironment",
    "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken",
]


def apns_verdict(status, reason):
    if reason in APNS:
        return APNS[reason]
    if status >= 500:
        return "unavailable"
    return {
        200: "accepted", 403: "credential-refused", 410: "gone", 413: "too-large", 429: "device-busy"
    }.get(status, "invalid-request")


def answer(provider, status, body, retryAfter=None):
    try:
        value = json.loads(body)
    except ValueError:
        value = {}
    wait = min(int(retryAfter), 86400) if retryAfter and retryAfter.isdigit() else None
    if provider == "apns":
        return {"verdict": apns_verdict(status, value.get("reason")), "since": value.get("timestamp") if status == 410 else None}
    if provider == "web":
        verdict = {401: "unauthorized", 403: "unauthorized", 404: "gone", 410: "gone", 413: "too-large", 429: "device-busy"}.get(status)
        verdict = verdict or ("accepted" if 200 <= status < 300 else "unavailable" if status >= 500 else "refused")
        return {"verdict": verdict, "retryAfter": wait if verdict in ("device-busy", "unavailable") else None}
    details = value.get("error", {}).get("details", [])
    code = next((detail["errorCode"] for detail in details if "errorCode" in detail), None)
    fields = [field["field"] for detail in details for field in detail.get("fieldViolations", [])]
    verdict = {
        (404, "UNREGISTERED"): "gone", (403, "SENDER_ID_MISMATCH"): "foreign",
        (401, "THIRD_PARTY_AUTH_ERROR"): "misconfigured",
    }.get((status, code))
    if status == 400:
        verdict = "gone" if "message.token" in fields else "invalid-request"
    verdict = verdict or ("unavailable" if status >= 500 else {
        200: "accepted", 401: "credential-expired", 403: "credential-refused", 404: "misconfigured", 413: "too-large",
        429: "device-busy",
    }[status])
    if status == 429:
        wait = 60 if wait is None else wait
        if any(detail.get("reason") == "RATE_LIMIT_EXCEEDED" for detail in details):
            verdict = "quota-exceeded"
    return {
        "verdict": verdict, "retryAfter": wait if verdict in ("device-busy", "quota-exceeded", "unavailable") else None
    }


# Cases

KEY_6979 = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
KEY_7515 = unb64("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI").hex()
RSA_N = (
    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZ"
    "S-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2"
    "R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcD"
    "TW9gb54h4FRWyuXpoQ"
)
RSA_D = (
    "Eq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyWPEAeP88vLNO97IjlA7_GQ5sLKMgvfTeXZx9SE-7YwVol2NXOoAJe46sui395IW_G"
    "O-pWJ1O0BkTGoVEn2bKVRUCgu-GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzjkn439X0M_V51gfpRLI9JYanrC4D4qAdGcopV_0ZHHzQl"
    "BjudU2QvXt4ehNYTCBr6XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl_x_jTj3ccPDVZFD9pIuhLhBOneufuBiB4cS98l2SR_RQyGWSeWjnczT0"
    "QU91p1DhOVRuOopznQ"
)
SENDER = unb64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw").hex()
RECEIVER = unb64("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94").hex()
AUTH, SALT = unb64("BTBZMqHH6r4Tts7J_aSIgg").hex(), unb64("DGv6ra1nlYgDCS1FRnbzlw").hex()
MELON = b"When I grow up, I want to be a watermelon".hex()


def signatures():
    for name in ("sample", "test"):
        yield f"the message {name} of RFC 6979, A.2.5", {"key": KEY_6979, "text": name}, None
    yield "an empty message", {"key": KEY_6979, "text": ""}, None
    yield "the smallest key", {"key": "00" * 31 + "01", "text": "sample"}, None
    yield "the largest key", {
        "key": "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550", "text": "sample"
    }, None
    for number in range(8):
        yield f"message {number}", {"key": hashlib.sha256(bytes([number])).hexdigest(), "text": "⚡" * number}, None


def apns_tokens():
    for moment in (1_700_000_000, 0, 4_102_444_800):
        yield f"issued at {moment}", {"key": KEY_7515, "keyID": "ABC123DEFG", "team": "DEF123GHIJ", "issuedAt": moment}, None


def assertions():
    pem = rsa_key().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    yield "the key of RFC 7515, A.2", {
        "key": pem, "keyID": "f00d", "email": "push@example.iam.gserviceaccount.com",
        "tokenURL": "https://oauth2.googleapis.com/token", "now": 1_700_000_000,
    }, None


def published():
    """RFC 8291, section 5: what the standard gives must come of this implementation too."""
    body = (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    assert seal(MELON, point(p256(RECEIVER)).hex(), AUTH, SENDER, SALT)["body"] == unb64(body).hex()
    assert es256(KEY_6979, "sample")["signature"].startswith("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716")


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


def collapse_ids():
    node = "ln:023c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1"
    yield "the published id", {
        "secret": "77" * 32, "identity": node, "topic": "blocktank.incomingHtlc", "key": hashlib.sha256(b"").hexdigest()
    }, None
    yield "another thing", {"secret": "77" * 32, "identity": node, "topic": "blocktank.incomingHtlc", "key": "x"}, None


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


def answers():
    def apns(status, reason=None, **more):
        return {"provider": "apns", "status": status, "body": compact({"reason": reason} | more) if reason else ""}

    def fcm(status, code=None, field=None, **more):
        details = [{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code}] if code else []
        if field:
            violation = {"field": field, "description": "x"}
            details.append({"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [violation]})
        error = {"error": {"code": status, "message": "x", "status": "NOT_FOUND", "details": details}}
        return {"provider": "fcm", "status": status, "body": compact(error)} | more

    def web(status, **more):
        return {"provider": "web", "status": status, "body": ""} | more

    yield "APNs accepts", apns(200), None
    for reason in list(APNS)[:6] + BUGS:
        yield f"APNs 400 {reason}", apns(400, reason), None
    yield "APNs 400 without a reason", apns(400), None
    for reason in ["ExpiredProviderToken", "UnrelatedKeyIdInToken"] + REFUSED_KEYS:
        yield f"APNs 403 {reason}", apns(403, reason), None
    yield "APNs 404 BadPath", apns(404, "BadPath"), None
    yield "APNs 405 MethodNotAllowed", apns(405, "MethodNotAllowed"), None
    for reason in ("Unregistered", "ExpiredToken"):
        yield f"APNs 410 {reason}", apns(410, reason, timestamp=1_700_000_000_123), None
    yield "APNs 410 without a time", apns(410, "Unregistered"), None
    yield "APNs 413 PayloadTooLarge", apns(413, "PayloadTooLarge"), None
    for reason in ("TooManyRequests", "TooManyProviderTokenUpdates"):
        yield f"APNs 429 {reason}", apns(429, reason), None
    for status, reason in ((500, "InternalServerError"), (503, "ServiceUnavailable"), (503, "Shutdown")):
        yield f"APNs {status} {reason}", apns(status, reason), None
    yield "FCM accepts", {"provider": "fcm", "status": 200, "body": '{"name":"projects/p/messages/1"}'}, None
    yield "FCM 404 UNREGISTERED", fcm(404, "UNREGISTERED"), None
    yield "FCM 404 without details", fcm(404), None
    yield "FCM 400 INVALID_ARGUMENT, the token", fcm(400, "INVALID_ARGUMENT", "message.token"), None
    yield "FCM 400 INVALID_ARGUMENT, another field", fcm(400, "INVALID_ARGUMENT", "message.data[0].value"), None
    yield "FCM 400 without details", fcm(400), None
    yield "FCM 403 SENDER_ID_MISMATCH", fcm(403, "SENDER_ID_MISMATCH"), None
    yield "FCM 403 without details", fcm(403), None
    yield "FCM 401 THIRD_PARTY_AUTH_ERROR", fcm(401, "THIRD_PARTY_AUTH_ERROR"), None
    yield "FCM 401 without details", fcm(401), None
    yield "FCM 429 QUOTA_EXCEEDED", fcm(429, "QUOTA_EXCEEDED"), None
    yield "FCM 429 with a time", fcm(429, "QUOTA_EXCEEDED", retryAfter="7"), None
    limit = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE_LIMIT_EXCEEDED"}]
    gateway = compact({"error": {"code": 429, "message": "x", "status": "RESOURCE_EXHAUSTED", "details": limit}})
    yield "FCM 429 of the whole project", {"provider": "fcm", "status": 429, "body": gateway}, None
    yield "FCM 500 INTERNAL", fcm(500, "INTERNAL"), None
    yield "FCM 503 UNAVAILABLE with a time", fcm(503, "UNAVAILABLE", retryAfter="120"), None
    yield "FCM 503 with a date", fcm(503, "UNAVAILABLE", retryAfter="Wed, 21 Oct 2026 07:28:00 GMT"), None
    yield "FCM 502 in HTML", {"provider": "fcm", "status": 502, "body": "<html>Bad Gateway</html>"}, None
    for status in (201, 200, 404, 410, 413, 400, 401, 403, 301, 302, 500, 507):
        yield f"Web Push {status}", web(status), None
    yield "Web Push 429 with a time", web(429, retryAfter="30"), None
    yield "Web Push 429 without a time", web(429), None
    yield "Web Push 503 with a time beyond a day", web(503, retryAfter="999999"), None


def files():
    published()

    def file(subject, description, cases, source=OWN, rules={}):
        return document("Push messages", subject, description, source, cases, rules)

    return {
        "push/es256.json": file(
            "es256", "Sign the UTF-8 of `text` with ES256 and the scalar `key` of P-256, the nonce by RFC 6979."
            " Compare `signature` (r and s) and the uncompressed `publicKey`.", judged(es256, signatures()), "RFC 6979, A.2.5; " + OWN),
        "push/apns-token.json": file(
            "apns-token", "Make the token for APNs of `key` (a scalar), `keyID`, `team`, issued at `issuedAt` (seconds)."
            " Compare `token`.", judged(apns_token, apns_tokens())),
        "push/fcm-assertion.json": file(
            "fcm-assertion", "Make the form with which a service account (`key` in PEM, `keyID`, `email`, `tokenURL`) asks for an"
            " access token at `now`. Compare `form`.", judged(fcm_assertion, assertions())),
        "push/vapid.json": file(
            "vapid", "Make the field Authorization of RFC 8292 for messages to `endpoint`, issued at `issuedAt` and valid for 23 hours."
            " Compare `authorization`.", judged(vapid, vapids())),
        "push/web-push-seal.json": file(
            "web-push-seal", "Encrypt `plaintext` for a subscription (`publicKey`, `secret`) with the sender's key `senderKey` and"
            " `salt`, in one record of 4096 bytes. Compare `body`.", judged(seal, sealed()), "RFC 8291, section 5; " + OWN,
            {"too-long": "The plaintext has more than 3993 bytes."}),
        "push/web-push-open.json": file(
            "web-push-open", "Decrypt `body` with the receiver's `key` and `secret`. Compare `plaintext`.", judged(open_, opened()),
            "RFC 8291, section 5; " + OWN, {"authentication": "It is not one whole record for this receiver."}),
        "push/collapse-id.json": file(
            "collapse-id", "The collapse id of `key` for `identity` and `topic`, by HMAC-SHA256 with `secret`. Compare `id`.",
            judged(collapse_id, collapse_ids()), "synonymdev/bitkit-core, wake; " + OWN),
        "push/notify.json": file(
            "notify", "Read a request to `/api/v1/notify` (`platform`, `token`, `appData`, `body`) of the time 1700000000. Compare"
            " `type`, `lifetime` (seconds), the bodies for APNs (`apns`) and FCM (`fcm`), and what FCM counts (`fcmBytes`); the push"
            " of an invoice request has no reply URL yet.", judged(notify, notifications()), "breez/notify 54b1cdc4; " + OWN,
            {
                "platform": "The platform is not ios, android or web.", "token": "The token is missing or too long.",
                "json": "The body is not JSON.",
                "notification": "The body is no known notification, or a member is missing or malformed.",
            }),
        "push/answer.json": file(
            "answer", "Read an answer of `provider` (`status`, `body`, `retryAfter`). Compare the `verdict`, `since` (milliseconds)"
            " and `retryAfter` (seconds).", judged(answer, answers())),
    }


if __name__ == "__main__":
    main(files())
