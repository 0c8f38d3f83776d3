#!/usr/bin/env python3
"""Second implementation of what app users sign, and of the checks of their devices' replies. Writes Vectors/registration/;
--check compares."""

import hashlib
import json
import re

import bolt11
import bolt11_reader
import bolt12_documents as bolt12
import secp256k1
from bech32 import to_groups
from bolt12_reader import CHAINS, read_text, tu, write_text
from bolt12_rules import check_invoice
from lud06 import pay_request
from lud21 import verify
from luds import Refused, is_integer, is_text, judged, read_json
from vector_files import document, main

OWN = "Scripts/vectors/registrations.py"
BREEZ = "breez/breez-lnurl adefa3d4, run on loopback"
NOW = 1_700_000_000
DOMAIN = "lnurl.example.com"
ALICE, BOB = b"\x11" * 32, b"\x22" * 32
ALICE_KEY = secp256k1.public(ALICE).hex()
HOOK = "https://h/x"
RULES = {
    "body": "The body is no JSON object, or a member has another type.",
    "clock": "The statement's time is too far from the server's: more than 60 s.",
    "name-too-long": "The name has more than 64 bytes.",
    "name": "The name is empty, or has characters that LUD-16 does not know. (breez-lnurl itself takes more.)",
    "dots": "The name begins or ends with a dot, or has two in a row.",
    "offer": "The offer does not begin with lno in lower case.",
    "signature": "The signature is not that key's over this statement.",
}

# Lightning's signmessage


ZBASE32 = "ybndrfg8ejkmcpqxot1uwisza345h769"


def zbase32(data):
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    return "".join(ZBASE32[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))


