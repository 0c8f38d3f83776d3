"""BOLT12: invoice requests posted to the webhook as a forwarder posts them, each another one, each invoice durable."""

import json
import subprocess

from benchmarks import wrk
from service import post


class Forwarder:
    """Has an offer of the account, and knows its webhook."""

    def __init__(self, service, account):
        self.binaries = service.binaries
        self.bodies = service.folder / "requests"
        self.offer = service.responder("offer", "create", account, "--amount", "21sat")["offer"]
        self.webhook = service.responder("account", "show", account)["webhook"]
        answer = post(self.webhook, json.loads(self.make(1)[0]))
        if "invoice" not in answer.json:
            raise SystemExit(f"no BOLT12 invoice was given out: {answer.body.decode()}")

    def run(self, seconds, most, connections=wrk.CONNECTIONS):
        """One round; `most` is what will not be asked for in that time."""
        self.bodies.write_text("\n".join(self.make(most)))
        result = wrk.run(self.webhook, seconds, wrk.BODIES, self.bodies, connections=connections)
        if result["count"] + connections > most:
            raise SystemExit(f"{most} requests were too few: the same again gets the same invoice, which is no measure")
        return result

    def make(self, count):
        command = [self.binaries / "responder-bench", "requests", self.offer, str(count)]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        return [
            json.dumps({"event": "invoice.request", "data": {"offer": self.offer, "invoiceRequest": line}})
            for line in lines
        ]
