#!/usr/bin/env python3
"""Second implementation of LUD-06 with what LUD-09, 11, 12, 16, 18, 20, 21 and 26 add to its texts. Writes Vectors/lud-06/ and
Vectors/lud-26/; --check compares."""

import hashlib
import json
import urllib.parse

import lud09
import lud18
from luds import Answer, Refused, Real, is_integer, is_text, judged, member_rules, read_json, read_url
from vector_files import document, main

OWN = "Scripts/vectors/lud06.py"
LUD18 = "LUD-18; the hash: Scripts/vectors/lud06.py"
METADATA_RULES = {
    "metadata-not-json": "The string is no JSON text.",
    "metadata-not-an-array": "The JSON is no array.",
    "malformed-entry": "An entry is no array that begins with a string.",
    "content-not-text": "The content of an entry of known type is no string.",
    "repeated-entry": "A known type, other than a picture, stands twice.",
    "missing-plain-text": "There is no text/plain.",
    "several-images": "More than one picture, of one format or of two.",
}
ANSWER_RULES = member_rules(
    "callback", "minSendable", "maxSendable", "metadata", "commentAllowed", "payerData", "k1", "tag", "pr", "verify",
    "disposable",
) | {
    "wrong-tag": "The tag is not payRequest.",
    "minimum-is-zero": "minSendable is 0.",
    "minimum-above-maximum": "minSendable is greater than maxSendable.",
}
CALLBACK_RULES = {
    "amount-missing": "There is no amount.",
    "amount-not-digits": "The amount is something else than the digits 0 to 9.",
    "amount-zero": "The amount is 0.",
    "amount-too-large": "The amount is above 2^63-1.",
    "repeated-amount": "There are two amounts.",
    "repeated-comment": "There are two comments.",
    "repeated-payerdata": "There are payer data twice.",
    "body-not-an-object": "The body of the POST is no JSON object.",
    "malformed-amount": "The amount in the body is neither a number nor a string.",
    "malformed-comment": "The comment in the body is no string.",
    "malformed-payerdata": "The payer data in the body are no string.",
}
IMAGES = ("image/png;base64", "image/jpeg;base64")
KNOWN = ("text/plain", "text/long-desc", "text/identifier", "text/email", "text/tag") + IMAGES


def metadata(metadata):
    try:
        entries = read_json(metadata)
    except ValueError:
        raise Refused("metadata-not-json") from None
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


