"""lnurl (PyPI) reads what payers of an app user get: limits, an invoice, whether it is paid."""

import pathlib

from lnurl import models

from demo.phone import Phone
from service import get

SETTINGS = {
    "RESPONDER_GATEWAY_ENABLED": "true", "RESPONDER_GATEWAY_NETWORK": "regtest",
    "RESPONDER_GATEWAY_ALLOW_LOOPBACK": "true",
}


def judge(service, comparison):
    phone = Phone(service.binaries, pathlib.Path(service.folder), service.url(""))
    key = str(pathlib.Path(service.folder) / "wallet.key")
    registered = service.lnurl("register", service.url(""), "--key-file", key, "--webhook", phone.webhook, "--name", "phone")
    for path in ("/.well-known/lnurlp/phone", f"/lnurlp/{registered['key']}"):
        answer = get(service.url(path)).json
        comparison.accepts(f"{path} is a payRequest", lambda answer=answer: models.LnurlPayResponse(**answer))
        invoice = get(f"{answer['callback']}?amount=21000").json
        comparison.accepts("its callback gives an invoice", lambda invoice=invoice: models.LnurlPayActionResponse(**invoice))
        paid = get(invoice["verify"]).json
        comparison.holds("its verify URL says that it is not paid", paid["status"] == "OK" and paid["settled"] is False)
    refused = get(service.url("/lnurlpay/phone/invoice?amount=0")).json
    comparison.accepts("a refusal is an error", lambda: models.LnurlErrorResponse(**refused))
