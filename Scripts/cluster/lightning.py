"""A live Core Lightning node, a backend of all instances, and another one that pays it."""

import pathlib

from live.nodes import Network, RPCError, until


class Lightning:
    """Use it as a context: entering starts both nodes with a channel between them, leaving ends them."""

    account = "carol"
    backend = "live"

    def __init__(self, installation, folder):
        self.network = Network(installation, pathlib.Path(folder))
        self.failures = 0

    def __enter__(self):
        self.network.__enter__()
        self.payer, self.payee = self.network.node("payer"), self.network.node("payee")
        self.network.channel(self.payer, self.payee, 16_000_000)
        self.network.chain.mine(6)
        until(lambda: len(self.payer("listchannels")["channels"]) >= 2)
        return self

    def __exit__(self, *raised):
        self.network.__exit__(*raised)

    @property
    def settings(self):
        return {"backends": {
            self.backend: {"kind": "core-lightning", "socket": self.payee.socket}, "embedded": {"kind": "embedded"}}}

    def pay(self, _, invoice):
        """Whether the payment has arrived."""
        try:
            self.payer("xpay", invstring=invoice)
        except RPCError:
            self.failures += 1
            return False
        return True

    def paid_at_node(self):
        return {each["payment_hash"] for each in self.payee("listinvoices")["invoices"] if each["status"] == "paid"}
