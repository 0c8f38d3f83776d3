"""jsonschema and openapi-spec-validator: docs/admin-api.yaml, and what a running service answers to each of its operations."""

import hashlib
import itertools
import json
import pathlib
import re
import tempfile
import urllib.parse
import urllib.request

import coincurve
import jsonschema
import yaml
from cryptography.hazmat.primitives.asymmetric import ec
from openapi_spec_validator import validate

from judges.push import key_file, point, unpadded, wait_until
from service import Service, free_port, get, post, send

ROOT = pathlib.Path(__file__).parent.parent.parent
DOCUMENT = ROOT / "docs" / "admin-api.yaml"
NODE = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
METHODS = ("get", "put", "post", "delete")


def judge(service, comparison):
    text = DOCUMENT.read_text()
    document = yaml.safe_load(text)
    comparison.accepts("docs/admin-api.yaml is OpenAPI", lambda: validate(document) or True)
    cut = list(cut_descriptions(document))
    comparison.holds(f"no description ends at a comma that YAML takes for its own {cut or ''}", not cut)
    operations = {
        (method, path): operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    }
    undocumented, missing = routes() - operations.keys(), operations.keys() - routes()
    comparison.holds(f"every route of the source is in it {undocumented or ''}", not undocumented)
    comparison.holds(f"every operation is a route of the source {missing or ''}", not missing)
    with tempfile.TemporaryDirectory() as folder, prepared(service.binaries, folder) as own:
        admin = Admin(own, document, operations, comparison)
        exercise(admin, own)
        served = send(urllib.request.Request(f"http://{own.admin}/openapi.yaml")).body.decode()
        comparison.holds("the service serves the document", served == text)
    for operation in operations.values():
        wanted = {200} if operation.get("security") == [] else {200, 401}
        left = wanted - admin.seen.get(operation["operationId"], set())
        comparison.holds(f"{operation['operationId']} was asked with every outcome {left or ''}", not left)


def cut_descriptions(value):
    """Members without a value whose names are the rest of a description: `{description: One, two.}` has two members."""
    if isinstance(value, dict):
        yield from (name for name, member in value.items() if member is None and " " in str(name))
    for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from cut_descriptions(member)


def routes():
    """The methods and paths for which the sources of the service add routes to the admin listener."""
    found = set()
    service = ROOT / "Sources" / "Servers" / "HTTPService"
    for file in [*(service / "Admin").rglob("*.swift"), service / "AddressServer.swift"]:
        source = file.read_text()
        found |= set(re.findall(r'\.add\(\s*\.(\w+),\s*"(/[^"]*)"', source))
        found |= {("get", path) for path in re.findall(r'\.addOpen\(\s*"(/[^"]*)"', source)}
    return found


def prepared(binaries, folder):
    """A service with the embedded node, announcements that nobody takes, and a Lightning peer that nobody answers."""
    service = Service(binaries, folder)
    secret = service.folder / "settlements.secret"
    secret.touch(mode=0o600)
    secret.write_text("whsec_" + "MDEy" * 8 + "\n")
    service.environment |= {
        "RESPONDER_SETTLEMENT_WEBHOOK_URL": f"http://127.0.0.1:{free_port()}/",
        "RESPONDER_SETTLEMENT_WEBHOOK_SECRET_FILE": str(secret),
        "RESPONDER_SETTLEMENT_WEBHOOK_ALLOW_PRIVATE": "true",
        "RESPONDER_GATEWAY_ENABLED": "true", "RESPONDER_GATEWAY_NETWORK": "regtest", "RESPONDER_GATEWAY_REGISTRATIONS": "0",
        "RESPONDER_ONION_PEER_CONNECT": f"{NODE}@127.0.0.1:{free_port()}",
    }
    key, _ = key_file(service, "vapid.pem")
    service.environment |= {
        "RESPONDER_PUSH_VAPID_KEY_FILE": str(key), "RESPONDER_PUSH_VAPID_CONTACT": "mailto:push@example.com"}
    return service


