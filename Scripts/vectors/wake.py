#!/usr/bin/env python3
"""Second implementation of encrypted wakes and their push messages (Bitkit), over the cipher of PyPI cryptography.

Writes Vectors/wake/; --check compares."""

import base64
import hashlib
import hmac
import json

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from luds import Refused, judged
from secp256k1 import multiply, parse, serialize
from vector_files import document, main

OWN = "Scripts/vectors/wake.py (PyPI cryptography)"
PUBLISHED = "synonymdev/bitkit-core@8e862e1d src/modules/wake/test_vectors/"
LABELS = {0: b"bitkit-notifications", 1: b"wake-v1"}
NONCES = {0: 16, 1: 12}
V0 = bytes(range(16)).hex()
V1 = bytes(range(12)).hex()
HASH = hashlib.sha256(b"").hexdigest()
NODE = "ln:023c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1"
TOKEN = "e5Hj9fKqTmW-vector:APA91bG" + "0123456789abcdef" * 5 + "0123456789abcdef"
RULES = {
    "json": "The push message is not JSON.",
    "no-wake": "The push message carries neither a wake nor a fallback alert.",
    "version": "The version is not 1.",
    "missing": "A member is missing or null.",
    "not-text": "A member is no text.",
    "not-an-object": "A member is no object.",
    "not-whole-number": "A member is no whole number.",
    "malformed": "A member is of the right type, and cannot be what it should.",
    "authentication": "It was encrypted for another key, or modified.",
    "plaintext": "What was encrypted is not JSON.",
}


def public(secret):
    return serialize(multiply(int(secret, 16))).hex()


def agree(secret, point, version):
    shared = serialize(multiply(int(secret, 16), parse(bytes.fromhex(point))))
    return hashlib.sha256(hashlib.sha256(shared + LABELS[version]).digest()).digest()


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def seal(version, ephemeral, device, iv, plaintext):
    sealed = AESGCM(agree(ephemeral, device, version)).encrypt(bytes.fromhex(iv), plaintext.encode(), None)
    container = ({"v": 1} if version else {}) | {
        "cipher": base64.b64encode(sealed[:-16]).decode(), "iv": iv, "tag": sealed[-16:].hex(),
        "publicKey": public(ephemeral),
    }
    return {"container": compact(container)}


class Members:
    """An object, member by member; null counts as absent."""

    def __init__(self, value):
        if not isinstance(value, dict):
            raise Refused("not-an-object")
        self.value = value

    def get(self, name):
        if self.value.get(name) is None:
            raise Refused("missing")
        return self.value[name]

    def text(self, name):
        if not isinstance(self.get(name), str):
            raise Refused("not-text")
        return self.value[name]

    def number(self, name):
        if not isinstance(self.get(name), int) or isinstance(self.value[name], bool) or self.value[name] < 0:
            raise Refused("not-whole-number")
        return self.value[name]

    def parsed(self, name, read):
        """What can be read from a text; everything else is malformed."""
        try:
            found = read(self.get(name))
        except (ValueError, TypeError, AttributeError):
            found = None
        if found is None:
            raise Refused("malformed")
        return found

    def hexadecimal(self, name, count):
        return self.parsed(name, lambda text: data if len(data := bytes.fromhex(text)) == count else None)

    def name(self, name):
        return self.parsed(name, lambda text: text if 1 <= len(text) <= 64 and all("!" <= c <= "~" for c in text) else None)

    def nested(self, name):
        value = self.get(name)
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except ValueError:
                raise Refused("malformed") from None
        return Members(value)


def decrypt(container, version, device):
    if version and container.number("v") != 1:
        raise Refused("version")
    cipher = container.parsed("cipher", lambda text: base64.b64decode(text, validate=True))
    if len(cipher) > 4096:
        raise Refused("malformed")
    iv = container.hexadecimal("iv", NONCES[version])
    tag = container.hexadecimal("tag", 16)
    sender = container.parsed("publicKey", lambda text: text if parse(bytes.fromhex(text)) else None)
    try:
        plaintext = AESGCM(agree(device, sender, version)).decrypt(iv, cipher + tag, None)
    except InvalidTag:
        raise Refused("authentication") from None
    try:
        return Members(json.loads(plaintext))
    except ValueError:
        raise Refused("plaintext") from None