def strings():
    plain = '["text/plain", "lorem ipsum blah blah"]'
    identifier = '["text/identifier","alice@example.com"]'
    for name, text, *source in [
        ("one entry, with a space", f"[{plain}]"),
        ("one entry, without a space: another hash", '[["text/plain","lorem ipsum blah blah"]]'),
        ("a Lightning address", f'[["text/plain","Pay to alice@example.com"],{identifier}]'),
        ("raw UTF-8 and an unescaped slash", f'[["text/plain","Café ⚡ \\"quoted\\" / slash"],{identifier}]'),
        ("an escaped slash: the same meaning, another hash", f'[["text/plain","Café ⚡ \\"quoted\\" \\/ slash"],{identifier}]'),
        ("escaped letters: the same meaning, another hash",
         f'[["text/plain","Caf\\u00e9 \\u26a1 \\"quoted\\" / slash"],{identifier}]'),
        ("a mailbox", '[["text/plain","x"],["text/email","alice@example.com"]]'),
        ("a tag", f'[["text/plain","x"],{identifier},["text/tag","rent"]]'),
        ("a long description (LUD-20)", '[["text/plain","x"],["text/long-desc","two\\nlines"]]'),
        ("a picture, whose base64 is not judged", '[["text/plain", "description"], ["image/png;base64", "AAA=="]]', LUD18),
        ("the other kind of picture", '[["image/jpeg;base64","/9j/"],["text/plain","x"]]'),
        ("unknown entries of any content", '[["application/x",{"a":[1,null]},7],["text/plain","x"],["y"]]'),
        ("further items in a known entry", '[["text/plain","x","more"]]'),
        ("an empty description", '[["text/plain",""]]'),
        ("white space at the end counts", '[["text/plain","x"]] \n'),
    ]:
        yield name, {"metadata": text}, None, *source
    for name, text, rule in [
        ("nothing", "", "metadata-not-json"),
        ("a text that is not quoted", "Pay to alice", "metadata-not-json"),
        ("a comma too many", '[["text/plain","x"],]', "metadata-not-json"),
        ("half a surrogate pair", '[["text/plain","\\ud83d"]]', "metadata-not-json"),
        ("an object", '{"text/plain":"x"}', "metadata-not-an-array"),
        ("an empty array", "[]", "missing-plain-text"),
        ("an identifier alone", f"[{identifier}]", "missing-plain-text"),
        ("the type in upper case", '[["TEXT/PLAIN","x"]]', "missing-plain-text"),
        ("an entry that is a string", '[["text/plain","x"],"y"]', "malformed-entry"),
        ("an empty entry", '[["text/plain","x"],[]]', "malformed-entry"),
        ("a type that is a number", '[["text/plain","x"],[1,"y"]]', "malformed-entry"),
        ("no content", '[["text/plain"]]', "content-not-text"),
        ("content that is a number", '[["text/plain",1]]', "content-not-text"),
        ("a long description that is null", '[["text/plain","x"],["text/long-desc",null]]', "content-not-text"),
        ("two descriptions", '[["text/plain","x"],["text/plain","y"]]', "repeated-entry"),
        ("two tags", '[["text/plain","x"],["text/tag","y"],["text/tag","y"]]', "repeated-entry"),
        ("two pictures of one kind", '[["text/plain","x"],["image/png;base64",""],["image/png;base64",""]]', "several-images"),
        ("two pictures of two kinds", '[["text/plain","x"],["image/png;base64",""],["image/jpeg;base64",""]]', "several-images"),
    ]:
        yield name, {"metadata": text}, rule