class Admin:
    """Asks the admin listener, and compares every answer with the document."""

    def __init__(self, service, document, operations, comparison):
        self.service = service
        self.components = document["components"]
        self.operations = {operation["operationId"]: (*key, operation) for key, operation in operations.items()}
        self.comparison = comparison
        self.token = (service.folder / "data" / "admin.token").read_text().strip()
        self.seen = {}

    def ask(self, name, status=200, /, query=None, body=None, token=True, **parts):
        """The JSON of an answer that has this status and is as the document says; None when it is not."""
        method, path, operation = self.operations[name]
        for key, value in parts.items():
            path = path.replace("{" + key + "}", urllib.parse.quote(value, safe=""))
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        if isinstance(body, dict):
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            fits = self.validator(schema).is_valid(body)
            self.comparison.holds(f"{name}: {body} is {'as' if fits else 'not as'} described", fits == (status != 400))
        headers = {"Authorization": f"Bearer {self.token}"} if token else {}
        url = f"http://{self.service.admin}{path}{'?' + urllib.parse.urlencode(query) if query else ''}"
        answer = send(urllib.request.Request(url, method=method.upper(), data=data, headers=headers))
        self.seen.setdefault(name, set()).add(answer.status)
        return self.comparison.accepts(
            f"{name}: {method.upper()} {path} {query or ''} is answered {status} as described",
            lambda: self.check(operation, status, answer),
        )

    def check(self, operation, status, answer):
        if answer.status != status:
            raise ValueError(f"{answer.status} {answer.body[:200]}")
        response = operation["responses"][str(status)]
        if "$ref" in response:
            response = self.components["responses"][response["$ref"].rpartition("/")[2]]
        for name, header in response.get("headers", {}).items():
            self.validator(header["schema"]).validate(answer.headers[name])
        (kind, content), = response["content"].items()
        if answer.headers.get_content_type() != kind:
            raise ValueError(answer.headers["Content-Type"])
        value = answer.json if kind == "application/json" else answer.body.decode()
        self.validator(content["schema"]).validate(value)
        return value

    def validator(self, schema):
        return jsonschema.Draft202012Validator({**schema, "components": self.components})


def exercise(admin, service):
    accounts(admin)
    domains(admin)
    invoices(admin, service)
    offers(admin, service)
    events(admin, service)
    outbox(admin)
    registrations(admin, service)
    devices(admin, service)
    admin.ask("listPeers")
    instances = admin.ask("listInstances")["instances"]
    here = admin.ask("checkParts", token=False)["instance"]
    admin.comparison.holds(
        "the only instance follows the node",
        [instance["id"] for instance in instances if "backend:embedded" in instance["leases"]] == [here],
    )
    for name in ("isLive", "isReady", "checkParts", "metrics", "openapi"):
        admin.ask(name, token=False)
    admin.ask("removeAccount", name="short")
    admin.ask("removeAccount", 404, name="short")
    unknown = "00" * 32
    for name, (_, _, operation) in admin.operations.items():
        if operation.get("security") == []:
            continue
        parts = {"name": "alice", "hash": unknown, "id": unknown[:32] if name.endswith("Device") else unknown}
        admin.ask(name, 401, token=False, **parts)
        if "404" in operation["responses"] and "requestBody" not in operation:
            nobody = {"Domain": "nobody.example", "reserveName": "nobody@nowhere.example"}
            unknown_name = next((text for end, text in nobody.items() if name.endswith(end)), "nobody")
            admin.ask(name, 404, **parts | {"name": unknown_name})
            admin.ask(name, 400, name="no body", hash="00", id="É")


def accounts(admin):
    admin.ask("putAccount", name="alice", body={"description": "Coffee"})
    admin.ask("putAccount", name="short", body={
        "description": "Short", "longDescription": "Longer", "image": {"format": "png", "base64": "iVBORw0KGgo="},
        "mailbox": True, "minSendable": 1000, "maxSendable": 100_000_000, "commentAllowed": 100,
        "payerData": {"name": "optional", "email": "mandatory"}, "successAction": {"message": "Thanks"},
        "invoiceExpiry": 60, "backend": "embedded",
        "settlementWebhook": {"url": "https://shop.example.com/", "secretFile": str(admin.service.folder / "settlements.secret")},
        "owner": NODE,
    })
    # What is shown can be sent back.
    admin.ask("putAccount", name="short", body=admin.ask("showAccount", name="short"))
    for wrong in (
        {"description": 1}, {"strange": 1}, {"minSendable": 0}, {"commentAllowed": 2001}, {"invoiceExpiry": 59},
        {"image": {"format": "gif", "base64": ""}}, {"payerData": {"name": "yes"}}, {"successAction": {}},
        {"successAction": {"message": "a", "url": "https://example.com"}}, {"settlementWebhook": {"url": "https://a.example"}},
        {"owner": "02" + "zz" * 32},
    ):
        admin.ask("putAccount", 400, name="alice", body=wrong)
    admin.ask("putAccount", 400, name="alice", body=b"{")
    admin.ask("putAccount", 413, name="alice", body=b" " * 200_001)
    admin.ask("listAccounts")


