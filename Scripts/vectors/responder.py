#!/usr/bin/env python3
"""Second implementation of what answers notifications, over the invoices of bolt11.py and the cipher of PyPI cryptography.

Writes Vectors/responder/; --check compares.
"""

import base64
import copy
import hashlib
import json
import pathlib

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import secp256k1
from bech32 import Refused, to_groups
from blinded_paths import payment_path
from bolt11 import features, field, sign
from bolt11_reader import C, H, P, S, X, number_groups
from bolt12_documents import ISSUER, REGTEST, offer, request, stream
from bolt12_reader import CHAINS, in_ranges, read_stream, read_text, record, signed_hash, tu, write_text
from bolt12_rules import accept
from vector_files import document, main

OWN = "Scripts/vectors/responder.py (PyPI cryptography)"
WALLET = "the tests of the wallet Bitkit (synonymdev/bitkit-android, CryptoTest.kt)"

PUBLISHED = json.loads(
    (pathlib.Path(__file__).parent / "published" / "notifications.json").read_text(encoding="utf-8"))["notifications"]

NOW = 1790000000
NODE_KEY = b"\x02" * 32
SEED = b"\x05" * 32
OLD = '[["text/plain","For alice"],["text/identifier","alice@pay.example.com"]]'
NEW = '[["text/plain","New for alice"],["text/identifier","alice@pay.example.com"]]'
CALLBACK = "https://ln.example/lnurlpay/alice/invoice"
REPLY = "https://ln.example/response/17293822569102704640"
VERIFY = "https://ln.example/lnurlpay/alice/{payment_hash}"
FAMILY = "\U0001F468\u200D\U0001F469\u200D\U0001F467"

KNOWN = {
    "lnurlpay_info", "lnurlpay_invoice", "lnurlpay_verify", "invoice_request", "swap_updated", "payment_received",
    "address_txs_confirmed", "tx_confirmed", "incomingHtlc", "cjitPaymentArrived", "orderPaymentConfirmed", "mutualClose",
}
OTHER_NAMES = {"invoice.request": "invoice_request", "swap.update": "swap_updated"}
IDS = ["event_id", "gcm.message_id", "google.message_id"]


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# Reading


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


# Answering

TEXTS = {
    "lnurlpay_info": ("Retrieving Payment Information", "Receive Payment Failed"),
    "lnurlpay_invoice": ("Fetching Invoice", "Receive Payment Failed"),
    "lnurlpay_verify": ("Verifying Payment", "Payment Verification Failed"),
    "invoice_request": ("Fetching Invoice", "Invoice Request Failed"),
}
TOLD = {
    "address_txs_confirmed": ("Address transactions confirmed", None),
    "tx_confirmed": ("Transaction confirmed", None),
    "incomingHtlc": ("Payment Incoming", "Open now to receive - funds are being held"),
    "cjitPaymentArrived": ("Payment Incoming", "Open now to receive via new channel"),
    "orderPaymentConfirmed": ("Channel Ready", "Open the app to complete setup"),
    "mutualClose": ("Channel Closed", "Funds moved to savings"),
    "undecipherable": ("New Activity", "Open the app to see what has happened"),
}
PENDING = ("Payment Pending", "Tap to complete payment")
FEES = ("Payment requires fee acceptance", "Tap to review updated fees")
BUSY = "Temporarily unavailable; please try again later"
# For which a payer's clock and height may differ, and blocks come while the payment is on its way.
BLOCKS_ON_THE_WAY = 3
NOTHING = "Nothing can be received at the moment; please try again later"
FAULTS = {
    "unreachable": BUSY, "timed-out": BUSY, "storage": BUSY, "nothing-receivable": NOTHING,
    "refused": "No invoice can be made for this payment", "malformed-answer": "No invoice can be made for this payment",
}


REASONS = {
    "offer-mismatch": "The invoice request is not for this offer", "missing-amount": "Amount missing in invoice request",
    "invalid-signature": "The signature of the invoice request is wrong", "missing-signature": "The invoice request is not signed",
    "unsupported-chain": "Payments on that chain are not taken here", "offer-expired": "This offer has expired",
}


class Failed(Exception):
    pass


