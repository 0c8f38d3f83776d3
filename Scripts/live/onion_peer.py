"""Our own Lightning peer beside live Core Lightning nodes on a private chain: a payer, a relay that is our peer, our node, and a payer far
away without channels.

Usage: PYTHONPATH=Scripts python -m live.onion_peer LIGHTNING BINARIES

LIGHTNING is an installation of Core Lightning, or the folder that it was built in; BINARIES holds lightning-responder and lnurl.
"""

import pathlib
import statistics
import sys
import tempfile
import time

from live.nodes import Network, RPCError, until
from service import Service

# The relay takes four messages a second from each of its peers, and drops the rest.
PACE = 0.28
PACED_REQUESTS = 100


class Judge:
    def __init__(self, network, service):
        self.service = service
        self.failures = 0
        self.latencies = []
        self.payer, self.relay, self.payee, self.far = (network.node(n) for n in ("payer", "relay", "payee", "far"))
        network.channel(self.payer, self.relay, 2_000_000)
        network.channel(self.relay, self.payee, 1_000_000)
        network.chain.mine(6)
        until(lambda: len(self.payer("listchannels")["channels"]) >= 4)
        self.connect_far()

    def connect_far(self):
        self.far("connect", id=self.payer.id, host="127.0.0.1", port=self.payer.port)

    def check(self, text, holds):
        print("✔" if holds else "✘", text, flush=True)
        self.failures += not holds

    def peer(self):
        return self.service.responder("peers")["peers"][0]

    def offer(self, *options):
        made = self.service.responder("offer", "create", "judged", *options)
        self.check(f"offer {' '.join(options)}: reachable now, {made['paths']} path", made["reach"]["peer"]["now"])
        return made["offer"]

    def fetch(self, node, offer, **parameters):
        """The invoice, or what the node says instead."""
        start = time.monotonic()
        try:
            invoice = node("fetchinvoice", offer=offer, **parameters)["invoice"]
        except RPCError as error:
            return None, str(error)
        self.latencies.append(time.monotonic() - start)
        return invoice, None

    def pays(self, text, offer, amount, **parameters):
        invoice, error = self.fetch(self.payer, offer, **parameters)
        self.check(f"{text}: fetchinvoice of a payer with channels{'' if invoice else ', ' + error}", invoice is not None)
        if invoice is None:
            return
        read = self.payer("decode", string=invoice)
        self.check(f"{text}: {read['invoice_amount_msat']} msat", read["valid"] and read["invoice_amount_msat"] == amount)
        try:
            self.payer("xpay", invstring=invoice)
        except RPCError as refused:
            return self.check(f"{text}: xpay, {refused}", False)
        payment_hash = read["invoice_payment_hash"]
        self.check(f"{text}: paid and settled", self.settled(payment_hash))

    def settled(self, payment_hash):
        try:
            until(lambda: self.service.invoice(payment_hash)["preimage"] is not None, seconds=20)
        except SystemExit:
            return False
        return True

    def refused(self, text, offer, words, **parameters):
        _, error = self.fetch(self.payer, offer, **parameters)
        self.check(f"{text}: {error}", error is not None and words in error)

    def kinds(self):
        for issuer in ((), ("--no-issuer-id",)):
            words = "without issuer id" if issuer else "with issuer id"
            self.pays(f"open amount, {words}", self.offer("--description", "Tea", *issuer), 7000, amount_msat=7000)
            self.pays(f"fixed amount, {words}", self.offer("--amount", "21sat", *issuer), 21_000)
        items = self.offer("--amount", "5sat", "--quantity-max", "4")
        self.pays("quantity", items, 15_000, quantity=3)
        self.refused("too many items", items, "quantity", quantity=5)
        note = self.offer("--amount", "3sat")
        self.pays("note", note, 3000, payer_note="for the tea ☕")
        self.pays("BIP-353 name", note, 3000, bip353="alice@pay.example.com")

    def without_channels(self):
        offer = self.offer("--amount", "8sat")
        invoice, error = self.fetch(self.far, offer)
        self.check(f"a payer without channels, two hops from us: {error or 'an invoice'}", invoice is not None)

    def gone(self):
        disabled = self.offer("--amount", "4sat")
        self.service.responder("offer", "disable", disabled)
        self.refused("disabled", disabled, "This offer is no longer valid")
        expiring = self.offer("--amount", "4sat", "--expires", "2s")
        time.sleep(3)
        # The payer itself refuses an expired offer, and never asks.
        self.refused("expired", expiring, "expired")

    def relay_restarts(self):
        offer = self.offer("--amount", "6sat")
        self.relay.kill()
        until(lambda: self.peer()["state"] != "open")
        self.check(f"relay gone: {self.peer()['lastError']}", self.peer()["lastError"] is not None)
        start = time.monotonic()
        self.relay.start()
        until(lambda: self.peer()["state"] == "open")
        self.check(f"relay back: connected again after {time.monotonic() - start:.1f} s", True)
        until(lambda: any(p["connected"] for p in self.payer("listpeers", id=self.relay.id)["peers"]))
        invoice, error = self.fetch(self.payer, offer)
        self.check(f"relay back: {error or 'an invoice'}", invoice is not None)

    def paced(self):
        offer = self.offer("--amount", "2sat")
        self.latencies = []
        answered = 0
        for _ in range(PACED_REQUESTS):
            start = time.monotonic()
            answered += self.fetch(self.payer, offer)[0] is not None
            time.sleep(max(0, PACE - (time.monotonic() - start)))
        self.check(
            f"{answered} of {PACED_REQUESTS} requests answered, one in {PACE * 1000:.0f} ms; median"
            f" {statistics.median(self.latencies) * 1000:.0f} ms, slowest {max(self.latencies) * 1000:.0f} ms",
            answered == PACED_REQUESTS,
        )


def main(lightning, binaries):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "service").mkdir()
        with Network(lightning, path) as network:
            service = Service(binaries, path / "service")
            judge = Judge(network, service)
            print("Core Lightning", judge.payee("getinfo")["version"])
            service.configure({
                "backends": {"node": {"kind": "core-lightning", "socket": judge.payee.socket}},
                "onion-peer": {"connect": [f"{judge.relay.id}@127.0.0.1:{judge.relay.port}"]},
            })
            with service:
                service.put_account("judged", {"description": "Sats for the judge", "backend": "node"})
                until(lambda: judge.peer()["state"] == "open")
                judge.check("peers: the relay carries onion messages", judge.peer()["onionMessages"])
                judge.kinds()
                judge.without_channels()
                judge.gone()
                judge.relay_restarts()
                judge.paced()
                print({key: value for key, value in judge.peer().items() if key.startswith(("messages", "dropped"))})
    print("no failure" if judge.failures == 0 else f"{judge.failures} failures")
    return 1 if judge.failures else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