def receive(device, push):
    try:
        push = Members(json.loads(push))
    except ValueError:
        raise Refused("json") from None
    if push.value.get("wake_fallback") is not None:
        fallback = push.nested("wake_fallback")
        if fallback.number("v") != 1:
            raise Refused("version")
        return {"kind": "fallback", "id": fallback.name("id"), "topic": fallback.name("topic")}
    if push.value.get("wake") is not None:
        message = decrypt(push.nested("wake"), 1, device)
        if message.number("v") != 1:
            raise Refused("version")
        found = {"kind": "wake", "id": message.name("id"), "topic": message.name("topic")}
        levels = ("background", "alert", "time_sensitive")
        found["urgency"] = message.parsed("urgency", lambda text: text if text in levels else None)
        found["deadline"] = message.number("deadline")
        return found | {"payload": compact(message.value.get("payload"))}
    alert = push.value.get("aps", {}).get("alert", {}) if isinstance(push.value.get("aps"), dict) else {}
    payload = alert.get("payload") if isinstance(alert, dict) else None
    if not isinstance(payload, dict) and push.value.get("cipher") is None:
        raise Refused("no-wake")
    message = decrypt(Members(payload) if isinstance(payload, dict) else push, 0, device)
    found = {"kind": "legacy", "source": message.text("source"), "type": message.text("type")}
    return found | {"payload": compact(message.get("payload")), "createdAt": message.text("createdAt")}


def collapse(text):
    usual = 1 <= len(text) <= 64 and all("!" <= character <= "~" for character in text)
    return text if usual else hashlib.sha256(text.encode()).hexdigest()


def collapse_id(secret, identity, topic, key):
    code = hmac.digest(bytes.fromhex(secret), f"{identity}|{topic}|{key}".encode(), "sha256")
    return {"collapseID": code.hex()}


def apns(content, bundle, requestID, expires, id, topic, container=None, collapseID=None, title=None, body=None, isTimeSensitive=False, **_):
    silent = content == "silent"
    headers = [
        ["apns-topic", bundle], ["apns-id", requestID], ["apns-expiration", str(expires)],
        ["apns-push-type", "background" if silent else "alert"], ["apns-priority", "5" if silent else "10"],
    ]
    replaced = None if content == "legacy" else collapseID if silent else collapse(collapseID or id)
    if replaced:
        headers.append(["apns-collapse-id", replaced])
    inner = json.loads(container) if container else None
    aps = {"alert": {"title": title, "body": body}, "sound": "default"}
    level = {"interruption-level": "time-sensitive" if isTimeSensitive or content == "fallback" else "active", "thread-id": topic}
    if content == "legacy":
        text = {"title": "Background Operation Request", "body": "Please open your wallet."}
        payload = {"aps": {
            "badge": 0, "sound": "ping.aiff", "alert": text | {"payload": inner}, "content-available": 1, "mutable-content": 1,
        }}
    elif silent:
        payload = {"aps": {"content-available": 1}, "wake": inner}
    elif content == "alert":
        payload = {"aps": aps | {"mutable-content": 1} | level, "wake": inner}
    else:
        payload = {"aps": aps | level, "wake_fallback": {"v": 1, "id": id, "topic": topic}}
    return {"headers": headers, "body": compact(payload)}


def fcm(content, token, lifetime, id, topic, container=None, collapseID=None, title=None, body=None, isUrgent=True, **_):
    android = {"priority": "high" if isUrgent or content != "silent" else "normal", "ttl": f"{lifetime}s"}
    if content == "legacy":
        data = json.loads(container)
        android["data"] = data | {
            "title": "Background Operation Request", "message": "Please open your wallet.", "sound": "default",
        }
    elif content == "fallback":
        android["notification"] = {"title": title, "body": body, "channel_id": "wake", "tag": collapse(collapseID or id)}
        data = {"wake_fallback": compact({"v": 1, "id": id, "topic": topic})}
    else:
        if collapseID:
            android["collapse_key"] = collapseID
        data = {"wake": container}
    return {"body": compact({"message": {"token": token, "android": android, "data": data}})}


