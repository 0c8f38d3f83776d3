"""A payment from the first question to the preimage, with our own tools, each result judged from outside."""

import hashlib

import bolt11
from lnurl import aes_decrypt, models

from service import get


def judge(service, comparison):
    address = f"judged@{service.address}"
    metadata = service.lnurl("info", address)["metadata"]
    request = service.lnurl("request", address, "21sat", "--comment", "hi")
    read = bolt11.decode(request["pr"])
    comparison.same(
        "lnurl request",
        {"msat": 21_000, "hash": hashlib.sha256(metadata.encode()).hexdigest()},
        {"msat": int(read.amount_msat), "hash": read.description_hash},
    )
    judge_settlement(service, comparison, request["verify"], read.payment_hash)
    judge_secret(service, comparison)
    judge_restart(service, comparison, request["verify"])


def judge_settlement(service, comparison, verify, payment_hash):
    unpaid = service.lnurl("verify", verify, status=3)
    comparison.holds("lnurl verify: status 3 and no preimage before it is paid", unpaid["preimage"] is None)
    service.responder("settle", payment_hash)
    settled = service.lnurl("verify", "--wait", verify)
    comparison.same(
        "lnurl verify --wait", {"settled": settled["settled"], "hash": payment_hash},
        {"settled": True, "hash": hashlib.sha256(bytes.fromhex(settled["preimage"])).hexdigest()},
    )
    body = get(verify).json
    comparison.accepts("verify, settled", lambda: models.LnurlPayVerifyResponse(**body))
    comparison.same("the preimage as served", {"preimage": body["preimage"]}, {"preimage": settled["preimage"]})


def judge_secret(service, comparison):
    """A success action that only the preimage opens (LUD-10)."""
    answer = get(service.url("/lnurlpay/sealing/invoice?amount=1000")).json
    payment_hash = bolt11.decode(answer["pr"]).payment_hash
    service.responder("settle", payment_hash)
    preimage = service.lnurl("verify", "--wait", answer["verify"])["preimage"]
    action = answer["successAction"]
    text = aes_decrypt(bytes.fromhex(preimage), action["ciphertext"], action["iv"])
    comparison.same("aes action opened", {"text": text}, {"text": "The code is 4711 ☕"})


def judge_restart(service, comparison, verify):
    """Everything outlives the process."""
    before = get(verify).json
    comparison.holds("the service ends with status 0 when told to", service.stop() == 0)
    service.start()
    comparison.same("verify after a restart", get(verify).json, before)
