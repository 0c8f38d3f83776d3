"""The exchanges, one for each type of notification and for each way in which it ends."""

import hashlib
import json
import pathlib
import time

import bolt11_reader
from demo.stage import ENVELOPES
from refused import Refused

CALLBACK = "https://example.com/lnurlpay/alice/invoice"
VERIFY = "https://example.com/lnurlpay/alice/{payment_hash}"
WEEK = 604_800


def pay_info(stage, service):
    """What may be sent; the metadata."""
    stage.title("lnurlpay_info: what may be sent?")
    replies = [stage.ask("lnurlpay_info", {"callback_url": CALLBACK}, envelope, max_age=60) for envelope in ENVELOPES]
    info = replies[0]
    stage.check(all(reply == info for reply in replies), "every envelope gets the same answer")
    stage.check(info.get("tag") == "payRequest" and info.get("callback") == CALLBACK, "the callback is copied")
    stage.check(1 <= info.get("minSendable", 0) <= info.get("maxSendable", 0), "the least amount is not above the most")
    return info.get("metadata", "")


def pay_invoice(stage, service, metadata):
    """An invoice of 21 sat; its text and payment hash."""
    stage.title("lnurlpay_invoice: an invoice, please")
    wish = {"amount": 21_000, "comment": "thanks & <hi> ⚡", "verify_url": VERIFY}
    answer = stage.ask("lnurlpay_invoice", wish)
    invoice = checked_invoice(stage, answer.get("pr", ""), metadata)
    stage.check(answer.get("routes") == [], "routes is empty")
    verify = VERIFY.replace("{payment_hash}", invoice.get("paymentHash", "?"))
    stage.check(answer.get("verify") == verify, "verify holds the payment hash")
    other = stage.ask("lnurlpay_invoice", {"amount": 21_000, "comment": None, "verify_url": None}, "push")
    stage.check(other.get("pr", "") not in ("", answer.get("pr")), "another payer gets another invoice")
    stage.check("verify" not in other, "and no verify, since none was asked for")

    stage.title("lnurlpay_invoice: more than can be received")
    refusal = stage.ask("lnurlpay_invoice", {"amount": 2**64 - 1})
    reason = f"Invalid amount requested {2**64 - 1}"
    stage.check(refusal == {"status": "ERROR", "reason": reason}, f"ERROR: {reason}")
    return answer.get("pr", ""), invoice.get("paymentHash", "")


def checked_invoice(stage, text, metadata):
    try:
        invoice = bolt11_reader.read(text)
    except (Refused, IndexError):
        stage.check(False, "pr is a correct BOLT11 invoice")
        return {}
    stage.check(True, "pr is a correct BOLT11 invoice")
    stage.check(invoice["amount"] == 21_000, "its amount is what was asked")
    digest = hashlib.sha256(metadata.encode()).hexdigest()
    stage.check(invoice["descriptionHash"] == digest, "it commits to the metadata")
    return invoice


def pay_verify(stage, service, text, payment_hash):
    """Whether that was paid: not yet, then yes."""
    stage.title("lnurlpay_verify: has it been paid?")
    answer = stage.ask("lnurlpay_verify", {"payment_hash": payment_hash}, max_age=3)
    stage.check(answer.get("status") == "OK" and answer.get("settled") is False, "not yet")
    stage.check(answer.get("preimage") is None and answer.get("pr") == text, "no preimage, and the invoice")

    stage.title("lnurlpay_verify: and now?")
    service.responder("settle", payment_hash)
    answer = stage.ask("lnurlpay_verify", {"payment_hash": payment_hash}, max_age=WEEK)
    preimage = bytes.fromhex(answer.get("preimage") or "")
    stage.check(answer.get("settled") is True, "settled")
    stage.check(hashlib.sha256(preimage).hexdigest() == payment_hash, "the preimage proves it")

    stage.title("lnurlpay_verify: an invoice that is not ours")
    answer = stage.ask("lnurlpay_verify", {"payment_hash": "00" * 32})
    stage.check(answer == {"status": "ERROR", "reason": "Not found"}, "ERROR: Not found")