PLAIN0 = '{"source":"blocktank","type":"incomingHtlc","payload":{"orderId":"abc"},"createdAt":"2024-01-01T00:00:00.000Z"}'


def plain1(number, topic, urgency, deadline, payload):
    return compact({
        "v": 1, "id": f"01a0c450-6c00-7000-8000-{number:012}", "topic": topic, "urgency": urgency, "deadline": deadline,
        "payload": payload,
    })


HTLC = {"lspId": "blocktank-lsp", "paymentHash": HASH}
PLAIN1 = plain1(1, "blocktank.incomingHtlc", "background", 1790000060, HTLC)
TEXT = {"title": "Incoming Payment", "body": "Open Bitkit now to receive your payment"}
SENDER0, DEVICE0, SENDER1, DEVICE1 = ("11" * 32, "22" * 32, "66" * 32, "55" * 32)


def container(version, plaintext, **more):
    given = {
        "ephemeral": (SENDER0, SENDER1)[version], "device": public((DEVICE0, DEVICE1)[version]), "iv": (V0, V1)[version],
    }
    return seal(version, plaintext=plaintext, **given | more)["container"]


def sealed():
    def given(version, plaintext):
        return {
            "version": version, "ephemeral": (SENDER0, SENDER1)[version], "device": public((DEVICE0, DEVICE1)[version]),
            "iv": (V0, V1)[version], "plaintext": plaintext,
        }

    yield "version 0", given(0, PLAIN0), None, PUBLISHED + "v0_server.json"
    yield "version 1", given(1, PLAIN1), None, PUBLISHED + "v1_envelope.json"
    yield "an empty text", given(1, ""), None
    yield "a text beyond ASCII", given(1, "⚡ für Ünal"), None
    yield "a long text", given(0, "x" * 3000), None


def silent(text):
    return compact({"aps": {"content-available": 1}, "wake": json.loads(text)})


def changed(text, **more):
    return compact(json.loads(text) | more)


def without(text, name):
    return compact({key: value for key, value in json.loads(text).items() if key != name})


CLIENT = {
    "cipher": "l2fInfyw64gO12odo8iipISloQJ45Rc4WjFmpe95brdaAMDq+T/L9ZChcmMCXnR0J6BXd8sSIJe/0bmby8uSZZJuVCzwF76XHfY5oq0Y1/hKzyZTn8nG3dqfiLHnAPy1tZFQfm5ALgjwWnViYJLXoGFpXs7kLMA=",
    "iv": "2b8ed77fd2198e3ed88cfaa794a246e8", "tag": "caddd13746d6a6aed16176734964d3a3",
    "publicKey": "031e9923e689a181a803486b7d8c0d4a5aad360edb70c8bb413a98458d91652213",
}


