"""The models of the package lnurl accept every body that we serve; they take no member that they do not know."""

import hashlib

import bolt11
import coincurve
import lnurl
from lnurl import models

from service import get, post

IMAGE = (  # one transparent pixel
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
)
ASKED = {"name": "optional", "pubkey": "optional", "identifier": "optional", "email": "optional", "auth": "mandatory"}
ACCOUNTS = {
    "rich": {
        "description": "Kaffee \"für\" ☕ \\ /",
        "longDescription": "Two lines,\nand a tab\t.",
        "image": {"format": "png", "base64": IMAGE},
        "mailbox": True,
        "commentAllowed": 10,
        "minSendable": 1_000,
        "maxSendable": 2_000_000,
    },
    "asking": {"description": "Who are you?", "payerData": ASKED},
    "talking": {"description": "With a message", "successAction": {"message": "Danke! ☕"}},
    "linking": {"description": "With a link"},
    "sealing": {"description": "With a secret", "successAction": {"secret": "The code is 4711 ☕", "description": "Your code"}},
}


def judge(service, comparison):
    for name, settings in ACCOUNTS.items():
        if name == "linking":
            settings["successAction"] = {"url": service.url("/thanks"), "description": "Your receipt"}
        service.put_account(name, settings)
    for name in ["judged", *ACCOUNTS]:
        for path in (f"/.well-known/lnurlp/{name}", f"/lnurlp/{name}", f"/lnurlp/{name}+shop"):
            judge_payment(service, path, comparison)
    judge_errors(service, comparison)


def judge_payment(service, path, comparison):
    """Both steps and the verification, each hash against the metadata as served."""
    body = get(service.url(path)).json
    info = comparison.accepts(f"{path}: info", lambda: models.LnurlPayResponse(**body))
    if info is None:
        return
    separator = "&" if info.callback.query else "?"
    request = f"{info.callback}{separator}amount=21000"
    committed = info.metadata
    parameters = {"amount": 21_000}
    if info.payerData:
        payer = payer_data(info.payerData.auth.k1)
        parameters["payerdata"] = payer
        committed += payer
        answer = post(str(info.callback), parameters).json
    else:
        answer = get(request).json
    invoice = comparison.accepts(f"{path}: invoice", lambda: models.LnurlPayActionResponse(**answer))
    if invoice is None:
        return
    read = bolt11.decode(invoice.pr)
    comparison.same(
        f"{path}: what the invoice commits to",
        {"hash": read.description_hash, "msat": int(read.amount_msat)},
        {"hash": hashlib.sha256(committed.encode()).hexdigest(), "msat": 21_000},
    )
    verification = get(str(invoice.verify)).json
    comparison.accepts(f"{path}: verify, unpaid", lambda: models.LnurlPayVerifyResponse(**verification))
    comparison.holds(f"{path}: no preimage before it is paid", verification["preimage"] is None)


def payer_data(k1):
    """Signed by the package lnurl."""
    linking_key = hashlib.sha256(b"a payer").digest()
    key, signature = lnurl.lnurlauth_signature(k1, linking_key)
    data = models.LnurlPayerData(
        name="Judge ☕",
        identifier="judge@example.com",
        pubkey=coincurve.PrivateKey(linking_key).public_key.format().hex(),
        auth=models.LnurlPayerDataAuth(key=key, k1=k1, sig=signature),
    )
    return data.json()


def judge_errors(service, comparison):
    unknown_hash = "00" * 32
    for path in (
        "/.well-known/lnurlp/nobody",
        "/lnurlp/nobody",
        "/lnurlp/",
        "/lnurlpay/judged/invoice",
        "/lnurlpay/judged/invoice?amount=0",
        "/lnurlpay/judged/invoice?amount=1e3",
        "/lnurlpay/judged/invoice?amount=18446744073709551616",
        "/lnurlpay/nobody/invoice?amount=1000",
        "/lnurlpay/rich/invoice?amount=3000000",
        "/lnurlpay/rich/invoice?amount=1000&comment=12345678901",
        "/lnurlpay/asking/invoice?amount=1000",
        f"/lnurlpay/judged/{unknown_hash}",
        "/lnurlpay/judged/nothing/here",
    ):
        answer = get(service.url(path))
        comparison.accepts(f"{path}: error", lambda: models.LnurlErrorResponse(**answer.json))
        comparison.holds(f"{path}: status 200, open to browsers", is_open(answer))


def is_open(answer):
    return answer.status == 200 and answer.headers["Access-Control-Allow-Origin"] == "*"