def invoice_request(stage, service):
    """BOLT12: in the response, and at a reply URL."""
    offer = service.responder("offer", "create", "alice", "--description", "Tea")["offer"]
    key = str(service.folder / "payer.key")
    made = service.lnurl("invoice-request", "create", offer, "--amount", "21sat", "--key-file", key)
    text, request = made["invoiceRequest"], made["bytes"]

    stage.title("invoice.request: from a swap service, answered in the response")
    answer = stage.notify("invoice.request", {"offer": offer, "invoiceRequest": request}, "event").json
    invoice = answer.get("invoice", "")
    # Judged with every rule of a payer; the run ends here when one is broken.
    service.lnurl("decode", invoice, "--for", text)
    stage.check(True, "the invoice is what was requested")

    stage.title("invoice_request: the same from a phone's notification, answered by a post")
    again = stage.ask("invoice_request", {"offer": offer, "invoice_request": request}, "push")
    stage.check(again == {"invoice": invoice}, "the same request gets the same invoice")

    stage.title("invoice_request: one that cannot be read")
    refusal = stage.ask("invoice_request", {"offer": offer, "invoice_request": "00"}, "push")
    stage.check(list(refusal) == ["error"], "an error in the shape of BOLT12")


def news(stage, service, payment_hash):
    """What is only told: nobody waits for an answer."""
    swap = hashlib.sha256(b"swap").hexdigest()
    for kind, payload, envelope in [
        ("swap.update", {"id": swap, "status": "transaction.mempool"}, "event"),
        ("swap_updated", {"id": swap, "status": "transaction.confirmed"}, "push"),
        ("payment_received", {"payment_hash": payment_hash}, "template"),
        ("address_txs_confirmed", {"address": "bcrt1qexample"}, "template"),
        ("tx_confirmed", {"tx_id": "00" * 32}, "template"),
    ]:
        stage.title(f"{kind}: nobody waits for an answer")
        stage.notify(kind, payload, envelope)


def handlers(folder):
    """A configuration file in which the example of the hook contract answers a type of its own."""
    example = pathlib.Path(__file__).resolve().parent.parent / "hook" / "example.py"
    command = ["/usr/bin/python3", "-B", str(example), str(folder / "hook")]
    file = folder / "config.yaml"
    file.write_text(json.dumps({"notifications": {"handlers": {"shop_order": {"command": command}}}}))
    return file


def own_type(stage):
    """A type that a program answers."""
    expected = {"order": 7, "accepted": True}
    stage.title("shop_order: a type of one's own, answered by a program")
    stage.check(stage.ask("shop_order", {"order": 7}) == expected, "the program's reply is posted")
    returned = stage.notify("shop_order", {"order": 7})
    stage.check(returned.json == expected, "without a reply URL it is in the response")


def refusals(stage, service):
    """What is not even accepted."""
    stage.title("a reply URL that points into somebody's network")
    for url in ("http://169.254.169.254/", "https://10.0.0.1/", "https://[::ffff:127.0.0.1]/", "https://a@example.com/"):
        stage.notify("lnurlpay_info", {"callback_url": CALLBACK, "reply_url": url}, status=400)
    stage.title("what cannot be read")
    stage.notify("lnurlpay_invoice", {"amount": "21000", "reply_url": "https://example.com/response/1"}, status=400)
    stage.title("a wrong secret")
    wrong = stage.webhook[:-1] + ("1" if stage.webhook[-1] == "0" else "0")
    stage.notify("lnurlpay_info", {"callback_url": CALLBACK}, status=404, webhook=wrong)


def event_log(stage, service):
    """What the ledger says about all of it."""
    stage.title("lightning-responder events")
    expected = {
        "lnurlpay_info", "lnurlpay_invoice", "lnurlpay_verify", "invoice_request", "swap_updated", "payment_received",
        "address_txs_confirmed", "tx_confirmed", "shop_order",
    }
    deadline = time.monotonic() + 30
    while True:
        # Some are worked on beyond their answer.
        events = service.responder("events", "--account", "alice", "--limit", "1000")["events"]
        missing = expected - {event["type"] for event in events}
        if not missing or time.monotonic() > deadline:
            break
        time.sleep(0.2)
    for event in events:
        print(f"   {event['type']:22} {event['envelope']:10} {event['outcome']:9} reply: {event['delivery']}")
    stage.check(not missing, "every type is in the log" + "".join(f", but not {kind}" for kind in sorted(missing)))
    posted = [event for event in events if event["delivery"] not in (None, "taken", "in-response")]
    stage.check(not posted, "every reply was taken")
