#!/usr/bin/env python3
"""Second implementation of what a wallet signs to register a device (wake v1). Writes Vectors/wake/registration.json;
--check compares."""

import base64
import json
import re

from cryptography.hazmat.primitives.asymmetric import ec
import secp256k1
from luds import Refused, judged
from registrations import sign_message, signer
from vector_files import document, main
from wake import DEVICE1, NODE, PUBLISHED, Members, public

OWN = "Scripts/vectors/wake_registration.py"
NOW = 1790000000
HOST = "wake.localhost"
INSTALL = "AAAAAAAAAAAAAAAAAAAAAA"
NODE_KEY = b"\x33" * 32
PUBKY = "pk:47cz1q7hnqtedgwnxt5k5pz5in1ji5oyx7r9fwr3fsc5ojppftry"
TOKEN = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
HASH = "a4908532a2f65068ce0b3498af2b68e43949be33aa85840288e653295bf52080"
RULES = {
    "json": "The body is not JSON.",
    "missing": "A member is missing or null.",
    "not-text": "A member is no text.",
    "not-an-object": "A member is no object.",
    "not-an-array": "A member is no array.",
    "not-whole-number": "A member is no whole number.",
    "malformed": "A member is of the right type, and cannot be what it should.",
    "time": "The time is more than 600 s from the server's.",
    "signature": "The node has not signed this registration, or not for this server.",
}


def visible(text, longest=64):
    return isinstance(text, str) and 1 <= len(text) <= longest and all("!" <= c <= "~" for c in text)


def array(members, name):
    value = members.get(name)
    if not isinstance(value, list):
        raise Refused("not-an-array")
    if len(value) > 50:
        raise Refused("malformed")
    return value


def entries(members, name):
    values = array(members, name)
    if not all(visible(value, 128) and "," not in value for value in values):
        raise Refused("malformed")
    return sorted(set(values))


def demand(right):
    if not right:
        raise Refused("malformed")


def point(text):
    return text if re.fullmatch("0[23][0-9a-f]{64}", text) and secp256k1.parse(bytes.fromhex(text)) else None


def from_url(text):
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if base64.urlsafe_b64encode(data).decode().rstrip("=") == text else b""


def is_address(platform, environment, token):
    if environment not in ("production", "sandbox") or (environment == "sandbox" and platform != "apns"):
        return False
    if platform == "apns":
        return bool(re.fullmatch("(?:[0-9a-f]{2}){32,100}", token))
    if platform == "fcm":
        return visible(token, 4096)
    parts = token.split(" ")
    return (
        platform == "webpush" and len(parts) == 3 and len(parts[0]) <= 1000 and parts[0].startswith("https://")
        and len(from_url(parts[1])) == 65 and is_point(from_url(parts[1])) and len(from_url(parts[2])) == 16
    )


def is_point(data):
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data)
    except ValueError:
        return False
    return data[0] == 4


def register(body, install, audience, now):
    try:
        members = Members(json.loads(body))
    except ValueError:
        raise Refused("json") from None
    app, identities, topics, time = members.text("app"), entries(members, "identities"), entries(members, "topics"), members.number("ts")
    demand(visible(app))
    nodes = [identity for identity in identities if identity.startswith("ln:")]
    demand(len(nodes) == 1 and re.fullmatch("ln:0[23][0-9a-f]{64}", nodes[0]))
    owner = bytes.fromhex(nodes[0][3:])
    demand(secp256k1.parse(owner))
    proofs = [Members(proof) for proof in array(members, "proofs")]
    proof = next((proof.text("sig") for proof in proofs if proof.text("identity") == nodes[0]), None)
    demand(proof is not None)
    platform, environment = members.text("platform"), members.text("environment")
    token = members.parsed("push_token", lambda text: text if is_address(platform, environment, text) else None)
    if members.value.get("locale") is not None:
        demand(visible(members.text("locale"), 35))
    secret, key = members.text("secret_sha256"), members.parsed("encryption_key", point)
    demand(re.fullmatch("[0-9a-f]{64}", secret))
    text = written(app, install, platform, environment, token, key, secret, identities, topics, time, audience)
    if abs(time - now) > 600:
        raise Refused("time")
    if signer(text, proof) != owner:
        raise Refused("signature")
    return {"text": text, "owner": owner.hex()}


def written(app, install, platform, environment, token, key, secret, identities, topics, time, audience):
    return "\n".join([
        "wake-register-v1", f"aud:{audience}", f"app:{app}", f"install:{install}", f"platform:{platform}",
        f"environment:{environment}", f"push_token:{token}", f"encryption_key:{key}", f"secret_sha256:{secret}",
        f"identities:{','.join(identities)}", f"topics:{','.join(topics)}", f"ts:{time}",
    ])


