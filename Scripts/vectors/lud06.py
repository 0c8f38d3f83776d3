"""LUD-06 with what LUD-09, 11, 12, 16, 18, 20, 21 and 26 add to its texts."""

import hashlib
import urllib.parse

import lud09
import lud18
from luds import Answer, Real, is_integer, is_text, read_json, read_url
from refused import Refused, refusing

IMAGES = ("image/png;base64", "image/jpeg;base64")
KNOWN = ("text/plain", "text/long-desc", "text/identifier", "text/email", "text/tag") + IMAGES


def metadata(metadata):
    with refusing("metadata-not-json", ValueError):
        entries = read_json(metadata)
    if not isinstance(entries, list):
        raise Refused("metadata-not-an-array")
    found = {}
    for entry in entries:
        if not isinstance(entry, list) or not entry or not is_text(entry[0]):
            raise Refused("malformed-entry")
        kind = entry[0]
        if kind not in KNOWN:
            continue
        if len(entry) < 2 or not is_text(entry[1]):
            raise Refused("content-not-text")
        if kind in IMAGES and any(image in found for image in IMAGES):
            raise Refused("several-images")
        if kind in found:
            raise Refused("repeated-entry")
        found[kind] = entry[1]
    if "text/plain" not in found:
        raise Refused("missing-plain-text")
    image = next((kind for kind in IMAGES if kind in found), None)
    return {
        "plainText": found["text/plain"],
        "longDescription": found.get("text/long-desc"),
        "identifier": found.get("text/identifier"),
        "email": found.get("text/email"),
        "tag": found.get("text/tag"),
        "imageType": image,
        "image": found.get(image),
        "hash": hashlib.sha256(metadata.encode()).hexdigest(),
    }


def pay_request(body):
    answer = Answer(body)
    if answer.text("tag") != "payRequest":
        raise Refused("wrong-tag")
    metadata(answer.text("metadata"))
    least, greatest = answer.unsigned("minSendable"), answer.unsigned("maxSendable")
    found = {
        "callback": answer.url("callback"),
        "minSendable": least,
        "maxSendable": greatest,
        "metadata": answer.text("metadata"),
        "commentAllowed": answer.unsigned("commentAllowed") if answer.has("commentAllowed") else 0,
        "payerData": lud18.asked(answer.members["payerData"]) if answer.has("payerData") else None,
    }
    if least == 0:
        raise Refused("minimum-is-zero")
    if least > greatest:
        raise Refused("minimum-above-maximum")
    return found


def pay_invoice(callback, body):
    answer = Answer(body)
    if not answer.text("pr"):
        raise Refused("missing-pr")
    action = answer.members.get("successAction")
    return {
        "pr": answer.text("pr"),
        "verify": answer.url("verify") if answer.has("verify") else None,
        "disposable": answer.bool("disposable") if answer.has("disposable") else True,
        "successAction": None if action is None else lud09.action(callback, action)["action"],
    }


def callback(query, body=None):
    pairs = urllib.parse.parse_qsl(query, keep_blank_values=True)
    if body is not None:
        members = read_json(body)
        if not isinstance(members, dict):
            raise Refused("body-not-an-object")
        for name, value in members.items():
            if name not in ("amount", "comment", "payerdata") or value is None:
                continue
            is_number = is_integer(value) or isinstance(value, Real)
            if not (is_text(value) or is_number and name == "amount"):
                raise Refused("malformed-" + name)
            pairs.append((name, str(value)))
    found = {}
    for name, value in pairs:
        if name in ("amount", "comment", "payerdata"):
            if name in found:
                raise Refused("repeated-" + name)
            found[name] = value
    if "amount" not in found:
        raise Refused("amount-missing")
    amount = found["amount"]
    if not amount or set(amount) - set("0123456789"):
        raise Refused("amount-not-digits")
    if int(amount) == 0:
        raise Refused("amount-zero")
    if int(amount) >= 2**63:
        raise Refused("amount-too-large")
    return {
        "amount": int(amount), "comment": found.get("comment") or None, "payerData": found.get("payerdata") or None,
    }


def callback_url(callback, amount, comment=None, payerData=None):
    items = [("amount", str(amount))]
    items += [("comment", comment)] if comment else []
    items += [("payerdata", payerData)] if payerData else []
    url = read_url(callback)
    query = urllib.parse.urlencode(items, quote_via=urllib.parse.quote, safe="")
    return {"url": url + ("&" if "?" in url else "?") + query}