def received():
    zero, one = container(0, PLAIN0), container(1, PLAIN1)

    def wake(push, device=DEVICE1):
        return {"device": device, "push": push}

    def opened(**changes):
        return wake(silent(container(1, compact(json.loads(PLAIN1) | changes))))

    yield "APNs, version 1", wake(silent(one)), None
    yield "FCM, version 1", wake(compact({"wake": one})), None
    yield "APNs, version 0", wake(compact({"aps": {"alert": {"payload": json.loads(zero)}}}), DEVICE0), None
    yield "FCM, version 0", wake(zero, DEVICE0), None
    yield "FCM, version 0, as an app received it", wake(
        compact(CLIENT), "cc74b1a4fdcd35916c766d3318c5a93b7e33a36ebeff0463128bf284975c2680"), None, PUBLISHED + "v0_client.json"
    yield "APNs, fallback", wake('{"aps":{},"wake_fallback":{"v":1,"id":"w1","topic":"a.b"}}'), None
    yield "FCM, fallback", wake(compact({"wake_fallback": '{"v":1,"id":"w1","topic":"a.b"}'})), None
    yield "no payload", opened(payload=None), None
    yield "a large number", opened(payload=18446744073709551615), None
    yield "a member that is not known", opened(later=True), None
    for level in ("alert", "time_sensitive"):
        yield level, opened(urgency=level), None
    yield "no JSON", wake("wake"), "json"
    yield "an array", wake("[]"), "not-an-object"
    yield "another push message", wake('{"aps":{"alert":{"title":"x"}}}'), "no-wake"
    yield "an alert that is a text", wake('{"aps":{"alert":"x"}}'), "no-wake"
    yield "version 2", wake(silent(changed(one, v=2))), "version"
    yield "no version", wake(silent(without(one, "v"))), "missing"
    yield "the version as a text", wake(silent(changed(one, v="1"))), "not-whole-number"
    for name in ("cipher", "iv", "tag", "publicKey"):
        yield f"no {name}", wake(silent(without(one, name))), "missing"
        yield f"{name} is a number", wake(silent(changed(one, **{name: 1}))), "malformed"
        yield f"{name} is no code", wake(silent(changed(one, **{name: "?"}))), "malformed"
    yield "a nonce of 16 bytes in version 1", wake(silent(container(1, PLAIN1, iv=V0))), "malformed"
    yield "a nonce of 12 bytes in version 0", wake(container(0, PLAIN0, iv=V1), DEVICE0), "malformed"
    yield "a tag of 15 bytes", wake(silent(changed(one, tag="00" * 15))), "malformed"
    yield "a key that is no point", wake(silent(changed(one, publicKey="02" + "ff" * 32))), "malformed"
    yield "a ciphertext of 4097 bytes", wake(silent(container(1, "x" * 4097))), "malformed"
    yield "another device", wake(silent(one), DEVICE0), "authentication"
    yield "another tag", wake(silent(changed(one, tag="00" * 16))), "authentication"
    yield "version 0 sent as version 1", wake(compact({"wake": changed(zero, v=1, iv=V1)}), DEVICE0), "authentication"
    yield "a wake that is a text but no JSON", wake(compact({"wake": "x"})), "malformed"
    yield "a wake that is a number", wake(compact({"wake": 1})), "not-an-object"
    yield "a plaintext that is no JSON", wake(silent(container(1, "hello"))), "plaintext"
    yield "a plaintext that is no object", wake(silent(container(1, "[]"))), "not-an-object"
    yield "a plaintext of version 2", opened(v=2), "version"
    yield "an empty id", opened(id=""), "malformed"
    yield "an id with a space", opened(id="a b"), "malformed"
    yield "an id of 65 characters", opened(id="a" * 65), "malformed"
    yield "an id of 64 characters", opened(id="a" * 64), None
    yield "an unknown urgency", opened(urgency="critical"), "malformed"
    yield "a negative deadline", opened(deadline=-1), "not-whole-number"
    yield "no topic", opened(topic=None), "missing"
    yield "a legacy message without source", wake(
        container(0, '{"type":"a","payload":1,"createdAt":"x"}'), DEVICE0), "missing"
    yield "a fallback of version 2", wake('{"wake_fallback":{"v":2,"id":"w1","topic":"a.b"}}'), "version"


def ids():
    def given(key=HASH, topic="blocktank.incomingHtlc", secret="77" * 32, identity=NODE):
        return {"secret": secret, "identity": identity, "topic": topic, "key": key}

    yield "a payment", given(), None, PUBLISHED + "pushes.json"
    yield "another key of the same topic", given("incomingHtlc:" + HASH), None, PUBLISHED + "pushes.json"
    yield "another topic", given(topic="blocktank.mutualClose"), None
    yield "another identity", given(identity="ln:" + public("01" * 32)), None
    yield "another secret", given(secret="00"), None


