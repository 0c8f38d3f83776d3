"""Offers that are good for one payment, asked for by several payers at every instance at once."""

import concurrent.futures
import json
import subprocess
import urllib.parse

from service import post

PAYERS = 6


class OfferRace:
    def __init__(self, instances, account):
        self.instances, self.account = instances, account
        self.rounds = self.sold = self.sold_twice = 0

    def run(self):
        """One offer; how many invoices were given out for it."""
        first = next(each for each in self.instances if each.is_running)
        made = first.responder("offer", "create", self.account, "--amount", "21sat", "--single-use")
        webhook = urllib.parse.urlsplit(first.responder("account", "show", self.account)["webhook"])
        command = [first.binaries / "responder-bench", "requests", made["offer"], str(PAYERS)]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        bodies = [{"event": "invoice.request", "data": {"offer": made["offer"], "invoiceRequest": line}} for line in lines]
        with concurrent.futures.ThreadPoolExecutor(PAYERS) as pool:
            answers = list(pool.map(lambda each: self.ask(webhook, *each), enumerate(bodies)))
        self.rounds += 1
        self.sold += answers.count(True)
        self.sold_twice += answers.count(True) > 1

    def ask(self, webhook, number, body):
        instance = self.instances[number % len(self.instances)]
        query = f"?{webhook.query}" if webhook.query else ""
        try:
            answer = post(f"http://{instance.address}{webhook.path}{query}", body)
            return answer.status == 200 and "invoice" in json.loads(answer.body)
        except (OSError, ValueError):
            return False
