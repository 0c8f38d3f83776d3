"""What app users sign, and the checks of their devices' replies."""

import hashlib
import re

import bech32
import bolt11_reader
import secp256k1
from bolt12_reader import CHAINS, read_text
from bolt12_rules import check_invoice
from lud06 import pay_request
from lud21 import verify
from luds import is_integer, is_text, read_json
from refused import Refused, refusing


# Lightning's signmessage

ZBASE32 = "ybndrfg8ejkmcpqxot1uwisza345h769"


def message_digest(text):
    once = hashlib.sha256(b"Lightning Signed Message:" + text.encode()).digest()
    return hashlib.sha256(once).digest()


def sign_message(text, secret):
    signature, recovery = secp256k1.ecdsa_sign(secret, message_digest(text))
    return "".join(ZBASE32[group] for group in bech32.to_groups(bytes([31 + recovery]) + signature))


def signer(text, signature):
    """The key that has signed the text."""
    with refusing("signature", ValueError):
        data = bech32.to_bytes([ZBASE32.index(letter) for letter in signature])
    if len(data) != 65 or not 31 <= data[0] <= 34:
        raise Refused("signature")
    return secp256k1.ecdsa_recover(data[1:], data[0] - 31, message_digest(text))


# breez-lnurl


def check_name(text):
    if len(text.encode()) > 64:
        raise Refused("name-too-long")
    if not re.fullmatch("[A-Za-z0-9_.-]+", text, re.ASCII) or text in (".", ".."):
        raise Refused("name")
    if "" in text.split("."):
        raise Refused("dots")
    return text.lower()


def breez(operation, key, domain, now, body):
    with refusing("body", ValueError):
        request = read_json(body)
    if not isinstance(request, dict):
        raise Refused("body")

    def member(name, is_right, default):
        value = request.get(name)
        if value is None:
            return default
        if not is_right(value):
            raise Refused("body")
        return value

    time = member("time", lambda value: is_integer(value) and -(2**63) <= value < 2**63, 0)
    hook, signature = member("webhook_url", is_text, ""), member("signature", is_text, "")
    username, offer = member("username", is_text, None), member("offer", is_text, None)
    if abs(time - now) > 60:
        raise Refused("clock")
    name = None
    if operation == "register-offer" or operation == "register" and username is not None:
        name = check_name(username or "")
    if operation == "register" and name is None:
        offer = None
    if operation == "register" and offer is not None and not offer.startswith("lno"):
        raise Refused("offer")
    if operation == "register":
        parts = [hook] + ([username] if name is not None else []) + ([offer] if offer is not None else [])
    elif operation in ("unregister", "recover"):
        parts = [hook]
    elif operation == "register-offer":
        parts = [username or "", offer or ""]
    else:
        parts = [offer or ""]
    text = "-".join([str(time)] + parts)
    if signer(text, signature) != bytes.fromhex(key) or key != key.lower():
        raise Refused("signature")
    return {"statement": text, "name": name, "offer": offer}


# Replies

VERIFY = "https://pay.example.com/lnurlpay/alice/{payment_hash}"


def mark(hash):
    return max(1, int.from_bytes(hash[:8], "big"))


def reply(question, body, now, **asked):
    with refusing("json", ValueError):
        members = read_json(body)
    return {"info": info, "invoice": invoice, "verify": verification, "request": offered}[question](
        body, members, now, **asked)


def lnurl(read):
    try:
        return read()
    except Refused as refused:
        raise Refused("refused" if str(refused) == "service-error" else "shape") from None


def info(body, members, now, callback):
    found = lnurl(lambda: pay_request(body))
    if found["callback"] != callback:
        raise Refused("callback")
    key = members.get("nostrPubkey")
    is_key = members.get("allowsNostr") is True and is_text(key) and re.fullmatch("[0-9a-fA-F]{64}", key)
    return {name: found[name] for name in ("minSendable", "maxSendable", "metadata", "commentAllowed")} | {
        "nostrPubkey": key.lower() if is_key else None, "mark": mark(hashlib.sha256(found["metadata"].encode()).digest())}


def read_invoice(text):
    with refusing("bolt11"):
        found = bolt11_reader.read(text)
    if found["network"] != "bitcoin":
        raise Refused("network")
    return found


def invoice(body, members, now, amount, shown, nostr=None):
    def texts():
        if not isinstance(members, dict):
            raise Refused("not-an-object")
        if is_text(members.get("status")) and members["status"].lower() == "error":
            raise Refused("service-error")
        for name in ("pr", "verify"):
            if members.get(name) is not None and not is_text(members[name]):
                raise Refused("malformed")
        if members.get("pr") is None:
            raise Refused("missing-pr")
        return members["pr"], members.get("verify")

    pr, verify_url = lnurl(texts)
    found = read_invoice(pr)
    if found["amount"] != amount:
        raise Refused("amount")
    committed = found["descriptionHash"]
    allowed = shown is None or committed and mark(bytes.fromhex(committed)) == shown
    if nostr:
        allowed = allowed or committed == hashlib.sha256(nostr.encode()).hexdigest()
    if not committed or not allowed:
        raise Refused("description")
    if now >= found["expiresAt"]:
        raise Refused("expired")
    return {"pr": pr.lower(),
            "verify": VERIFY.replace("{payment_hash}", found["paymentHash"]) if verify_url is not None else None}


def verification(body, _, now, hash):
    found = lnurl(lambda: verify(body))
    if read_invoice(found["pr"])["paymentHash"] != hash:
        raise Refused("payment-hash")
    if found["settled"] and not found["preimage"]:
        raise Refused("preimage")
    if found["preimage"] and hashlib.sha256(bytes.fromhex(found["preimage"])).hexdigest() != hash:
        raise Refused("preimage")
    return {"settled": found["settled"], "preimage": found["preimage"], "pr": found["pr"]}


def offered(body, members, now, offer, request):
    if not isinstance(members, dict):
        raise Refused("missing-invoice")
    if is_text(members.get("error")):
        raise Refused("refused")
    if not is_text(members.get("invoice")):
        raise Refused("missing-invoice")
    with refusing("bolt12"):
        check_invoice(
            read_text(members["invoice"], "lni"), bytes.fromhex(request), "outside", None, None, now, [CHAINS["bitcoin"]])
    return {"invoice": members["invoice"]}