def domains(admin):
    admin.ask("putDomain", name="example.org", body={
        "publicURL": "https://example.org", "aliases": ["www.example.org"], "backends": ["embedded"], "minSendable": 1000,
        "maxSendable": 100_000_000, "maximumOpenInvoices": 100, "reserved": ["admin"], "description": "Pay {address}",
    })
    # What is shown can be sent back.
    admin.ask("putDomain", name="example.org", body=admin.ask("showDomain", name="example.org"))
    admin.ask("putDomain", name="*.example.net", body={})
    for wrong in ({"publicURL": 1}, {"strange": 1}, {"minSendable": 0}, {"aliases": "a.example"}, {"reserved": ["a b"]}, {"description": ""}):
        admin.ask("putDomain", 400, name="example.org", body=wrong)
    admin.ask("putDomain", 409, name="example.com", body={"aliases": ["www.example.org"]})
    admin.ask("putDomain", 413, name="example.org", body=b" " * 400_001)
    admin.ask("putAccount", name="alice@example.org", body={})
    admin.ask("putAccount", 400, name="admin@example.org", body=b"{}")
    admin.ask("putAccount", 404, name="alice@unknown.example", body={})
    admin.ask("showAccount", name="alice@example.org")
    admin.ask("listInvoices", query={"account": "alice@example.org"})
    admin.ask("listDomains")
    admin.ask("removeDomain", 409, name="example.org")
    admin.ask("removeAccount", name="alice@example.org")
    admin.ask("removeDomain", name="example.org")
    admin.ask("removeDomain", 404, name="example.org")


def invoices(admin, service):
    callback = get(service.url("/lnurlp/alice")).json["callback"]
    separator = "&" if "?" in callback else "?"
    verify = [get(f"{callback}{separator}amount={amount}000&comment=Tea").json["verify"] for amount in (21, 22, 23)]
    paid = verify[0].rpartition("/")[2]
    admin.ask("settleInvoice", hash=paid)
    admin.ask("settleInvoice", 409, hash=paid)
    admin.ask("settleInvoice", hash=verify[1].rpartition("/")[2])
    for url in verify:
        admin.ask("showInvoice", hash=url.rpartition("/")[2])
    pages(admin, "listInvoices", "invoices", [
        {"account": "alice"}, {"state": "open"}, {"state": "settled"}, {"state": "expired"}, {"account": "nobody"},
    ])
    admin.ask("listInvoices", 400, query={"state": "lost"})


def offers(admin, service):
    made = admin.ask("createOffer", body={"account": "alice", "description": "Tea"})
    everything = {
        "account": "alice", "amount": 21000, "description": "Tea", "issuer": "Alice", "quantityMax": 0, "expiresIn": 60,
        "maximumPayments": 1, "introduction": [NODE], "issuerID": False,
    }
    admin.ask("createOffer", body=everything)
    admin.ask("createOffer", 404, body={"account": "nobody", "description": "Tea"})
    for wrong in ({"account": "a b"}, {"amount": 0}, {"strange": 1}, {"quantityMax": -1}, {"introduction": []}, {"issuerID": 1}):
        admin.ask("createOffer", 400, body={"account": "alice", "description": "Tea"} | wrong)
    admin.ask("createOffer", 413, body=b" " * 16_385)
    webhook = admin.ask("showAccount", name="alice")["webhook"]
    key = service.folder / "payer.key"
    service.lnurl("invoice-request", "send", webhook, made["offer"], "--amount", "21sat", "--note", "hi", "--key-file", str(key))
    shown = admin.ask("listInvoices", query={"limit": 1})["invoices"][0]
    admin.comparison.same("a BOLT12 invoice", {key: shown[key] for key in ("origin", "offerID", "payerNote")},
                          {"origin": "bolt12", "offerID": made["id"], "payerNote": "hi"})
    admin.ask("showInvoice", hash=shown["paymentHash"])
    admin.ask("showOffer", id=made["id"])
    admin.ask("disableOffer", id=made["id"])
    for query in (None, {"account": "alice"}, {"account": "nobody"}):
        admin.ask("listOffers", query=query)
    for wrong in ({"account": ""}, {"limit": 1}):
        admin.ask("listOffers", 400, query=wrong)