def requests():
    usual = {
        "callback": "https://example.com/lnurlpay/alice/v1/invoice", "minSendable": 1000, "maxSendable": 100000000,
        "metadata": '[["text/plain","Pay"],["text/identifier","alice@example.com"]]', "tag": "payRequest",
    }
    k1 = "e2af6254a8df433264fa23f67eb8188635d15ce883e8fc020989d5f82ae6f11e"
    absent = object()

    def body(**changes):
        members = {name: value for name, value in (usual | changes).items() if value is not absent}
        return {"body": json.dumps(members, ensure_ascii=False)}

    for name, changes in [
        ("the usual members", {}),
        ("numbers as strings", {"minSendable": "1000", "maxSendable": "100000000", "commentAllowed": "32"}),
        ("status OK and unknown members", {"status": "OK", "allowsNostr": True, "nostrPubkey": "00"}),
        ("one amount alone", {"minSendable": 1, "maxSendable": 1}),
        ("an amount beyond 2^53", {"maxSendable": 9007199254740993}),
        ("the greatest amount", {"maxSendable": 2**64 - 1}),
        ("a callback with a query", {"callback": "https://example.com/c?id=7"}),
        ("a callback on an onion service", {"callback": "http://example.onion/c"}),
        ("a comment (LUD-12)", {"commentAllowed": 255}),
        ("no comment, said so", {"commentAllowed": 0}),
        ("no comment, null", {"commentAllowed": None}),
        ("no payer data, null", {"payerData": None}),
        ("payer data (LUD-18)", {"payerData": {"name": {"mandatory": True}, "email": {"mandatory": False}}}),
        ("payer data without a word on mandatory", {"payerData": {"identifier": {}, "name": None}}),
        ("no field of payer data", {"payerData": {}}),
        ("a signature", {"payerData": {"auth": {"mandatory": True, "k1": k1}}}),
        ("unknown fields of payer data, one of them mandatory",
         {"payerData": {"address": {"mandatory": True}, "colour": {"mandatory": False}}}),
        ("metadata with white space are kept as they are", {"metadata": '[ ["text/plain", "a\\/b"] ]'}),
    ]:
        yield name, body(**changes), None
    for name, changes, rule in [
        ("a minimum of 0", {"minSendable": 0}, "minimum-is-zero"),
        ("a minimum above the maximum", {"minSendable": 100000001}, "minimum-above-maximum"),
        ("a negative minimum", {"minSendable": -1}, "malformed-min-sendable"),
        ("a minimum with a fraction", {"minSendable": 1000.5}, "malformed-min-sendable"),
        ("a minimum with an exponent, as text", {"minSendable": "1e3"}, "malformed-min-sendable"),
        ("a minimum with a sign, as text", {"minSendable": "+1000"}, "malformed-min-sendable"),
        ("an empty minimum", {"minSendable": ""}, "malformed-min-sendable"),
        ("a maximum that is true", {"maxSendable": True}, "malformed-max-sendable"),
        ("a maximum of 2^64", {"maxSendable": str(2**64)}, "malformed-max-sendable"),
        ("no maximum", {"maxSendable": absent}, "missing-max-sendable"),
        ("a maximum that is null", {"maxSendable": None}, "missing-max-sendable"),
        ("no callback", {"callback": absent}, "missing-callback"),
        ("a callback that is no text", {"callback": 1}, "malformed-callback"),
        ("a callback without a scheme", {"callback": "example.com/c"}, "invalid-callback"),
        ("a callback of another scheme", {"callback": "lnurlp://example.com/c"}, "invalid-callback"),
        ("a callback with a password", {"callback": "https://a:b@example.com/c"}, "invalid-callback"),
        ("a callback over plain http", {"callback": "http://example.com/c"}, "clearnet-http"),
        ("no metadata", {"metadata": absent}, "missing-metadata"),
        ("metadata that are no string", {"metadata": [["text/plain", "x"]]}, "malformed-metadata"),
        ("metadata without a description", {"metadata": "[]"}, "missing-plain-text"),
        ("a negative length of comments", {"commentAllowed": -1}, "malformed-comment-allowed"),
        ("true for a length of comments", {"commentAllowed": True}, "malformed-comment-allowed"),
        ("payer data that are an array", {"payerData": []}, "malformed-payer-data"),
        ("a signature over nothing", {"payerData": {"auth": {"mandatory": False}}}, "missing-k1"),
        ("a signature over one byte", {"payerData": {"auth": {"k1": "00"}}}, "malformed-k1"),
        ("no tag", {"tag": absent}, "missing-tag"),
        ("the tag of withdrawing", {"tag": "withdrawRequest"}, "wrong-tag"),
        ("an error beside everything else", {"status": "ERROR", "reason": "No"}, "service-error"),
    ]:
        yield name, body(**changes), rule
    yield "an error", {"body": '{"status":"ERROR","reason":"No such user"}'}, "service-error"
    yield "an error without a reason", {"body": '{"status":"error"}'}, "service-error"
    yield "an array", {"body": "[]"}, "not-an-object"
    yield "null", {"body": "null"}, "not-an-object"