def from_zbase32(text):
    if any(c not in ZBASE32 for c in text):
        return None
    bits = "".join(f"{ZBASE32.index(c):05b}" for c in text)
    whole, rest = bits[: len(bits) // 8 * 8], bits[len(bits) // 8 * 8 :]
    if len(rest) > 4 or "1" in rest:
        return None
    return bytes(int(whole[i : i + 8], 2) for i in range(0, len(whole), 8))


def message_digest(text):
    once = hashlib.sha256(b"Lightning Signed Message:" + text.encode()).digest()
    return hashlib.sha256(once).digest()


def sign_message(text, secret, header=31):
    signature, recovery = secp256k1.ecdsa_sign(secret, message_digest(text))
    return zbase32(bytes([header + recovery]) + signature)


def signer(text, signature):
    data = from_zbase32(signature)
    if data is None or len(data) != 65 or not 31 <= data[0] <= 34:
        return None
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
    try:
        request = read_json(body)
    except ValueError:
        raise Refused("body") from None
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
    found = signer(text, signature)
    if found is None or found.hex() != key:
        raise Refused("signature")
    return {"statement": text, "name": name, "offer": offer}


def breez_cases():
    def case(operation, text, secret=ALICE, key=None, now=NOW, signature=None, **members):
        body = {"time": NOW, **members, "signature": signature or sign_message(text, secret)}
        body = {name: value for name, value in body.items() if value is not ...}
        return {
            "operation": operation, "key": key or ALICE_KEY, "domain": DOMAIN, "now": now,
            "body": json.dumps(body, ensure_ascii=False),
        }

    plain, named = f"{NOW}-{HOOK}", f"{NOW}-{HOOK}-alice"
    golden = "rbbickhu59wtngj48q6cy84cks7b57qa9ncjmak6juw4n7uix1mws8tckof1uey7kwunah6niip6g3gpiic69w6unoo4zx3e8jrircq7"
    yield "a published signature", case("register", "", signature=golden, webhook_url=HOOK, username="alice"), None, BREEZ
    yield "without a name", case("register", plain, webhook_url=HOOK, username=None, offer=None), None
    yield "the members may be missing", case("register", plain, webhook_url=HOOK), None
    yield "a name in upper case is signed as sent, and folded", case(
        "register", f"{NOW}-{HOOK}-Alice", webhook_url=HOOK, username="Alice"), None
    yield "with an offer", case("register", named + "-lno1aaa", webhook_url=HOOK, username="alice", offer="lno1aaa"), None
    yield "an offer without a name is not signed, and ignored", case(
        "register", plain, webhook_url=HOOK, offer="lno1aaa"), None
    yield "what is ignored is not looked at", case("register", plain, webhook_url=HOOK, offer="LNO1AAA"), None
    yield "unknown members", case("register", named, webhook_url=HOOK, username="alice", domain="x"), None
    yield "unregister", case("unregister", plain, webhook_url=HOOK), None
    yield "unregister signs no name", case("unregister", plain, webhook_url=HOOK, username="alice"), None
    yield "recover", case("recover", plain, webhook_url=HOOK), None
    yield "an offer of a name", case("register-offer", f"{NOW}-Alice-lno1bbb", username="Alice", offer="lno1bbb"), None
    yield "an offer is given up", case("unregister-offer", f"{NOW}-lno1bbb", offer="lno1bbb"), None
    yield "an offer is recovered", case("recover-offer", f"{NOW}-lno1bbb", offer="lno1bbb"), None
    yield "parts joined by hyphens: the end of a URL looks like a name", case(
        "unregister", named, webhook_url=HOOK + "-alice"), None
    yield "64 bytes of name", case(
        "register", f"{NOW}-{HOOK}-{'a' * 64}", webhook_url=HOOK, username="a" * 64), None
    yield "60 s behind", case("recover", plain, webhook_url=HOOK, now=NOW + 60), None
    yield "60 s ahead", case("recover", plain, webhook_url=HOOK, now=NOW - 60), None
    for name, given, rule in [
        ("61 s behind", case("recover", plain, webhook_url=HOOK, now=NOW + 61), "clock"),
        ("61 s ahead", case("recover", plain, webhook_url=HOOK, now=NOW - 61), "clock"),
        ("no time", case("recover", "0-" + HOOK, webhook_url=HOOK, time=None), "clock"),
        ("the least time", case("recover", plain, webhook_url=HOOK, time=-(2**63)), "clock"),
        ("the time comes before the signature", case("recover", plain, BOB, webhook_url=HOOK, now=0), "clock"),
        ("a time as text", case("recover", plain, webhook_url=HOOK, time=str(NOW)), "body"),
        ("a time beyond 64 bits", case("recover", plain, webhook_url=HOOK, time=2**63), "body"),
        ("a webhook that is a number", case("recover", plain, webhook_url=7), "body"),
        ("a name that is a list", case("register", named, webhook_url=HOOK, username=["alice"]), "body"),
        ("65 bytes of name", case("register", "", webhook_url=HOOK, username="a" * 65), "name-too-long"),
        ("an empty name", case("register", f"{NOW}-{HOOK}-", webhook_url=HOOK, username=""), "name"),
        ("a name beyond ASCII", case("register", f"{NOW}-{HOOK}-é", webhook_url=HOOK, username="é"), "name"),
        ("a name with a tag", case("register", f"{NOW}-{HOOK}-a+b", webhook_url=HOOK, username="a+b"), "name"),
        ("a name with an @", case("register", f"{NOW}-{HOOK}-a@b", webhook_url=HOOK, username="a@b"), "name"),
        ("a name with a slash", case("register", f"{NOW}-{HOOK}-a/b", webhook_url=HOOK, username="a/b"), "name"),
        ("a line feed at the end", case("register", named + "\n", webhook_url=HOOK, username="alice\n"), "name"),
        ("two dots", case("register", f"{NOW}-{HOOK}-..", webhook_url=HOOK, username=".."), "name"),
        ("a dot first", case("register", f"{NOW}-{HOOK}-.a", webhook_url=HOOK, username=".a"), "dots"),
        ("a dot last", case("register", f"{NOW}-{HOOK}-a.", webhook_url=HOOK, username="a."), "dots"),
        ("two dots in a row", case("register", f"{NOW}-{HOOK}-a..b", webhook_url=HOOK, username="a..b"), "dots"),
        ("an offer in upper case", case(
            "register", named + "-LNO1A", webhook_url=HOOK, username="alice", offer="LNO1A"), "offer"),
        ("another key's signature", case("register", named, BOB, webhook_url=HOOK, username="alice"), "signature"),
        ("the key in upper case", case("recover", plain, webhook_url=HOOK, key=ALICE_KEY.upper()), "signature"),
        ("the name that was signed is another", case("register", named, webhook_url=HOOK, username="bob"), "signature"),
        ("the folded name was signed", case("register", named, webhook_url=HOOK, username="Alice"), "signature"),
        ("no signature", case("recover", plain, webhook_url=HOOK, signature=...), "signature"),
        ("an uncompressed key's header", case(
            "recover", plain, webhook_url=HOOK, signature=sign_message(plain, ALICE, header=27)), "signature"),
        ("a character outside the alphabet", case(
            "recover", plain, webhook_url=HOOK, signature="l" + sign_message(plain, ALICE)[1:]), "signature"),
        ("103 characters", case("recover", plain, webhook_url=HOOK, signature=sign_message(plain, ALICE)[:-1]), "signature"),
    ]:
        yield name, given, rule
    yield "no JSON", case("recover", plain) | {"body": "{"}, "body"
    yield "an array", case("recover", plain) | {"body": "[]"}, "body"


# Replies

CALLBACK = "https://pay.example.com/lnurlpay/alice/invoice"
VERIFY = "https://pay.example.com/lnurlpay/alice/{payment_hash}"
METADATA = '[["text/plain","Pay with LNURL"]]'
ZAP = '{"kind":9734,"content":"é"}'
PREIMAGE = bytes(range(32))
MADE = 1_700_000_000
REPLY_RULES = {
    "json": "No JSON: HTML, for instance.",
    "refused": "The device refuses, with a reason.",
    "shape": "A member is missing or malformed, or breaks a rule of LUD-06 or LUD-21.",
    "callback": "The callback is not the one that was asked.",
    "bolt11": "The invoice is not BOLT11, or its signature is not valid.",
    "network": "The invoice is for another network.",
    "amount": "The invoice is for another amount, or for any.",
    "description": "The invoice commits neither to the metadata that was shown nor to the zap request.",
    "expired": "The invoice has expired.",
    "payment-hash": "The invoice is not the one that was asked about.",
    "preimage": "The preimage is not that of the invoice, or the invoice is said to be paid without one.",
    "missing-invoice": "Neither `invoice` nor `error`.",
    "bolt12": "The invoice is not BOLT12, or does not answer the request.",
}


def mark(hash):
    return max(1, int.from_bytes(hash[:8], "big"))


def reply(question, body, now, network="bitcoin", **asked):
    try:
        json_body = read_json(body)
    except ValueError:
        raise Refused("json") from None
    return {"info": info, "invoice": invoice, "verify": verification, "request": offered}[question](
        body, json_body, now, network, **asked)


def lnurl(read):
    try:
        return read()
    except Refused as refused:
        raise Refused("refused" if str(refused) == "service-error" else "shape") from None


def info(body, _, now, network, callback):
    found = lnurl(lambda: pay_request(body))
    if found["callback"] != callback:
        raise Refused("callback")
    members = json.loads(body)
    key = members.get("nostrPubkey")
    is_key = members.get("allowsNostr") is True and is_text(key) and re.fullmatch("[0-9a-fA-F]{64}", key)
    return {name: found[name] for name in ("minSendable", "maxSendable", "metadata", "commentAllowed")} | {
        "nostrPubkey": key.lower() if is_key else None, "mark": mark(hashlib.sha256(found["metadata"].encode()).digest())}


def read_invoice(text, network):
    try:
        found = bolt11_reader.read(text)
    except Refused:
        raise Refused("bolt11") from None
    if found["network"] != network:
        raise Refused("network")
    return found


def invoice(body, members, now, network, amount, shown, nostr=None):
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
    found = read_invoice(pr, network)
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


def verification(body, _, now, network, hash):
    found = lnurl(lambda: verify(body))
    if read_invoice(found["pr"], network)["paymentHash"] != hash:
        raise Refused("payment-hash")
    if found["settled"] and not found["preimage"]:
        raise Refused("preimage")
    if found["preimage"] and hashlib.sha256(bytes.fromhex(found["preimage"])).hexdigest() != hash:
        raise Refused("preimage")
    return {"settled": found["settled"], "preimage": found["preimage"], "pr": found["pr"]}


def invoices():
    def made(amount="1u", text=METADATA, prefix="lnbc", hash=None, fields=b"", timestamp=MADE, **options):
        hash = hash or hashlib.sha256(PREIMAGE).digest()
        described = text if isinstance(text, list) else bolt11.field(
            bolt11.H, to_groups(hashlib.sha256(text.encode()).digest()))
        fields = bolt11.s + bolt11.field(bolt11.P, to_groups(hash)) + described + list(fields)
        return bolt11.make(fields, hrp=prefix + amount, timestamp=timestamp, **options)

    return made


def reply_cases():
    made = invoices()
    usual = {"callback": CALLBACK, "maxSendable": 25_000_000_000, "minSendable": 100_000, "metadata": METADATA,
             "commentAllowed": 256, "tag": "payRequest", "allowsNostr": False}
    shown = mark(hashlib.sha256(METADATA.encode()).digest())
    paid_hash = hashlib.sha256(PREIMAGE).hexdigest()

    def about(question, body, now=MADE + 60, **asked):
        return {"question": question, "now": now,
                "body": body if isinstance(body, str) else json.dumps(body, ensure_ascii=False), **asked}

    def told(**changes):
        members = {name: value for name, value in (usual | changes).items() if value is not ...}
        return about("info", members, callback=CALLBACK)

    yield "info as the plugin for Liquid replies", told(), None
    yield "info as the plugin for Greenlight replies", told(commentAllowed=..., allowsNostr=...), None
    yield "a null key of Nostr", told(nostrPubkey=None), None
    yield "a key of Nostr", told(allowsNostr=True, nostrPubkey=ALICE_KEY[2:]), None
    yield "a key of Nostr that is none", told(allowsNostr=True, nostrPubkey="7"), None
    yield "info with another callback", told(callback=CALLBACK + "?x=1"), "callback"
    yield "info without metadata", told(metadata=...), "shape"
    yield "info with metadata that are no JSON", told(metadata='[["text/plain","say "hi""]]'), "shape"
    yield "info from which nothing may be sent", told(minSendable=0), "shape"
    yield "info of another tag", told(tag="withdrawRequest"), "shape"
    yield "info that is an error", about(
        "info", {"status": "ERROR", "reason": "Minimum sendable amount is invalid"}, callback=CALLBACK), "refused"
    yield "HTML", about("info", "<html>not json", callback=CALLBACK), "json"
    yield "nothing", about("info", "", callback=CALLBACK), "json"
    yield "an array", about("info", "[]", callback=CALLBACK), "shape"

    def answered(pr, amount=100_000, mark=shown, now=MADE + 60, nostr=None, **members):
        asked = {"amount": amount, "shown": mark} | ({"nostr": nostr} if nostr else {})
        return about("invoice", {"pr": pr, "routes": []} | members, now=now, **asked)

    yield "an invoice", answered(made()), None
    yield "an invoice with a verify URL: ours is written", answered(made(), verify="https://elsewhere.example/"), None
    yield "an invoice with a null verify URL", answered(made(), verify=None), None
    yield "an invoice in upper case", answered(made().upper()), None
    yield "an invoice of a payer who was shown nothing", answered(made(text="anything"), mark=None), None
    yield "an invoice for a zap that commits to the zap request", answered(made(text=ZAP), nostr=ZAP), None
    yield "an invoice for a zap that commits to the metadata", answered(made(), nostr=ZAP), None
    yield "an invoice of an amount that is no whole satoshi", answered(made("15n"), amount=1_500), None
    yield "the last second of an invoice", answered(made(), now=MADE + 3599), None
    yield "an invoice of another amount", answered(made("2u")), "amount"
    yield "an invoice rounded to whole satoshis", answered(made("10n"), amount=1_500), "amount"
    yield "an invoice of any amount", answered(made("")), "amount"
    yield "an invoice of another network", answered(made(prefix="lnbcrt")), "network"
    yield "an invoice that commits to other metadata", answered(made(text='[["text/plain","x"]]')), "description"
    yield "an invoice that commits to another zap request", answered(made(text=ZAP), nostr=ZAP + " "), "description"
    yield "a zap request that was not sent", answered(made(text=ZAP)), "description"
    yield "an invoice with the text of the metadata", answered(made(text=bolt11.d)), "description"
    yield "with text, although nothing was shown", answered(made(text=bolt11.d), mark=None), "description"
    yield "an expired invoice", answered(made(), now=MADE + 3600), "expired"
    yield "an invoice that is none", answered("lnbc1"), "bolt11"
    yield "an invoice whose signature is spoilt", answered(made(spoil=True)), "bolt11"
    yield "no invoice", about("invoice", {"routes": []}, amount=1000, shown=shown), "shape"
    yield "an invoice that is a number", about("invoice", {"pr": 7}, amount=1000, shown=shown), "shape"
    yield "the plugin refuses", about(
        "invoice", '{"status":"ERROR","reason":"Comment is too long"}', amount=1000, shown=shown), "refused"

    def settled(**members):
        return about("verify", {"status": "OK", "pr": made()} | members, hash=paid_hash)

    yield "paid", settled(settled=True, preimage=PREIMAGE.hex()), None
    yield "paid, without its preimage", settled(settled=True), "preimage"
    yield "not paid", settled(settled=False, preimage=None), None
    yield "paid long ago", settled(settled=True, preimage=PREIMAGE.hex()) | {"now": MADE + 10**8}, None
    yield "another invoice", settled(settled=True, preimage=PREIMAGE.hex(), pr=made(hash=b"\x01" * 32)), "payment-hash"
    yield "another preimage", settled(settled=True, preimage="00" * 32), "preimage"
    yield "a preimage before payment", settled(settled=False, preimage=PREIMAGE.hex()), "shape"
    yield "an invoice of another network, asked about", settled(settled=False, pr=made(prefix="lntb")), "network"
    yield "no status of payment", settled(), "shape"
    yield "not found", about("verify", '{"status":"ERROR","reason":"Not found"}', hash=paid_hash), "refused"

    offer = bolt12.offer()
    asked = bolt12.request(offer)
    other = bolt12.request(offer, t0=b"\x07" * 16)

    def requested(body, now=bolt12.NOW):
        return about("request", body, now=now, offer=write_text(offer, "lno"), request=asked.hex())

    yield "a BOLT12 invoice", requested({"invoice": write_text(bolt12.invoice(asked), "lni")}), None
    yield "the answer to another request", requested({"invoice": write_text(bolt12.invoice(other), "lni")}), "bolt12"
    yield "by another key", requested({"invoice": write_text(bolt12.invoice(asked, bolt12.PAYER), "lni")}), "bolt12"
    yield "of another amount", requested({"invoice": write_text(bolt12.invoice(asked, t170=tu(2000)), "lni")}), "bolt12"
    yield "expired", requested({"invoice": write_text(bolt12.invoice(asked), "lni")}, now=bolt12.NOW + 7201), "bolt12"
    yield "a BOLT11 invoice in its place", requested({"invoice": made()}), "bolt12"
    yield "an error", requested({"error": "Amount must be between 100 and 25000000"}), "refused"
    yield "neither", requested({"status": "OK"}), "missing-invoice"


def offered(body, members, now, network, offer, request):
    if not isinstance(members, dict):
        raise Refused("missing-invoice")
    if is_text(members.get("error")):
        raise Refused("refused")
    if not is_text(members.get("invoice")):
        raise Refused("missing-invoice")
    try:
        check_invoice(
            read_text(members["invoice"], "lni"), bytes.fromhex(request), "outside", None, None, now,
            [CHAINS[network]])
    except Refused:
        raise Refused("bolt12") from None
    return {"invoice": members["invoice"]}


def files():
    return {
        "registration/breez-statements.json": document(
            "registration of app users, breez-lnurl", "breez-statements",
            "Check the `body` of a request for `operation` by `key` (66 digits, as in the path) at `domain`, at the time"
            " `now`. Compare the `statement` that is signed, `name` (folded, or null) and `offer` (or null).",
            OWN, judged(breez, breez_cases()), RULES,
        ),
        "registration/replies.json": document(
            "replies of app users' devices", "replies",
            "Check the `body` of a device's reply to a `question` (info, invoice, verify, request) at the time `now`, on the"
            " network `bitcoin`. `shown` is the mark of the metadata that the payer was shown: the first 64 bits of its"
            " SHA-256, at least 1; null when unknown. Verify URLs are those of `" + VERIFY + "`. Compare what the payer"
            " gets.",
            OWN, judged(reply, reply_cases()), REPLY_RULES,
        ),
    }


if __name__ == "__main__":
    main(files())
