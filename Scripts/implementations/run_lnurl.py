"""The package lnurl of PyPI as a runner of Vectors/lud-*: lnurl vectors run --implementation "python run_lnurl.py"."""

import hashlib
import json

import lnurl
from lnurl.types import LnurlPayMetadata

from cases import serve

SCHEMES = {"lnurlp": "payRequest", "lnurlw": "withdrawRequest", "lnurlc": "channelRequest", "keyauth": "login"}
ASKED = ("name", "pubkey", "identifier", "email", "auth")


def read(body, kind):
    answer = lnurl.LnurlResponse.from_dict(json.loads(body))
    if not isinstance(answer, kind):
        raise ValueError(type(answer).__name__)
    return answer


def decode(case):
    url = str(lnurl.decode(case["text"]))
    written = lnurl.url_encode(url)
    return {"url": url, "lower": written.lower(), "upper": written.upper()}


def address(case):
    found = lnurl.LnAddress(case["text"])
    url = str(found.url)
    name, domain = found.address.split("@")
    return {
        "name": name, "domain": domain, "identifier": found.address, "url": url, "tag": found.tag,
        "lnurl": lnurl.url_encode(url).upper(),
    }


def scheme(case):
    found = lnurl.Lnurl(case["text"])
    return {"tag": SCHEMES[found.lud17_prefix], "url": str(found.url)}


def metadata(case):
    found = LnurlPayMetadata(case["metadata"])
    entries = dict(found.list())
    return {
        "plainText": entries.get("text/plain"), "longDescription": entries.get("text/long-desc"),
        "identifier": entries.get("text/identifier"), "email": entries.get("text/email"), "tag": entries.get("text/tag"),
        "imageType": found.images[0][0] if found.images else None, "image": found.images[0][1] if found.images else None,
        "hash": hashlib.sha256(str(found).encode()).hexdigest(),
    }


def pay_request(case):
    answer = read(case["body"], lnurl.LnurlPayResponse)
    asked = {name: getattr(answer.payerData, name) for name in ASKED} if answer.payerData else {}
    return {
        "callback": str(answer.callback), "minSendable": int(answer.minSendable), "maxSendable": int(answer.maxSendable),
        "metadata": str(answer.metadata), "commentAllowed": answer.commentAllowed or 0,
        "payerData": None if answer.payerData is None else {
            "asked": {name: "mandatory" if option.mandatory else "optional" for name, option in asked.items() if option},
            "k1": asked["auth"].k1 if asked["auth"] else None, "unknownMandatory": [],
        },
    }


def pay_invoice(case):
    answer = read(case["body"], lnurl.LnurlPayActionResponse)
    return {
        "pr": str(answer.pr), "verify": answer.verify and str(answer.verify),
        "disposable": True if answer.disposable is None else answer.disposable,
        "successAction": answer.successAction and answer.successAction.dict(),
    }


def success_action(case):
    body = json.dumps({"pr": "lnbc1qqsyqcyq5rqwzqfpfjqvn", "routes": [], "successAction": case["action"]})
    answer = json.loads(body)
    kinds = {"message": lnurl.MessageAction, "url": lnurl.UrlAction, "aes": lnurl.AesAction}
    return {"action": kinds[answer["successAction"]["tag"]](**answer["successAction"]).dict()}


def decrypt(case):
    return {"plaintext": lnurl.aes_decrypt(bytes.fromhex(case["preimage"]), case["ciphertext"], case["iv"])}


def verify(case):
    found = lnurl.LnurlPayVerifyResponse(**json.loads(case["body"]))
    return {"settled": found.settled, "preimage": found.preimage, "pr": str(found.pr)}


if __name__ == "__main__":
    serve(
        {
            ("lud-01", "decode"): decode, ("lud-06", "metadata"): metadata, ("lud-06", "pay-request"): pay_request,
            ("lud-06", "pay-invoice"): pay_invoice, ("lud-09", "success-action"): success_action,
            ("lud-10", "open"): decrypt, ("lud-16", "address"): address, ("lud-17", "decode"): scheme,
            ("lud-21", "verify"): verify,
        }
    )