def mirrored(asked):
    """The records of the offer that a request repeats."""
    return b"".join(raw for kind, _, raw in read_stream(asked) if in_ranges(kind, ((1, 79), (10**9, 2 * 10**9 - 1))))


def limits(given):
    node, account = given["node"], given["account"]
    least, most = node["minimum"], node["maximum"]
    if node["wholeSatoshis"]:
        least, most = -(-least // 1000) * 1000, most // 1000 * 1000
    most = min(most, account["maxSendable"] or most)
    # A sat, unless somebody has said less.
    least = max(least, account["minSendable"] or min(1000, most))
    if least > most:
        raise Failed("Minimum sendable amount is invalid")
    return least, most


def standing(given):
    """The text that stands now, and for how long it may be kept."""
    age, texts = given["infoMaxAge"], given["account"]["metadata"]
    if len(texts) == 1:
        return texts[0]["text"], age
    moment = given["now"] - (age + 1)
    index = max((i for i, text in enumerate(texts) if text["since"] <= moment), default=0)
    if index + 1 == len(texts):
        return texts[index]["text"], age
    return texts[index]["text"], min(age, max(0, texts[index + 1]["since"] + age + 1 - given["now"]))


def characters(words):
    """As people count: joined emoji are one. Enough for the cases here."""
    return len(words.replace(FAMILY, "x"))


class Answerer:
    def __init__(self, given):
        self.given, self.made, self.answered, self.ledger, self.requests = given, 0, {}, {}, {}
        for invoice in given.get("invoices", []):
            digest = hashlib.sha256(bytes.fromhex(invoice["preimage"])).hexdigest()
            self.ledger[digest] = invoice

    def invoice(self, amount, metadata):
        node = self.given["node"]
        if node.get("fault"):
            raise Failed(FAULTS[node["fault"]])
        self.made += 1
        preimage = hashlib.sha256(bytes.fromhex(node["seed"]) + self.made.to_bytes(8, "big")).digest()
        digest = hashlib.sha256(preimage).digest()
        secret = hashlib.sha256(preimage + b"secret").digest()
        expiry = self.given["account"]["invoiceExpiry"]
        groups = number_groups(self.given["now"], 7) + field(S, to_groups(secret)) + field(P, to_groups(digest))
        groups += field(H, to_groups(hashlib.sha256(metadata.encode()).digest()))
        if expiry != 3600:
            groups += field(X, number_groups(expiry))
        groups += field(C, number_groups(18)) + features(8, 14)
        prefix = {"regtest": "lnbcrt", "bitcoin": "lnbc"}[node["network"]] + shortest(amount)
        pr = sign(prefix, groups, key=bytes.fromhex(node["key"]))
        self.ledger[digest.hex()] = {
            "preimage": preimage.hex(), "account": self.given["account"]["name"], "pr": pr,
            "expiresAt": self.given["now"] + expiry, "amount": amount, "settledAt": None,
        }
        return digest.hex()

    def answer(self, found):
        kind, payload = found["type"], found["payload"]
        account = self.given["account"]
        if kind.startswith("lnurlpay_") and account["name"] != self.given["for"] and kind != "lnurlpay_verify":
            raise Failed("No such Lightning address")
        if kind == "lnurlpay_info":
            least, most = limits(self.given)
            metadata, age = standing(self.given)
            body = {
                "callback": payload["callback_url"], "minSendable": least, "maxSendable": most, "metadata": metadata,
                "commentAllowed": account["commentAllowed"], "tag": "payRequest",
            }
            if not account["commentAllowed"]:
                del body["commentAllowed"]
            return body, age
        if kind == "lnurlpay_invoice":
            amount, comment, template = payload["amount"], payload.get("comment") or "", payload.get("verify_url") or ""
            same = compact([found["messageID"] or [found["replyURL"]], amount, comment, template])
            if same not in self.answered:
                least, most = limits(self.given)
                if not least <= amount <= most or self.given["node"]["wholeSatoshis"] and amount % 1000:
                    raise Failed(f"Invalid amount requested {amount}")
                if characters(comment) > account["commentAllowed"]:
                    raise Failed("Comment is too long")
                self.answered[same] = self.invoice(amount, standing(self.given)[0])
            digest = self.answered[same]
            body = {"pr": self.ledger[digest]["pr"], "routes": []}
            if template:
                body["verify"] = template.replace("{payment_hash}", digest)
            return body, None
        invoice = self.ledger.get(payload["payment_hash"].lower())
        if invoice is None or invoice["account"] != self.given["for"]:
            raise Failed("Not found")
        settled = invoice["settledAt"] is not None
        body = {
            "status": "OK", "settled": settled, "preimage": invoice["preimage"] if settled else None, "pr": invoice["pr"],
        }
        return body, 604800 if settled else 3

    def offered(self, payload):
        """A BOLT 12 invoice over one of the node's own: paid over a path of one hop that the payment secret opens."""
        asked = bytes.fromhex(payload.get("invoiceRequest") or payload["invoice_request"])
        if asked in self.requests:
            return self.requests[asked]
        ours = read_text(self.given["offer"], "lno") if self.given.get("offer") else None
        chain = CHAINS[self.given["node"]["network"]]
        try:
            read_stream(asked)
            if payload.get("offer") and read_text(payload["offer"].lower(), "lno") != mirrored(asked):
                raise Refused("offer-mismatch")
            if ours is None or mirrored(asked) != ours:
                raise Failed("This offer is not known here")
            accepted = accept(asked, ours, "forwarder", None, self.given["now"], [chain], {})
        except Refused as rule:
            raise Failed(REASONS.get(str(rule), "The invoice request is malformed")) from None
        least, most = limits(self.given)
        if not least <= accepted["amount"] <= most:
            raise Failed(f"Amount must be between {-(-least // 1000)} and {most // 1000}")
        if self.given["node"]["fault"] in ("refused", "malformed-answer"):
            raise Failed("Failed to create invoice")
        digest = self.invoice(accepted["amount"], "")
        secret = hashlib.sha256(bytes.fromhex(self.ledger[digest]["preimage"]) + b"secret").digest()
        way = payment_path({
            "recipient": secp256k1.public(NODE_KEY).hex(), "pathID": secret.hex(), "relays": [],
            "expiryHeight": 800_000 + 1008, "minFinalCLTVExpiryDelta": 18 + BLOCKS_ON_THE_WAY, "htlcMinimum": 1,
            "htlcMaximum": 21 * 10**17, "isPadded": False, "secret": (b"\x07" * 32).hex(),
        })
        expiry = self.given["account"]["invoiceExpiry"]
        own = {
            160: bytes.fromhex(way["path"]), 162: bytes.fromhex(way["payinfo"]), 164: tu(self.given["now"]),
            166: None if expiry == 7200 else tu(expiry), 168: bytes.fromhex(digest), 170: tu(accepted["amount"]),
            176: bytes.fromhex(accepted["nodeID"]),
        }
        unsigned = b"".join(raw for kind, _, raw in read_stream(asked) if kind < 160) + stream(own)
        signature = secp256k1.schnorr_sign(ISSUER, signed_hash(read_stream(unsigned), "invoice"), b"\x07" * 32)
        self.requests[asked] = write_text(unsigned + record(240, signature), "lni")
        return self.requests[asked]

    def handle(self, notification):
        found = read(notification)
        kind = found["type"]
        body, age, silence = None, None, None
        words = (None, None)
        if found["closed"]:
            silence, words = "undecipherable", TOLD["undecipherable"]
        elif kind.startswith("lnurlpay_") and kind in TEXTS:
            title = TEXTS[kind][0]
            try:
                body, age = self.answer(found)
            except Failed as reason:
                body, title = {"status": "ERROR", "reason": str(reason)}, TEXTS[kind][1]
            words = title, None
        elif kind == "invoice_request":
            words = TEXTS[kind][0], None
            try:
                body = {"invoice": self.offered(found["payload"])}
            except Failed as reason:
                words = TEXTS[kind][1], None
                if str(reason) in (BUSY, NOTHING):
                    silence = "transient"
                else:
                    body = {"error": str(reason)}
        elif kind == "swap_updated":
            silence = "not-asked"
            words = FEES if found["payload"]["status"] == "transaction.lockupFailed" else PENDING
        elif kind == "payment_received":
            silence, words = "not-asked", PENDING
        elif kind in TOLD:
            silence, words = "not-asked", TOLD[kind]
        else:
            silence = "unknown-type"
        lifetime = None
        if words[0] is not None:
            lifetime = "replaceable" if kind in TEXTS and not found["closed"] else "dismissible"
        return {
            "reply": None if body is None else compact(body), "cacheControl": f"max-age={age}" if age else None,
            "silence": silence, "title": words[0], "body": words[1], "lifetime": lifetime,
        }


def shortest(amount):
    """An amount in msat as BOLT 11 writes it: the largest unit that takes no fraction."""
    for unit, letter in ((100_000_000_000, ""), (100_000_000, "m"), (100_000, "u"), (100, "n")):
        if amount % unit == 0:
            return f"{amount // unit}{letter}"
    return f"{amount * 10}p"


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
        case = {"name": name, "input": {"notification": notification} | options}
        if "out there" in name:
            source = WALLET
        if source:
            case["source"] = source
        try:
            case["expect"] = read(notification, **options)
        except Refused as rule:
            case["reject"] = str(rule)
        cases.append(case)
    return document(
        "Notifications", "read",
        "Read `notification`, with the names of `names` in place of the usual ones, and open it with `key` for `purpose` "
        "when it is encrypted. Compare the type, the envelope, the payload, where the answer goes, the app's own data and "
        "the sender's id, null for what is not there, and whether it stayed closed.",
        OWN, cases, RULES)


USUAL = {
    "now": NOW, "for": "alice", "infoMaxAge": 60,
    "account": {
        "name": "alice", "commentAllowed": 255, "minSendable": None, "maxSendable": None, "invoiceExpiry": 600,
        "metadata": [{"text": OLD, "since": NOW - 100000}],
    },
    "node": {
        "key": NODE_KEY.hex(), "network": "regtest", "minimum": 1, "maximum": 10**10, "wholeSatoshis": False,
        "fault": None, "seed": SEED.hex(),
    },
}
TEA, COFFEE = offer(t2=REGTEST), offer(t2=REGTEST, t10=b"coffee")
PAID, OPEN = b"\x08" * 32, b"\x09" * 32
INVOICES = [
    {"preimage": preimage.hex(), "account": account, "pr": f"lnbcrt{index}", "expiresAt": NOW + expiry, "amount": 1000,
     "settledAt": settled}
    for index, (preimage, account, expiry, settled) in enumerate([
        (PAID, "alice", 600, NOW - 1), (OPEN, "alice", 600, None), (b"\x0a" * 32, "bob", 600, NOW - 1),
        (b"\x0b" * 32, "alice", -600, None),
    ])
]


def given(account=None, node=None, **more):
    case = copy.deepcopy(USUAL) | more
    case["account"] |= account or {}
    case["node"] |= node or {}
    return case


def reply_cases():
    """name, notification, what is given"""
    for label, make in (("template", template), ("event", event), ("push", push)):
        yield f"info in a {label}", make("lnurlpay_info", **info()), given()
        yield f"an invoice in a {label}", make("lnurlpay_invoice", **wish(verify_url=VERIFY)), given()
    odd = "https://ln.example/test{user}%C3%A9/ü?a=\\u0026&b"
    yield "info with an odd callback", template("lnurlpay_info", **info(callback_url=odd)), given()
    yield "info without comments", template("lnurlpay_info", **info()), given(dict(commentAllowed=0))
    yield "info with the account's limits", template("lnurlpay_info", **info()), given(dict(minSendable=5000, maxSendable=9999))
    yield "info of a node of whole satoshis", template("lnurlpay_info", **info()), given(
        dict(minSendable=None), dict(wholeSatoshis=True, maximum=10**10 - 1))
    yield "info when nothing lies between the limits", template("lnurlpay_info", **info()), given(dict(minSendable=10**10 + 1))
    yield "info that may not be kept", template("lnurlpay_info", **info()), given(infoMaxAge=0)
    yield "info for nobody", template("lnurlpay_info", **info()), given({"name": "bob"})
    for seconds, label in ((0, "in the second of"), (1, "a second after"), (31, "31 seconds after"), (60, "60 seconds after"),
                           (61, "61 seconds after"), (1000, "long after")):
        texts = [{"text": OLD, "since": NOW - 100000}, {"text": NEW, "since": NOW - seconds}]
        yield f"info {label} a change", template("lnurlpay_info", **info()), given(dict(metadata=texts))
        yield f"an invoice {label} a change", template("lnurlpay_invoice", **wish()), given(dict(metadata=texts))
    for amount in (0, 1, 999, 1500, 2500000, 10**10, 10**10 + 1, 2**63, 2**64 - 1):
        yield f"an invoice for {amount} msat", template("lnurlpay_invoice", **wish(amount)), given()
    for amount in (1000, 1500):
        yield f"an invoice of a node of whole satoshis for {amount} msat", template("lnurlpay_invoice", **wish(amount)), given(
            node=dict(wholeSatoshis=True))
    yield "an invoice that expires after the usual hour", template("lnurlpay_invoice", **wish()), given(dict(invoiceExpiry=3600))
    yield "an invoice on bitcoin", template("lnurlpay_invoice", **wish()), given(node=dict(network="bitcoin"))
    yield "a template with two hashes and other braces", template(
        "lnurlpay_invoice", **wish(verify_url="https://x.example/{payment_hash}/{a}/{payment_hash}")), given()
    yield "null for what is optional", template("lnurlpay_invoice", **wish(comment=None, verify_url=None, nostr=None)), given()
    yield "empty texts for what is optional", template("lnurlpay_invoice", **wish(comment="", verify_url="")), given()
    yield "a comment of 255 characters", template("lnurlpay_invoice", **wish(comment=FAMILY * 255)), given()
    yield "a comment of 256 characters", template("lnurlpay_invoice", **wish(comment="x" * 256)), given()
    yield "a comment where none is taken", template("lnurlpay_invoice", **wish(comment="x")), given(dict(commentAllowed=0))
    for fault in FAULTS:
        yield f"an invoice of a node that fails: {fault}", template("lnurlpay_invoice", **wish()), given(node=dict(fault=fault))
    same = template("lnurlpay_invoice", **wish(verify_url=VERIFY))
    yield "the same question again", same, given(before=[same])
    yield "the same question in another envelope", push("lnurlpay_invoice", **wish(verify_url=VERIFY)), given(before=[same])
    yield "the same words with another reply URL", same, given(
        before=[template("lnurlpay_invoice", **wish(verify_url=VERIFY, reply_url=REPLY + "1"))])
    yield "another amount with the same reply URL", template("lnurlpay_invoice", **wish(22000, verify_url=VERIFY)), given(
        before=[same])
    marked = compact({"event_id": "e", "template": "lnurlpay_invoice", "data": wish(reply_url=REPLY + "1")})
    yield "the same id with another reply URL", compact(
        {"event_id": "e", "template": "lnurlpay_invoice", "data": wish(reply_url=REPLY + "2")}), given(before=[marked])
    yield "another id with the same reply URL", compact(
        {"event_id": "f", "template": "lnurlpay_invoice", "data": wish(reply_url=REPLY + "1")}), given(before=[marked])
    for label, preimage in (("paid", PAID), ("open", OPEN), ("bob's", b"\x0a" * 32), ("expired", b"\x0b" * 32),
                            ("unknown", b"\x0c" * 32)):
        digest = hashlib.sha256(preimage).hexdigest()
        yield f"whether it has been paid: {label}", template(
            "lnurlpay_verify", payment_hash=digest, reply_url=REPLY), given(invoices=INVOICES)
    yield "whether it has been paid: in upper case", push(
        "lnurlpay_verify", payment_hash=hashlib.sha256(PAID).hexdigest().upper(), reply_url=REPLY), given(invoices=INVOICES)
    yield "whether it has been paid: no hash at all", template(
        "lnurlpay_verify", payment_hash="recover", reply_url=REPLY), given(invoices=INVOICES)
    ours = given(offer=write_text(TEA, "lno"))
    asked = request(TEA, t80=REGTEST, t82=tu(21000)).hex()
    for member in ("invoiceRequest", "invoice_request"):
        yield f"no request in {member}", event("invoice.request", **{member: "00"}), given()
        yield f"a request in {member}", event("invoice.request", **{member: asked}), ours
    yield "a request with its offer", event("invoice.request", offer=write_text(TEA, "lno"), invoiceRequest=asked), ours
    yield "a request with its offer in upper case, in a push message", push(
        "invoice_request", offer=write_text(TEA, "lno").upper(), invoice_request=asked, reply_url=REPLY), ours
    yield "a request with another offer", event(
        "invoice.request", offer=write_text(COFFEE, "lno"), invoiceRequest=asked), ours
    yield "a request for an offer that is not ours", event(
        "invoice.request", invoiceRequest=request(COFFEE, t80=REGTEST).hex()), ours
    yield "a request without an amount", event(
        "invoice.request", invoiceRequest=request(TEA, t80=REGTEST, t82=None).hex()), ours
    yield "a request for another chain", event("invoice.request", invoiceRequest=request(TEA).hex()), ours
    yield "a request without a signature", event(
        "invoice.request", invoiceRequest=request(TEA, t80=REGTEST, t240=None).hex()), ours
    yield "a request with another signature", event(
        "invoice.request", invoiceRequest=request(TEA, t80=REGTEST, t240=b"\x07" * 64).hex()), ours
    yield "a request for more than can be received", event(
        "invoice.request", invoiceRequest=request(TEA, t80=REGTEST, t82=tu(10**10 + 1)).hex()), ours
    yield "the same request again, with another reply URL", event(
        "invoice.request", invoiceRequest=asked, reply_url=REPLY), ours | {"before": [
            event("invoice.request", invoiceRequest=asked, reply_url=REPLY + "1")]}
    yield "another request for the same offer", event("invoice.request", invoiceRequest=asked), ours | {"before": [
        event("invoice.request", invoiceRequest=request(TEA, t80=REGTEST, t82=tu(22000)).hex())]}
    for fault in FAULTS:
        yield f"a request in front of a node that fails: {fault}", event("invoice.request", invoiceRequest=asked), given(
            node=dict(fault=fault), offer=write_text(TEA, "lno"))
    for status in (
        "swap.created", "swap.expired", "invoice.set", "invoice.paid", "invoice.pending", "invoice.settled",
        "invoice.failedToPay", "invoice.expired", "minerfee.paid", "transaction.failed", "transaction.mempool",
        "transaction.claim.pending", "transaction.claimed", "transaction.refunded", "transaction.confirmed",
        "transaction.lockupFailed", "transaction.zeroconf.rejected", "transaction.direct", "transaction.server.mempool",
        "transaction.server.confirmed", "swap.dreamt",
    ):
        yield f"a swap: {status}", event("swap.update", id="ab" * 32, status=status), given()
    yield "a payment that expired", template(
        "payment_received", payment_hash=hashlib.sha256(b"\x0b" * 32).hexdigest()), given(invoices=INVOICES)
    for kind, data in (("address_txs_confirmed", dict(address="bc1q")), ("tx_confirmed", dict(tx_id="00"))):
        yield kind, template(kind, **data), given()
    for kind in ("incomingHtlc", "cjitPaymentArrived", "orderPaymentConfirmed", "mutualClose"):
        yield kind, push(kind, x=1), given()
    yield "an unknown type", template("nwc_event", event="{}"), given()
    yield "what stays encrypted", alert(sealed("{}")), given()


def reply_document():
    cases = []
    for name, notification, options in reply_cases():
        answerer = Answerer(options)
        for earlier in options.get("before", []):
            answerer.handle(earlier)
        cases.append({
            "name": name, "input": {"notification": notification} | options, "expect": answerer.handle(notification)})
    return document(
        "Notifications", "reply",
        "Handle the notifications of `before`, then `notification`, for the account `for` at `now`, in front of a node that "
        "makes BOLT 11 invoices with `key`, the features 8 and 14 and a last delta of 18: its n-th preimage is the SHA-256 of "
        "`seed` and n in 8 bytes, big-endian, its payment secret the SHA-256 of that and `secret` in ASCII. `invoices` stand "
        "in the ledger before, and `offer` with its issuer's key, `41` 32 times; whatever else is random is `07`, and the "
        "height is 800,000. Of the texts of `metadata` the last one is current. Compare the bytes of the reply, its "
        "Cache-Control and what a person is shown; null for what is not there.",
        OWN, cases, {})


if __name__ == "__main__":
    main({"responder/read.json": read_document(), "responder/reply.json": reply_document()})
