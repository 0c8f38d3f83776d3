#!/usr/bin/env python3
"""Second implementation of LUD-09, and of the form of LUD-10. Writes Vectors/lud-09/; --check compares."""

import base64
import binascii
import re
import urllib.parse

from luds import Refused, URL_RULES, allowed_url, is_text, judged
from vector_files import document, main

OWN = "Scripts/vectors/lud09.py"
LUD09 = "LUD-09"
RULES = {
    "action-not-an-object": "The action is no JSON object.",
    "unknown-action": "The tag is none of message, url and aes: a wallet must not pay.",
    "text-too-long": "A text has more than 144 characters.",
    "invalid-link": "The url is no URL.",
    "clearnet-http": URL_RULES["clearnet-http"],
    "other-host": "The url's host is not the callback's.",
    "ciphertext-too-long": "The ciphertext has more than 4096 characters of base64 (LUD-10).",
    "ciphertext-not-whole-blocks": "The ciphertext is not one or more blocks of 16 bytes (LUD-10).",
    "initialization-vector": "The iv has not exactly 24 characters, or is not 16 bytes (LUD-10).",
} | {f"missing-{name}": f"`{name}` is missing or null." for name in ("tag", "message", "description", "url")} | {
    f"malformed-{name}": f"`{name}` is no string, or no base64 (RFC 4648, section 4)."
    for name in ("tag", "message", "description", "url", "ciphertext", "iv")
}
HERE = "https://example.com/lnurlpay/alice/v1/invoice"


def text(action, name):
    if action.get(name) is None:
        raise Refused("missing-" + name)
    if not is_text(action[name]):
        raise Refused("malformed-" + name)
    return action[name]


def short(action, name):
    if len(text(action, name)) > 144:
        raise Refused("text-too-long")
    return action[name]


def decoded(action, name):
    try:
        data = base64.b64decode(text(action, name), validate=True)
    except binascii.Error:
        raise Refused("malformed-" + name) from None
    if base64.b64encode(data).decode() != action[name]:
        raise Refused("malformed-" + name)
    return data


def check_aes(action):
    if len(text(action, "ciphertext")) > 4096:
        raise Refused("ciphertext-too-long")
    if len(text(action, "iv")) != 24:
        raise Refused("initialization-vector")
    ciphertext, vector = decoded(action, "ciphertext"), decoded(action, "iv")
    if not ciphertext or len(ciphertext) % 16:
        raise Refused("ciphertext-not-whole-blocks")
    if len(vector) != 16:
        raise Refused("initialization-vector")


def check_link(action, callback):
    link = text(action, "url")
    try:
        allowed_url(link.partition("#")[0])
    except Refused as refused:
        raise Refused("clearnet-http" if str(refused) == "clearnet-http" else "invalid-link") from None
    if urllib.parse.urlsplit(link).hostname != urllib.parse.urlsplit(callback).hostname:
        raise Refused("other-host")


def action(callback, action):
    if not isinstance(action, dict):
        raise Refused("action-not-an-object")
    tag = text(action, "tag")
    if tag == "message":
        return {"action": {"tag": tag, "message": short(action, "message")}}
    if tag == "url":
        description = short(action, "description")
        check_link(action, callback)
        return {"action": {"tag": tag, "description": description, "url": action["url"]}}
    if tag == "aes":
        check_aes(action)
        description = short(action, "description")
        return {"action": {name: action[name] for name in ("tag", "description", "ciphertext", "iv")}}
    raise Refused("unknown-action")