def given(now=NOW, audience=HOST, install=INSTALL, signs=True, **more):
    """The published registration, with other members, signed anew."""
    body = {
        "app": "bitkit", "platform": "apns", "environment": "sandbox", "push_token": TOKEN,
        "encryption_key": public(DEVICE1), "secret_sha256": HASH, "identities": [PUBKY, NODE],
        "topics": ["paykit.sync", "blocktank.*"], "ts": NOW,
    } | more
    body = {name: value for name, value in body.items() if value != "absent"}
    if "proofs" not in body:
        signed = body if signs else body | {"app": "bitkit"}
        try:
            text = written(
                signed["app"], INSTALL, signed["platform"], signed["environment"], signed["push_token"],
                signed["encryption_key"], signed["secret_sha256"], sorted(set(signed["identities"])),
                sorted(set(signed["topics"])), signed["ts"], HOST)
            sig = sign_message(text, NODE_KEY)
        except (KeyError, TypeError):
            sig = "y"
        body["proofs"] = [{"identity": NODE, "sig": sig}]
    return {"body": json.dumps(body, separators=(",", ":")), "install": install, "audience": audience, "now": now}


def cases():
    yield "the published registration", given(), None, PUBLISHED + "registration_v1.json"
    yield "at the end of its time", given(now=NOW + 600), None
    yield "before its time", given(now=NOW - 600), None
    yield "entries twice", given(topics=["a", "b", "a"]), None
    yield "an empty list of topics", given(topics=[]), None
    yield "a language, which is not signed", given(locale="nb-NO"), None
    yield "a member that is not known", given(later=1), None
    yield "FCM", given(platform="fcm", environment="production", push_token="e5Hj9:APA91b-_"), None
    # RFC 8291, section 5.
    point = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    secret = base64.urlsafe_b64encode(bytes(16)).decode().rstrip("=")
    none = base64.urlsafe_b64encode(b"\4" + bytes(64)).decode().rstrip("=")
    for name, token, rule in (
        ("Web Push", f"https://push.example/a?b {point} {secret}", None),
        ("Web Push, not https", f"http://push.example/a?b {point} {secret}", "malformed"),
        ("Web Push, a key that is no point", f"https://push.example/a?b {none} {secret}", "malformed"),
    ):
        yield name, given(platform="webpush", environment="production", push_token=token), rule
    yield "no JSON", given() | {"body": "{"}, "json"
    yield "an array", given() | {"body": "[]"}, "not-an-object"
    for name in ("app", "platform", "environment", "push_token", "encryption_key", "secret_sha256", "identities", "topics", "ts"):
        yield f"no {name}", given(**{name: "absent"}), "missing"
    for name in ("app", "platform", "environment", "secret_sha256"):
        yield f"{name} is a number", given(**{name: 1}), "not-text"
    for name in ("push_token", "encryption_key"):
        yield f"{name} is a number", given(**{name: 1}), "malformed"
    for name in ("identities", "topics", "proofs"):
        yield f"{name} is a text", given(**{name: "a"}), "not-an-array"
    yield "ts is a text", given(ts="1"), "not-whole-number"
    yield "a proof that is a text", given(proofs=["a"]), "not-an-object"
    yield "no proof of the node", given(proofs=[{"identity": PUBKY, "sig": "y"}]), "malformed"
    yield "two nodes", given(identities=[NODE, "ln:" + secp256k1.public(b"\1" * 32).hex()]), "malformed"
    yield "no node", given(identities=[PUBKY]), "malformed"
    yield "a node that is no point", given(identities=["ln:02" + "ff" * 32]), "malformed"
    yield "a node in capitals", given(identities=[NODE.upper().replace("LN:", "ln:")]), "malformed"
    yield "a comma in a topic", given(topics=["a,b"]), "malformed"
    yield "an empty topic", given(topics=[""]), "malformed"
    yield "51 topics", given(topics=[f"t{number}" for number in range(51)]), "malformed"
    yield "a line break in the app", given(app="a\nb"), "malformed"
    yield "a token of 63 digits", given(push_token=TOKEN[1:]), "malformed"
    yield "a token in capitals", given(push_token=TOKEN.upper()), "malformed"
    yield "FCM has no sandbox", given(platform="fcm", push_token="a"), "malformed"
    yield "an unknown platform", given(platform="sms"), "malformed"
    yield "a secret's hash of 31 bytes", given(secret_sha256=HASH[2:]), "malformed"
    yield "an encryption key that is no point", given(encryption_key="02" + "ff" * 32), "malformed"
    yield "too late", given(now=NOW + 601), "time"
    yield "too early", given(now=NOW - 601), "time"
    yield "for another server", given(audience="other.example"), "signature"
    yield "for another installation", given(install="B"), "signature"
    yield "another app than was signed", given(app="other", signs=False), "signature"
    yield "no signature", given(proofs=[{"identity": NODE, "sig": "y"}]), "signature"
    text = json.loads(given()["body"])["proofs"][0]["sig"]
    other = "y" if text[40] != "y" else "b"
    yield "a changed signature", given(proofs=[{"identity": NODE, "sig": text[:40] + other + text[41:]}]), "signature"


def files():
    return {
        "wake/registration.json": document(
            "Encrypted wakes (Bitkit)", "registration",
            "A wallet registers the device `install` with `body`, the text of JSON, at the server `audience`, whose time is"
            " `now`. The wallet's node must have signed; other identities count as text only. Compare `text`, what is signed,"
            " and `owner`, the node.",
            OWN, judged(register, cases()), RULES,
        ),
    }


if __name__ == "__main__":
    main(files())