def pushes():
    one = {"id": "01a0c450-6c00-7000-8000-000000000001", "topic": "blocktank.incomingHtlc"}
    code = {"collapseID": collapse_id("77" * 32, NODE, "blocktank.incomingHtlc", HASH)["collapseID"]}
    other = {"collapseID": collapse_id("77" * 32, NODE, "blocktank.incomingHtlc", "incomingHtlc:" + HASH)["collapseID"]}
    sync = plain1(4, "paykit.sync", "background", 1790000600, None)
    close = plain1(2, "blocktank.mutualClose", "alert", 1790086400, {"lspId": "blocktank-lsp"})
    htlc = plain1(3, "blocktank.incomingHtlc", "time_sensitive", 1790000060, HTLC)
    closing = {"title": "Spending Balance Expired", "body": "Open Bitkit to move funds from spending to savings"}

    def apple(content, last, expires, given):
        return {"provider": "apns", "content": content, "bundle": "to.bitkit",
                "requestID": f"01a0c450-6c00-7000-8000-0000000000d{last}", "expires": expires} | given

    def google(content, lifetime, given):
        return {"provider": "fcm", "content": content, "token": TOKEN, "lifetime": lifetime} | given

    def about(plaintext, ephemeral=SENDER1):
        message = json.loads(plaintext)
        return {"id": message["id"], "topic": message["topic"], "container": container(1, plaintext, ephemeral=ephemeral)}

    zero = one | {"container": container(0, PLAIN0)}
    wake = about(PLAIN1) | code
    source = PUBLISHED + "pushes.json"
    yield "APNs, version 0", apple("legacy", 1, 1790000060, zero), None, source
    yield "APNs, silent", apple("silent", 2, 1790000060, wake), None, source
    yield "APNs, silent, without a collapse id", apple("silent", 6, 1790000600, about(sync)), None
    yield "APNs, alert", apple("alert", 3, 1790086400, about(close) | closing), None
    yield "APNs, time-sensitive alert", apple(
        "alert", 4, 1790000060, about(htlc) | other | TEXT | {"isTimeSensitive": True}), None
    yield "APNs, fallback", apple("fallback", 5, 1790000060, one | code | TEXT), None, source
    yield "APNs, fallback, without a collapse id", apple("fallback", 5, 1790000060, one | TEXT), None
    yield "FCM, version 0", google("legacy", 60, zero), None, source
    yield "FCM, silent", google("silent", 60, wake | {"isUrgent": True}), None, source
    yield "FCM, silent, of normal priority", google("silent", 600, about(sync) | {"isUrgent": False}), None
    yield "FCM, alert", google("alert", 60, about(close) | closing), None
    yield "FCM, fallback", google("fallback", 45, one | code | TEXT), None, source
    yield "FCM, for longer than it allows", google("fallback", 2419200, one | TEXT), None
    yield "FCM, too late", google("fallback", 0, one | TEXT), None


LENGTHS = {
    "APNs, version 0": 498, "APNs, silent": 540, "APNs, silent, without a collapse id": 392, "APNs, alert": 611,
    "APNs, time-sensitive alert": 725, "APNs, fallback": 289, "FCM, version 0": 944, "FCM, silent": 808,
    "FCM, silent, of normal priority": 581, "FCM, fallback": 496,
}


def request(provider, **given):
    return (apns if provider == "apns" else fcm)(**given)


def requests():
    cases = judged(request, pushes())
    for case in cases:
        length = LENGTHS.get(case["name"])
        assert length in (None, len(case["expect"]["body"])), case["name"]
    return cases


def files():
    return {
        "wake/seal.json": document(
            "Encrypted wakes (Bitkit)", "seal",
            "Encrypt the UTF-8 of `plaintext` for the public key `device`, with the key `ephemeral` and the nonce `iv`."
            " Compare `container`, the text that a push message carries.",
            OWN, judged(seal, sealed()), RULES,
        ),
        "wake/receive.json": document(
            "Encrypted wakes (Bitkit)", "receive",
            "Read `push`, what an app receives from APNs or FCM, with the private key `device`. Compare `kind` and, as text,"
            " the members of what was encrypted; `payload` is JSON as text.",
            OWN, judged(receive, received()), RULES,
        ),
        "wake/collapse-id.json": document(
            "Encrypted wakes (Bitkit)", "collapse-id",
            "By which id does a provider replace what it has stored for `identity` about `topic` and `key`? `secret` is the"
            " sender's. Compare `collapseID`.",
            OWN, judged(collapse_id, ids()), RULES,
        ),
        "wake/push.json": document(
            "Encrypted wakes (Bitkit)", "push",
            "Make the request to `provider`. `content` is legacy, silent, alert or fallback. Compare `body`, and for APNs"
            " `headers` in order; `lifetime` is in seconds from now.",
            OWN, requests(), RULES,
        ),
    }


if __name__ == "__main__":
    main(files())