def invoices():
    where = "https://example.com/lnurlpay/alice/v1/invoice"
    message = {"tag": "message", "message": "Thank you"}

    def answer(members):
        return {"callback": where, "body": json.dumps(members, ensure_ascii=False)}

    for name, members in [
        ("everything", {"pr": "lnbc1", "routes": [], "verify": "https://example.com/v", "disposable": False,
                        "successAction": message}),
        ("the invoice alone: disposable by LUD-11", {"pr": "lnbc1"}),
        ("nulls", {"pr": "lnbc1", "routes": None, "verify": None, "disposable": None, "successAction": None}),
        ("status OK and unknown members", {"status": "OK", "pr": "lnbc1", "routes": [], "paymentRequest": "x"}),
        ("disposable", {"pr": "lnbc1", "routes": [], "disposable": True}),
        ("old routes", {"pr": "lnbc1", "routes": [[{"nodeId": "00"}]]}),
        ("a link to the callback's host",
         {"pr": "lnbc1", "successAction": {"tag": "url", "description": "", "url": "https://example.com/o"}}),
    ]:
        yield name, answer(members), None
    for name, members, rule in [
        ("no invoice", {"routes": []}, "missing-pr"),
        ("an invoice that is null", {"pr": None}, "missing-pr"),
        ("an empty invoice", {"pr": ""}, "missing-pr"),
        ("an invoice that is a number", {"pr": 1}, "malformed-pr"),
        ("disposable as text", {"pr": "lnbc1", "disposable": "no"}, "malformed-disposable"),
        ("verify without a scheme", {"pr": "lnbc1", "verify": "verify/00"}, "invalid-verify"),
        ("verify over plain http", {"pr": "lnbc1", "verify": "http://example.com/v"}, "clearnet-http"),
        ("an action of no kind", {"pr": "lnbc1", "successAction": {}}, "missing-tag"),
        ("an action of a new kind", {"pr": "lnbc1", "successAction": {"tag": "new"}}, "unknown-action"),
        ("a link to another host",
         {"pr": "lnbc1", "successAction": {"tag": "url", "description": "", "url": "https://evil.com/"}}, "other-host"),
        ("an error", {"status": "ERROR", "reason": "Amount too low"}, "service-error"),
    ]:
        yield name, answer(members), rule


def queries():
    for name, query in [
        ("an amount", "amount=1000"),
        ("the least amount", "amount=1"),
        ("the greatest amount", f"amount={2**63 - 1}"),
        ("a comment with %20", "amount=1&comment=hello%20world"),
        ("a comment with +", "amount=1&comment=hello+world"),
        ("a comment with an encoded +", "amount=1&comment=1%2B1"),
        ("a comment with an emoji", "comment=%E2%9A%A1&amount=1"),
        ("an empty comment is none", "amount=1&comment="),
        ("unknown parameters, even twice", "nonce=1&nonce=2&__n=3&lnurl=lnurl1&amount=21&fromnodes=x"),
        ("payer data, byte for byte", "amount=1&payerdata=%7B%22name%22%3A%20%22a%2Bb+c%5C%2F%22%7D"),
    ]:
        yield name, {"query": query}, None
    for name, query, rule in [
        ("nothing", "", "amount-missing"),
        ("another parameter", "x=1", "amount-missing"),
        ("Amount in upper case", "Amount=1000", "amount-missing"),
        ("an empty amount", "amount=", "amount-not-digits"),
        ("an amount without =", "amount", "amount-not-digits"),
        ("a negative amount", "amount=-1", "amount-not-digits"),
        ("a sign", "amount=%2B1000", "amount-not-digits"),
        ("a space before", "amount=+1000", "amount-not-digits"),
        ("a space behind", "amount=1000%20", "amount-not-digits"),
        ("an exponent", "amount=1e3", "amount-not-digits"),
        ("hexadecimal", "amount=0x3e8", "amount-not-digits"),
        ("a fraction", "amount=1000.0", "amount-not-digits"),
        ("thousands", "amount=1,000", "amount-not-digits"),
        ("a unit", "amount=1000msat", "amount-not-digits"),
        ("digits of another script", "amount=%D9%A1%D9%A2", "amount-not-digits"),
        ("zero", "amount=0", "amount-zero"),
        ("2^63", f"amount={2**63}", "amount-too-large"),
        ("2^64", f"amount={2**64}", "amount-too-large"),
        ("2^64 and 1000", f"amount={2**64 + 1000}", "amount-too-large"),
        ("the same amount twice", "amount=1&amount=1", "repeated-amount"),
        ("an amount and an empty one", "amount=1&amount=", "repeated-amount"),
        ("two comments", "amount=1&comment=a&comment=b", "repeated-comment"),
        ("payer data twice", "amount=1&payerdata=a&payerdata=a", "repeated-payerdata"),
    ]:
        yield name, {"query": query}, rule


