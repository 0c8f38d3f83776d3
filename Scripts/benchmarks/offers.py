"""BOLT12: invoice requests posted to the webhook as a forwarder posts them, each another one, each invoice durable."""

import json
import pathlib
import statistics
import subprocess

from benchmarks import wrk
from benchmarks.report import ratio_of_rounds, row
from service import post

SCRIPT = pathlib.Path(__file__).with_name("webhook.lua")


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

    def run(self, seconds, most):
        """One round; `most` is what will not be asked for in that time."""
        self.bodies.write_text("\n".join(self.make(most)))
        result = wrk.run(self.webhook, seconds, SCRIPT, self.bodies)
        if result["count"] + wrk.CONNECTIONS > most:
            raise SystemExit(f"{most} requests were too few: the same again gets the same invoice, which is no measure")
        return result

    def make(self, count):
        command = [self.binaries / "responder-bench", "requests", self.offer, str(count)]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        return [
            json.dumps({"event": "invoice.request", "data": {"offer": self.offer, "invoiceRequest": line}})
            for line in lines
        ]


def rows(rounds, constant, fdatasync):
    """The figures of the webhook's rounds beside the rates of the constant text."""
    rates = [each["rate"] for each in rounds]
    p99 = statistics.median(each["p99"] for each in rounds)
    return [
        row(
            "webhook answer, durable",
            "",
            f"{statistics.median(rates):,.0f}/s",
            f"constant text {statistics.median(constant):,.0f}/s",
            ratio_of_rounds(rates, constant),
            None,
        ),
        row(
            f"webhook answer, p99 of {wrk.CONNECTIONS} connections",
            "",
            f"{p99:.1f} ms",
            f"fdatasync {statistics.median(fdatasync) / 1e6:.2f} ms",
            None,
            None,
        ),
    ]
