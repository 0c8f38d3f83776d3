"""What a payer with `xpay` sees of the service in front of live nodes, and what the operator sees of them."""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import time

from demo.reply_receiver import ReplyReceiver
from live.nodes import RPCError, until
from service import get

# A payment shows as settled within a second of the node knowing it.
PATIENCE = 1.0
# Millionths; the peer of the private node raises its fee by less.
FEE_SLACK = 2000
TESTS = "lightning-responderPackageTests.xctest"


class Judge:
    """Of a payer, a node between, and two nodes of ours: the network knows `payee`; `hidden` has a private channel only."""

    def __init__(self, service, payer, between, payee, hidden):
        self.service = service
        self.failures = 0
        self.payer, self.between, self.payee, self.hidden = payer, between, payee, hidden

    def check(self, text, holds):
        print("✔" if holds else "✘", text, flush=True)
        self.failures += not holds

    def pay(self, invoice):
        """Pays; the preimage, and when the payer had it."""
        paid = self.payer("xpay", invstring=invoice)
        now = time.monotonic()
        print(f"  paid {paid['amount_msat']} msat, sent {paid['amount_sent_msat']} msat, parts {paid['successful_parts']}")
        return paid["payment_preimage"], now

    def settles(self, text, is_settled, since, event="the payer had the preimage"):
        """Waits for the service to show a payment; well is when that takes no longer than it may."""
        try:
            until(is_settled, seconds=20, pause=0.01)
        except SystemExit:
            return self.check(f"{text}: never settled", False)
        took = time.monotonic() - since
        self.check(f"{text}: settled {took * 1000:.0f} ms after {event}", took <= PATIENCE)

    def backends(self, *names):
        """What the operator sees of the nodes."""
        nodes = {"node": self.payee, "private": self.hidden}
        for name in names or nodes:
            node = nodes[name]
            shown = self.service.responder("backend", "check", name)["backends"][0]
            print(" ", shown)
            self.check(f"backend check {name}: the node's id", shown.get("nodeID") == node.id)

    def check_refuses(self, text, backend, words):
        """What the operator is told of a node that does not let us in."""
        command = [self.service.binaries / "lightning-responder", "backend", "check", backend]
        ended = subprocess.run(command, env=self.service.environment, capture_output=True, text=True, check=False)
        self.check(f"{text}: {ended.stderr.strip()}", ended.returncode == 69 and words in ended.stderr)

    def public(self, invoices):
        """The node that the network knows, with invoices of these amounts, and others for offers."""
        self.limits("judged", self.payee)
        for amount in invoices:
            self.lnurl(amount)
        offer = self.offer()
        for amount in (1000, 54_321):
            self.bolt12(offer, amount)
        self.killed("responder killed, paid meanwhile", while_away=True)
        self.killed("responder killed, paid after", while_away=False)
        self.bolt12(offer, 77_777)
        self.node_restarts()

    def private(self, invoices, offered):
        """The node that has a private channel only, with invoices of these amounts, for offers too."""
        self.limits("hidden", self.hidden)
        for amount in invoices:
            self.lnurl(amount, "hidden")
        offer = self.offer("hidden")
        for amount in offered:
            self.bolt12(offer, amount, "hidden")
        self.killed("private node, responder killed, paid meanwhile", while_away=True, account="hidden")
        self.peer_raises_fee(offer, 1_000_000)

    # LNURL

    def order(self, amount, account="judged"):
        """An invoice over HTTP, as a wallet asks for it."""
        info = get(self.service.url(f"/.well-known/lnurlp/{account}")).json
        answer = get(f"{info['callback']}?amount={amount}").json
        if "pr" not in answer:
            raise SystemExit(f"no invoice: {answer}")
        return info, answer

    def lnurl(self, amount, account="judged"):
        payee = self.hidden if account == "hidden" else self.payee
        text = f"lnurl {account} {amount} msat"
        info, answer = self.order(amount, account)
        read = self.payer("decode", string=answer["pr"])
        self.check(f"{text}: the payer decodes the invoice", read["valid"])
        self.check(
            f"{text}: amount, payee and chain are right",
            (read["amount_msat"], read["payee"], read["currency"]) == (amount, payee.id, "bcrt"),
        )
        self.check(f"{text}: the hash of the metadata", read["description_hash"] == sha256(info["metadata"]))
        if account == "hidden":
            hinted = [route[0]["pubkey"] for route in read.get("routes", [])]
            self.check(f"{text}: the invoice names the way through the peer", hinted == [self.between.id])
        self.check("verify: open before it is paid", get(answer["verify"]).json["settled"] is False)
        preimage, paid = self.pay(answer["pr"])
        self.settles("verify", lambda: get(answer["verify"]).json["settled"], paid)
        self.check("verify: the payer's preimage", get(answer["verify"]).json["preimage"] == preimage)

    def limits(self, account, node):
        receivable, end = node.receivable(), time.monotonic() + 7
        # Shown for up to six seconds, and there may have been payments since.
        while (most := self.order(1000, account)[0]["maxSendable"]) > receivable and time.monotonic() < end:
            time.sleep(0.5)
        self.check(
            f"{account}: maxSendable {most} is within what can be received, {receivable}", 0 < most <= receivable
        )

    # BOLT 12

    def offer(self, account="judged"):
        made = self.service.responder("offer", "create", account, "--description", "Tea ☕")["offer"]
        read = self.payer("decode", string=made)
        self.check(f"offer of {account}: the payer decodes it", read["valid"] and read["offer_description"] == "Tea ☕")
        return made

    def ask(self, offer, amount, account):
        """An invoice of an offer, asked for as a forwarder does."""
        webhook = self.service.responder("account", "show", account)["webhook"]
        asked = self.service.lnurl(
            "invoice-request", "send", webhook, offer, "--amount", f"{amount}msat",
            "--key-file", str(self.service.folder / "payer.key"),
        )
        read = self.payer("decode", string=asked["invoice"])
        self.check(
            f"bolt12 {account} {amount} msat: the payer decodes the invoice",
            read["valid"] and read["invoice_amount_msat"] == amount,
        )
        return asked["invoice"], read

    def bolt12(self, offer, amount, account="judged"):
        text = f"bolt12 {account} {amount} msat"
        invoice, read = self.ask(offer, amount, account)
        ways = [(path["first_node_id"], len(path["path"])) for path in read["invoice_paths"]]
        if account == "hidden":
            self.check(f"{text}: its path begins at the node's peer, and has two hops", ways == [(self.between.id, 2)])
        else:
            self.check(f"{text}: its path begins at the node, and has one hop", ways == [(self.payee.id, 1)])
        self.shows_paid(text, invoice, read["invoice_payment_hash"])

    def shows_paid(self, text, invoice, payment_hash):
        preimage, paid = self.pay(invoice)
        self.settles(text, lambda: self.preimage(payment_hash) is not None, paid)
        self.check(f"{text}: the payer's preimage", self.preimage(payment_hash) == preimage)

    def preimage(self, payment_hash):
        return self.service.invoice(payment_hash)["preimage"]

    def peer_raises_fee(self, offer, amount):
        """Between invoice and payment, by less than the slack in the invoice's path."""
        invoice, read = self.ask(offer, amount, "hidden")
        payinfo = read["invoice_paths"][0]["payinfo"]
        print(" ", payinfo)
        raised = payinfo["fee_proportional_millionths"] - FEE_SLACK // 2
        self.between.ask_fee(self.hidden, payinfo["fee_base_msat"], raised)
        print(f"  the peer asks for {raised} millionths now")
        self.shows_paid(f"bolt12 hidden {amount} msat, over the raised fee", invoice, read["invoice_payment_hash"])

    # One notification, one process

    def notification(self, amount, account="judged"):
        """A process of its own makes the invoice, posts it, and is gone; the service beside it sees the payment."""
        text = f"respond {account} {amount} msat"
        file = self.service.folder / "notification.json"
        with ReplyReceiver() as receiver:
            url, place = receiver.open()
            file.write_text(json.dumps({"template": "lnurlpay_invoice", "data": {"amount": amount, "reply_url": url}}))
            ended = self.service.responder("respond", "--notification", str(file), "--account", account)
            reply = json.loads(place.get(timeout=5).body)
        outcomes = (ended["outcome"], ended["delivery"]["outcome"])
        self.check(f"{text}: answered and taken", outcomes == ("answered", "taken"))
        read = self.payer("decode", string=reply["pr"])
        is_right = (read["payee"], read["amount_msat"]) == (self.payee.id, amount)
        self.check(f"{text}: the payer decodes the node's invoice", is_right)
        self.shows_paid(text, reply["pr"], ended["paymentHash"])

    # What comes between

    def killed(self, text, while_away, account="judged"):
        """An invoice that is paid while the responder is dead shows as soon as it lives again."""
        _, answer = self.order(4321, account)
        self.service.kill()
        event = "the payer had the preimage"
        if while_away:
            preimage, _ = self.pay(answer["pr"])
        self.service.start()
        if while_away:
            started, event = time.monotonic(), "the responder was ready"
        else:
            preimage, started = self.pay(answer["pr"])
        self.settles(text, lambda: get(answer["verify"]).json["settled"], started, event)
        self.check(f"{text}: the payer's preimage", get(answer["verify"]).json["preimage"] == preimage)

    def node_restarts(self):
        """The node is killed under the running service, and comes back."""
        _, answer = self.order(5555)
        self.payee.kill()
        refused = get(self.service.url("/lnurlpay/judged/invoice?amount=1000")).json
        self.check(f"node gone: an honest error, {refused.get('reason')!r}", refused.get("status") == "ERROR")
        self.payee.start()
        until(self.payee.is_usable)
        until(lambda: "pr" in get(self.service.url("/lnurlpay/judged/invoice?amount=1000")).json)
        _, paid = self.pay_patiently(answer["pr"])
        self.settles("node back", lambda: get(answer["verify"]).json["settled"], paid)

    def contract(self, binaries, suite, count, variables):
        """What every backend promises, at the real node; only where the tests are built beside the binaries."""
        tests = pathlib.Path(binaries) / TESTS
        if not tests.exists():
            return print(f"not judged: the contract of every backend; there is no {TESTS} in {binaries}")
        environment = {**os.environ, "NO_COLOR": "1", **variables}
        command = [tests, "--testing-library", "swift-testing", "--filter", suite]
        ended = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        # A run of no test, or of tests that are skipped, ends well too.
        passed = re.findall(r"^✔ Test \"(.*)\" with (\d+) test cases? passed", ended.stdout, re.MULTILINE)
        print(*(line for line in ended.stdout.splitlines() if line.startswith(("✘", "↳")) or "Test run" in line), sep="\n")
        for name, promises in passed:
            print(f"  {name}: {promises} promises kept")
        self.check("the contract of every backend", ended.returncode == 0 and len(passed) == count)

    def pay_patiently(self, invoice):
        """The payer's way may be closed for a moment after a node came back."""
        for _ in range(20):
            try:
                return self.pay(invoice)
            except RPCError:
                time.sleep(0.5)
        return self.pay(invoice)


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()