def events(admin, service):
    webhook = admin.ask("showAccount", name="alice")["webhook"]
    event = {"template": "payment_received", "data": {"payment_hash": "00" * 32, "amount": 1}}
    admin.comparison.holds("a notification is accepted", post(webhook, event).status == 200)
    wait_until(lambda: any(event["type"] == "payment_received" for event in admin.ask("listEvents")["events"]))
    pages(admin, "listEvents", "events", [{"account": "alice"}, {"account": "nobody"}])


def devices(admin, service):
    wallet, other = coincurve.PrivateKey(), coincurve.PrivateKey()
    owner = wallet.public_key.format().hex()
    first, second = (put_device(service, wallet, name) for name in ("phone", "tablet"))
    put_device(service, other, "phone")
    page = admin.ask("listDevices", query={"limit": 2})
    admin.comparison.holds("the newest device comes first", page["devices"][1]["id"] == second)
    rest = admin.ask("listDevices", query={"after": page["next"]})["devices"]
    admin.comparison.holds("the others follow", [each["id"] for each in rest] == [first])
    owned = admin.ask("listDevices", query={"owner": owner})["devices"]
    admin.comparison.holds("those of an owner are listed by name", [each["install"] for each in owned] == ["phone", "tablet"])
    for query in ({"limit": 0}, {"limit": 1001}, {"after": "x"}, {"owner": "02"}, {"state": "live"}):
        admin.ask("listDevices", 400, query=query)
    shown = admin.ask("showDevice", id=first)
    admin.comparison.holds("the address of a device is not shown", "push.example" not in json.dumps(shown))
    told = admin.ask("announce", body={"text": "Maintenance on Sunday"})
    admin.comparison.same("every owner of a device is told once", told, {"owners": 2})
    for wrong in ({}, {"text": ""}, {"text": 1}, {"text": "a", "x": 1}):
        admin.ask("announce", 400, body=wrong)
    admin.ask("removeDevice", id=first)
    admin.ask("removeDevice", 404, id=first)


def put_device(service, wallet, install):
    """Registers a device as a wallet does, by a statement that it signs as a Lightning message; returns its id."""
    info = get(service.url("/v1/info")).json
    subscriber = point(ec.generate_private_key(ec.SECP256R1()).public_key())
    token = " ".join([
        f"https://push.example/{install}/{wallet.public_key.format().hex()}", unpadded(subscriber), unpadded(bytes(16))])
    key, identity = wallet.public_key.format().hex(), "ln:" + wallet.public_key.format().hex()
    secret = hashlib.sha256(f"{install} {key}".encode()).hexdigest()
    text = "\n".join([
        "wake-register-v1", f"aud:{info['audience']}", "app:judge", f"install:{install}", "platform:webpush",
        "environment:production", f"push_token:{token}", f"encryption_key:{key}", f"secret_sha256:{secret}",
        f"identities:{identity}", "topics:", f"ts:{info['server_time']}",
    ])
    digest = hashlib.sha256(hashlib.sha256(b"Lightning Signed Message:" + text.encode()).digest()).digest()
    signature = wallet.sign_recoverable(digest, hasher=None)
    body = {
        "app": "judge", "platform": "webpush", "environment": "production", "push_token": token, "encryption_key": key,
        "secret_sha256": secret, "identities": [identity], "topics": [], "ts": info["server_time"],
        "proofs": [{"identity": identity, "sig": zbase32(bytes([signature[64] + 31]) + signature[:64])}],
    }
    request = urllib.request.Request(
        service.url(f"/v1/devices/{install}"), method="PUT", data=json.dumps(body).encode())
    return send(request).json["device_id"]


