"""The package standardwebhooks verifies the announcements of payments, for all accounts and for one with a secret of its own."""

import base64
import secrets

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from judges.push import wait_until
from receiver import Receiver
from service import get


class Announcements(Receiver):
    """Refuses the first attempt at each announcement."""

    def __init__(self):
        self.taken = []
        super().__init__()

    def take(self, path, headers, body):
        self.taken.append((path, dict(headers.items()), body))
        attempts = sum(other["webhook-id"] == headers["webhook-id"] for _, other, _ in self.taken)
        return 503 if attempts == 1 else 204, None


def judge(service, comparison):
    receiver = Announcements()
    secret = {name: f"whsec_{base64.b64encode(secrets.token_bytes(count)).decode()}" for name, count in (("all", 24), ("own", 64))}
    files = {name: service.folder / f"{name}.secret" for name in secret}
    for name, path in files.items():
        path.touch(mode=0o600)
        path.write_text(secret[name] + "\n")
    service.stop()
    service.environment |= {
        "RESPONDER_SETTLEMENT_WEBHOOK_URL": receiver.origin + "/all",
        "RESPONDER_SETTLEMENT_WEBHOOK_SECRET_FILE": str(files["all"]),
        "RESPONDER_SETTLEMENT_WEBHOOK_ALLOW_PRIVATE": "true",
    }
    service.start()
    service.put_account("told", {"description": "Told"})
    own = {"url": receiver.origin + "/own", "secretFile": str(files["own"])}
    service.put_account("own", {"description": "Told elsewhere", "settlementWebhook": own})
    hashes = {}
    for name in ("told", "own"):
        callback = get(service.url(f"/lnurlp/{name}")).json["callback"]
        separator = "&" if "?" in callback else "?"
        verify = get(f"{callback}{separator}amount=21000&comment=Gr%C3%BC%C3%9Fe").json["verify"]
        hashes[name] = verify.rpartition("/")[2]
        service.responder("settle", hashes[name])
    wait_until(lambda: len(receiver.taken) >= 4)
    comparison.same("announcements", {"count": len(receiver.taken)}, {"count": 4})
    for path, headers, body in receiver.taken:
        account = "told" if path == "/all" else "own"
        name = path.removeprefix("/")
        headers = {key.lower(): value for key, value in headers.items()}
        data = comparison.accepts(f"announcement at {path}", lambda: Webhook(secret[name]).verify(body, headers))
        if data is None:
            continue
        told = data["data"]
        comparison.same(
            path,
            {"type": data["type"], "payment": told["paymentHash"], "account": told["account"], "comment": told["comment"]},
            {"type": "payment.received", "payment": hashes[account], "account": account, "comment": "Grüße"},
        )
        other = secret["own" if name == "all" else "all"]
        for changed, key in ((body + b" ", secret[name]), (body, other)):
            comparison.holds(f"{path}: another body or secret is refused", not is_valid(key, changed, headers))
    identities = {headers["webhook-id"] for _, headers, _ in receiver.taken}
    comparison.holds("the id is the same at each attempt", len(identities) == 2)

    def is_empty():
        return not service.responder("outbox", "list", "--kind", "settlement-webhook")["outbox"]

    comparison.holds("nothing is left in the outbox", wait_until(is_empty))
    receiver.server.shutdown()


def is_valid(secret, body, headers):
    try:
        Webhook(secret).verify(body, headers)
    except WebhookVerificationError:
        return False
    return True