def posts():
    for name, query, body in [
        ("an amount as number", "", '{"amount":1000}'),
        ("an amount as text", "", '{"amount":"1000"}'),
        ("a comment and payer data", "", '{"amount":21000,"comment":"a+b","payerdata":"{\\"name\\": \\"bob\\"}"}'),
        ("null is nothing", "", '{"amount":1,"comment":null}'),
        ("unknown members", "", '{"amount":1,"nonce":[1]}'),
        ("the callback's own query counts", "id=7&comment=hi", '{"amount":1}'),
    ]:
        yield name, {"query": query, "body": body}, None
    for name, query, body, rule in [
        ("an array", "", "[]", "body-not-an-object"),
        ("no amount", "", "{}", "amount-missing"),
        ("an amount that is null", "", '{"amount":null}', "amount-missing"),
        ("a fraction", "", '{"amount":1000.0}', "amount-not-digits"),
        ("an exponent", "", '{"amount":1e3}', "amount-not-digits"),
        ("a negative amount", "", '{"amount":-1}', "amount-not-digits"),
        ("hexadecimal", "", '{"amount":"0x10"}', "amount-not-digits"),
        ("zero", "", '{"amount":0}', "amount-zero"),
        ("2^64-1", "", f'{{"amount":{2**64 - 1}}}', "amount-too-large"),
        ("true", "", '{"amount":true}', "malformed-amount"),
        ("a comment that is a number", "", '{"amount":1,"comment":2}', "malformed-comment"),
        ("payer data that are an object: their bytes would be lost", "", '{"amount":1,"payerdata":{"name":"bob"}}',
         "malformed-payerdata"),
        ("an amount in the query too", "amount=1", '{"amount":1}', "repeated-amount"),
    ]:
        yield name, {"query": query, "body": body}, rule


def urls():
    plain, queried = "https://example.com/c", "https://example.com/c?id=7&x=%20"
    yield "an amount", {"callback": plain, "amount": 21000}, None
    yield "behind a query, which stays as it is", {"callback": queried, "amount": 21000}, None
    yield "a comment", {"callback": plain, "amount": 1, "comment": "a&b=c +é⚡/?"}, None
    yield "payer data", {"callback": queried, "amount": 1, "comment": "hi", "payerData": '{"name":"bob"}'}, None
    yield "an empty comment is none", {"callback": plain, "amount": 1, "comment": ""}, None


def files():
    return {
        "lud-06/metadata.json": document(
            "LUD-06", "metadata",
            "Read the `metadata` string. Compare the contents of the entries (null where there is none) and `hash`, the"
            " SHA-256 of the string's UTF-8.",
            OWN, judged(metadata, strings()), METADATA_RULES,
        ),
        "lud-06/pay-request.json": document(
            "LUD-06", "pay-request",
            "Read the `body` of a first answer. Compare its members; `payerData` is null, or what is `asked` by field, the"
            " challenge `k1`, and the names of mandatory fields that LUD-18 does not know.",
            OWN, judged(pay_request, requests()), ANSWER_RULES | METADATA_RULES,
        ),
        "lud-06/callback.json": document(
            "LUD-06", "callback",
            "Read the `query` of a callback as a service does. Compare `amount` in msat, `comment` and `payerData` (null where"
            " there is none).",
            OWN, judged(callback, queries()), CALLBACK_RULES,
        ),
        "lud-06/callback-url.json": document(
            "LUD-06", "callback-url",
            "Append `amount`, `comment` and `payerData` to `callback` as a wallet does. Compare `url`.",
            OWN, judged(callback_url, urls()), {},
        ),
        "lud-06/pay-invoice.json": document(
            "LUD-06", "pay-invoice",
            "Read the `body` of a second answer, asked for at `callback`. Compare `pr`, `verify`, `disposable`,"
            " `successAction` (null where there is none).",
            OWN, judged(pay_invoice, invoices()), lud09.RULES | ANSWER_RULES,
        ),
        "lud-26/callback.json": document(
            "LUD-26", "callback",
            "Read the `body` of a callback by POST, beside the `query` of its URL, as a service does. Compare as in lud-06.",
            OWN, judged(callback, posts()), CALLBACK_RULES,
        ),
    }


if __name__ == "__main__":
    main(files())
