"""LUD-09, and the form of LUD-10."""

import base64
import binascii
import urllib.parse

from luds import is_text, link
from refused import Refused, refusing


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
    content = text(action, name)
    with refusing("malformed-" + name, binascii.Error):
        data = base64.b64decode(content, validate=True)
    if base64.b64encode(data).decode() != content:
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
    url = text(action, "url")
    link(url.partition("#")[0], "invalid-link")
    if urllib.parse.urlsplit(url).hostname != urllib.parse.urlsplit(callback).hostname:
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
