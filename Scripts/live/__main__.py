"""The service in front of live Core Lightning nodes on a private chain: a payer with `xpay`, a node between, our node.

Usage: PYTHONPATH=Scripts python -m live LIGHTNING BINARIES

LIGHTNING is an installation of Core Lightning, or the folder that it was built in; BINARIES holds lightning-responder and lnurl.
"""

import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from live.nodes import Network, RPCError, until
from service import Service, get

# A payment shows as settled within a second of the node knowing it.
PATIENCE = 1.0


class Judge:
    def __init__(self, network, service):
        self.service = service
        self.failures = 0
        self.payer, self.between, self.payee = (network.node(name) for name in ("payer", "between", "payee"))
        network.channel(self.payer, self.between, 2_000_000)
        network.channel(self.between, self.payee, 1_000_000)
        network.chain.mine(6)
        until(lambda: len(self.payer("listchannels")["channels"]) >= 4)

    def check(self, text, holds):
        print("✔" if holds else "✘", text, flush=True)
        self.failures += not holds

    def pay(self, invoice):
        """Pays; the preimage, and when the payer had it."""
        return self.payer("xpay", invstring=invoice)["payment_preimage"], time.monotonic()

    def settles(self, text, is_settled, since):
        """Waits for the service to show a payment; well is when that takes no longer than it may."""
        try:
            until(is_settled, seconds=20, pause=0.01)
        except SystemExit:
            return self.check(f"{text}: never settled", False)
        took = time.monotonic() - since
        self.check(f"{text}: settled {took * 1000:.0f} ms after the payer had the preimage", took <= PATIENCE)

    # LNURL

    def order(self, amount):
        """An invoice over HTTP, as a wallet asks for it."""
        info = get(self.service.url("/.well-known/lnurlp/judged")).json
        answer = get(f"{info['callback']}?amount={amount}").json
        if "pr" not in answer:
            raise SystemExit(f"no invoice: {answer}")
        return info, answer

    def lnurl(self, amount):
        info, answer = self.order(amount)
        read = self.payer("decode", string=answer["pr"])
        self.check(f"lnurl {amount} msat: the payer decodes the invoice", read["valid"])
        self.check(
            f"lnurl {amount} msat: amount, payee and chain are right",
            (read["amount_msat"], read["payee"], read["currency"]) == (amount, self.payee.id, "bcrt"),
        )
        self.check(f"lnurl {amount} msat: the hash of the metadata", read["description_hash"] == sha256(info["metadata"]))
        self.check("verify: open before it is paid", get(answer["verify"]).json["settled"] is False)
        preimage, paid = self.pay(answer["pr"])
        self.settles("verify", lambda: get(answer["verify"]).json["settled"], paid)
        self.check("verify: the payer's preimage", get(answer["verify"]).json["preimage"] == preimage)

    def limits(self):
        info, _ = self.order(1000)
        channel = self.payee("listpeerchannels")["channels"][0]
        self.check(
            f"maxSendable {info['maxSendable']} is within what can be received, {channel['receivable_msat']}",
            0 < info["maxSendable"] <= channel["receivable_msat"],
        )

    # BOLT 12

    def offer(self):
        made = self.service.responder("offer", "create", "judged", "--description", "Tea ☕")["offer"]
        read = self.payer("decode", string=made)
        self.check("offer: the payer decodes it", read["valid"] and read["offer_description"] == "Tea ☕")
        return made

    def bolt12(self, offer, amount):
        webhook = self.service.responder("account", "show", "judged")["webhook"]
        asked = self.service.lnurl(
            "invoice-request", "send", webhook, offer, "--amount", f"{amount}msat",
            "--key-file", str(self.service.folder / "payer.key"),
        )
        invoice = asked["invoice"]
        read = self.payer("decode", string=invoice)
        self.check(f"bolt12 {amount} msat: the payer decodes the invoice", read["valid"])
        self.check(
            f"bolt12 {amount} msat: its path begins at the node",
            read["invoice_paths"][0]["first_node_id"] == self.payee.id and read["invoice_amount_msat"] == amount,
        )
        self.bolt12_pays(f"bolt12 {amount} msat", invoice, read["invoice_payment_hash"])

    def bolt12_pays(self, text, invoice, payment_hash):
        preimage, paid = self.pay(invoice)
        self.settles(text, lambda: self.preimage(payment_hash) is not None, paid)
        self.check(f"{text}: the payer's preimage", self.preimage(payment_hash) == preimage)

    def preimage(self, payment_hash):
        """As the operator sees it: nil before the invoice is settled."""
        listed = self.service.responder("invoices", "--account", "judged")["invoices"]
        return next(invoice["preimage"] for invoice in listed if invoice["paymentHash"] == payment_hash)

    # What comes between

    def killed(self, text, while_away):
        """An invoice that is paid while the responder is dead shows as soon as it lives again."""
        _, answer = self.order(4321)
        self.service.kill()
        preimage, _ = self.pay(answer["pr"]) if while_away else (None, None)
        self.service.start()
        started = time.monotonic()
        if not while_away:
            preimage, started = self.pay(answer["pr"])
        self.settles(text, lambda: get(answer["verify"]).json["settled"], started)
        self.check(f"{text}: the payer's preimage", get(answer["verify"]).json["preimage"] == preimage)

    def node_restarts(self):
        """The node is killed under the running service, and comes back."""
        _, answer = self.order(5555)
        self.payee.kill()
        refused = get(self.service.url("/lnurlpay/judged/invoice?amount=1000")).json
        self.check(f"node gone: an honest error, {refused.get('reason')!r}", refused.get("status") == "ERROR")
        self.payee.start()
        until(lambda: all(channel.get("reestablished") for channel in self.payee("listpeerchannels")["channels"]))
        until(lambda: "pr" in get(self.service.url("/lnurlpay/judged/invoice?amount=1000")).json)
        _, paid = self.pay_patiently(answer["pr"])
        self.settles("node back", lambda: get(answer["verify"]).json["settled"], paid)

    def contract(self):
        """What every backend promises, at the real node; only where the tests are built beside this."""
        environment = {
            **os.environ, "JUDGE_PAYEE_SOCKET": str(self.payee.socket), "JUDGE_PAYER_SOCKET": str(self.payer.socket)
        }
        command = ["swift", "test", "--skip-build", "--disable-xctest", "--filter", "CoreLightningTests.LiveTests"]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        wrong = [line for line in ended.stdout.splitlines() if line.startswith(("✘", "↳"))]
        print("\n".join(wrong + ended.stdout.splitlines()[-1:]))
        self.check("the contract of every backend", ended.returncode == 0)

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


def main(lightning, binaries):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "service").mkdir()
        with Network(lightning, path) as network:
            service = Service(binaries, path / "service")
            judge = Judge(network, service)
            print("Core Lightning", judge.payee("getinfo")["version"])
            configure(service, judge.payee.socket)
            with service:
                service.put_account("judged", {"description": "Sats for the judge", "backend": "node"})
                judge.limits()
                for amount in (1, 1000, 123_456):
                    judge.lnurl(amount)
                offer = judge.offer()
                for amount in (1000, 54_321):
                    judge.bolt12(offer, amount)
                judge.killed("responder killed, paid meanwhile", while_away=True)
                judge.killed("responder killed, paid after", while_away=False)
                judge.bolt12(offer, 77_777)
                judge.node_restarts()
            judge.contract()
    print("no failure" if judge.failures == 0 else f"{judge.failures} failures")
    return 1 if judge.failures else 0


def configure(service, socket):
    """The node as the backend `node` of the service."""
    file = service.folder / "responder.yaml"
    file.write_text(f"backends:\n  node:\n    kind: core-lightning\n    socket: {socket}\n")
    service.environment["RESPONDER_CONFIG"] = str(file)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