def actions():
    example = "Thank you for using bike-over-ln co! Your rental bike is unlocked now"
    block, vector = "qEKI4TOS5+n33nsm28HHWA==", "AAECAwQFBgcICQoLDA0ODw=="

    def link(url, **more):
        return {"tag": "url", "description": "Your order", "url": url} | more

    def aes(**more):
        return {"tag": "aes", "description": "Your code", "ciphertext": block, "iv": vector} | more

    for name, value, *source in [
        ("the example of a message", {"tag": "message", "message": example}, LUD09),
        ("an empty message", {"tag": "message", "message": ""}),
        ("a message of 144 characters", {"tag": "message", "message": "a" * 144}),
        ("a message of 144 emojis", {"tag": "message", "message": "⚡" * 144}),
        ("unknown members", {"tag": "message", "message": "x", "colour": 1}),
        ("a link to the callback's host", link("https://example.com/order/7?x=1#top")),
        ("a link to another port", link("https://example.com:8443/order/7")),
        ("a link whose host is in upper case", link("https://EXAMPLE.com/order/7")),
        ("an encrypted text", aes()),
        ("an encrypted text of 4096 characters", aes(ciphertext="AAAA" * 1024)),
    ]:
        yield name, {"callback": HERE, "action": value}, None, *source
    for name, value, rule in [
        ("an array", [], "action-not-an-object"),
        ("a text", "message", "action-not-an-object"),
        ("no tag", {"message": "x"}, "missing-tag"),
        ("a tag that is a number", {"tag": 7}, "malformed-tag"),
        ("a tag that is unknown", {"tag": "noop"}, "unknown-action"),
        ("a tag in upper case", {"tag": "Message", "message": "x"}, "unknown-action"),
        ("no message", {"tag": "message"}, "missing-message"),
        ("a message that is a number", {"tag": "message", "message": 1}, "malformed-message"),
        ("a message of 145 characters", {"tag": "message", "message": "a" * 145}, "text-too-long"),
        ("a message of 145 emojis", {"tag": "message", "message": "⚡" * 145}, "text-too-long"),
        ("a link without a description", {"tag": "url", "url": HERE}, "missing-description"),
        ("a description of 145 characters", link(HERE, description="a" * 145), "text-too-long"),
        ("a description without a link", {"tag": "url", "description": ""}, "missing-url"),
        ("a link without a scheme", link("example.com/order/7"), "invalid-link"),
        ("a link that is a script", link("javascript:alert(1)"), "invalid-link"),
        ("a link with a name before the host", link("https://example.com@evil.com/"), "invalid-link"),
        ("a link over plain http", link("http://example.com/order/7"), "clearnet-http"),
        ("a link to another host", link("https://evil.com/order/7"), "other-host"),
        ("a link to a host below", link("https://www.example.com/order/7"), "other-host"),
        ("a link to a host that begins alike", link("https://example.com.evil.com/"), "other-host"),
        ("a vector of 23 characters", aes(iv=vector[:-1]), "initialization-vector"),
        ("a vector of 25 characters", aes(iv=vector + "="), "initialization-vector"),
        ("a vector of 18 bytes", aes(iv="AAECAwQFBgcICQoLDA0ODxAR"), "initialization-vector"),
        ("a vector in the alphabet of URLs", aes(iv="AAECAwQFBgcICQoLDA0OD_=="), "malformed-iv"),
        ("a ciphertext in the alphabet of URLs", aes(ciphertext=re.sub("[+]", "-", block)), "malformed-ciphertext"),
        ("a ciphertext without its padding", aes(ciphertext=block.rstrip("=")), "malformed-ciphertext"),
        ("a ciphertext of 15 bytes", aes(ciphertext="qEKI4TOS5+n33nsm28HH"), "ciphertext-not-whole-blocks"),
        ("an empty ciphertext", aes(ciphertext=""), "ciphertext-not-whole-blocks"),
        ("a ciphertext of 4100 characters", aes(ciphertext="AAAA" * 1025), "ciphertext-too-long"),
    ]:
        yield name, {"callback": HERE, "action": value}, rule


def files():
    return {
        "lud-09/success-action.json": document(
            "LUD-09", "success-action",
            "Read the `action` of a second answer that was asked for at `callback`. Compare `action`, written again.",
            OWN, judged(action, actions()), RULES,
        ),
    }


if __name__ == "__main__":
    main(files())