def zbase32(data):
    bits = "".join(f"{byte:08b}" for byte in data)
    groups = (bits[start:start + 5].ljust(5, "0") for start in range(0, len(bits), 5))
    return "".join("ybndrfg8ejkmcpqxot1uwisza345h769"[int(group, 2)] for group in groups)


def registrations(admin, service):
    main = next(each["name"] for each in admin.ask("listDomains")["domains"] if each["main"])
    for name in ("phone", "tablet", "watch"):
        register(service, name)
    key = register(service)["key"]
    for query in ({}, {"domain": main}, {"domain": "nowhere.example"}, {"limit": 1000}):
        admin.ask("listRegistrations", query=query)
    first = admin.ask("listRegistrations", query={"limit": 1})
    admin.comparison.holds("the newest registration comes first", first["registrations"][0]["key"] == key)
    rest = admin.ask("listRegistrations", query={"after": first["next"]})["registrations"]
    admin.comparison.holds("the others follow", [each["name"] for each in rest] == ["watch", "tablet", "phone"])
    for query in ({"state": "done"}, {"limit": 0}, {"limit": 1001}, {"after": "x"}, {"domain": "a b"}):
        admin.ask("listRegistrations", 400, query=query)
    for name in ("phone", f"phone@{main}", key, f"{key}@{main}"):
        shown = admin.ask("showRegistration", name=name)
        admin.comparison.holds("of a webhook only its origin is shown", "token" not in json.dumps(shown))
    admin.ask("showRegistration", 404, name=f"{key}@nowhere.example")
    admin.ask("removeRegistration", 400, name="phone", query={"hold": "perhaps"})
    admin.ask("removeRegistration", name="phone", query={"hold": "false"})
    admin.ask("removeRegistration", name="tablet")
    admin.ask("removeRegistration", 404, name="tablet")
    admin.ask("removeRegistration", name=key, query={"hold": "true"})
    register(service, "phone", key="other.key")
    register(service, "tablet", key="another.key", status=1)
    for name in ("tablet", f"treasurer@{main}"):
        admin.ask("reserveName", name=name)
    register(service, "treasurer", key="another.key", status=1)
    reserved = sorted(admin.ask("listReservedNames")["reserved"])
    admin.comparison.holds("the reserved names are listed", reserved == [f"tablet@{main}", f"treasurer@{main}"])
    for name in ("tablet", "treasurer"):
        admin.ask("freeName", name=name)
        admin.ask("freeName", 404, name=name)
    register(service, "treasurer", key="another.key")
    for operation in ("reserveName", "freeName"):
        admin.ask(operation, 400, name="a b")
        admin.ask(operation, 404, name="boss@nowhere.example")


def register(service, name=None, key=None, status=0):
    """A wallet registers, with a key of its own."""
    return service.lnurl(
        "register", service.url(""), "--key-file", str(service.folder / (key or f"{name}.key")), "--webhook",
        "https://nds.example/notify?token=secret-token", *(("--name", name) if name else ()), status=status)


def outbox(admin):
    pages(admin, "listOutbox", "outbox", [
        {"account": "alice"}, {"kind": "notification"}, {"kind": "settlement-webhook"}, {"state": "pending"}, {"state": "parked"},
    ])
    admin.ask("listOutbox", 400, query={"state": "done"})
    entry = admin.ask("listOutbox", query={"kind": "settlement-webhook"})["outbox"][0]["id"]
    admin.ask("showOutboxEntry", id=entry)
    admin.ask("retryOutboxEntry", id=entry)


def pages(admin, name, key, queries):
    """Lists by every filter, goes from page to page, and is refused what makes no sense."""
    for query in queries:
        admin.ask(name, query=query)
    count, after = len(admin.ask(name)[key]), None
    for seen in itertools.count():
        page = admin.ask(name, query={"limit": 1} | ({"after": after} if after else {}))
        after = page["next"]
        if after is None:
            break
    admin.comparison.holds(f"{name}: page by page there are as many", seen + len(page[key]) == count)
    for wrong in ({"limit": 0}, {"limit": 1001}, {"after": "x"}, {"account": "a b"}, {"strange": 1}):
        admin.ask(name, 400, query=wrong)
