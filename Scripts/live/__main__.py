"""The service in front of live Core Lightning nodes on a private chain: a payer with `xpay`, a node between, and two nodes of ours. The
network knows the one; the other has a private channel only, and is paid through its peer.

Usage: PYTHONPATH=Scripts python -m live LIGHTNING BINARIES [CLNREST]

LIGHTNING is an installation of Core Lightning, or the folder that it was built in; BINARIES holds lightning-responder, lightning-respond and
lnurl; CLNREST is the plugin clnrest, and `installed` where the installation has it.
"""

import os
import pathlib
import sys
import tempfile

from live.clnrest import RESTClient
from live.decode import differences
from live.judge import FEE_SLACK, Judge
from live.nodes import Network, until
from live.own_offers import own_offers
from service import Service


def main(lightning, binaries, clnrest=None):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        rest = RESTClient(clnrest, path) if clnrest else None
        with Network(lightning, path) as network:
            judge = Judge(None, *nodes(network, rest.options if rest else ()))
            print("Core Lightning", judge.payee("getinfo")["version"])
            sockets = {
                "node": {"socket": judge.payee.socket},
                "private": {"socket": judge.hidden.socket, "fee-slack": FEE_SLACK},
                "offering": {"socket": judge.payee.socket, "offers": "own"},
            }
            with serving(judge, binaries, path / "service", sockets) as service:
                service.put_account("judged", {"description": "Sats for the judge", "backend": "node", "minSendable": 1})
                service.put_account("hidden", {"description": "Sats in hiding", "backend": "private", "minSendable": 1})
                judge.backends()
                public(judge)
                judge.private((1, 123_456), (1, 1000, 54_321, 300_000_000))
                own_offers(judge)
            variables = {"JUDGE_PAYEE_SOCKET": str(judge.payee.socket), "JUDGE_PAYER_SOCKET": str(judge.payer.socket)}
            if rest:
                rest.open(judge.payee)
                with serving(judge, binaries, path / "rest", {"node": rest.settings}) as service:
                    print("over clnrest")
                    service.put_account("judged", {"description": "Sats over clnrest", "backend": "node", "minSendable": 1})
                    judge.backends("node")
                    public(judge)
                variables |= rest.variables
            judge.contract(binaries, "CoreLightningTests.LiveTests", 3 if rest else 2, variables)
            judge.failures += differences(network.node("decoder"), binaries, int(os.environ.get("DECODED", 400)))
    print("no failure" if judge.failures == 0 else f"{judge.failures} failures")
    return 1 if judge.failures else 0


def nodes(network, payee_options):
    payer, between = network.node("payer"), network.node("between")
    payee, hidden = network.node("payee", *payee_options), network.node("hidden")
    network.channel(payer, between, 4_000_000)
    network.channel(between, payee, 1_000_000)
    network.channel(between, hidden, 1_000_000, announce=False)
    network.chain.mine(6)
    until(lambda: len(payer("listchannels")["channels"]) >= 4)
    return payer, between, payee, hidden


def public(judge):
    for amount in (1, 98_765):
        judge.notification(amount)
    judge.public((1, 1000, 123_456))


def serving(judge, binaries, folder, nodes):
    """A service with nodes as its backends, by their settings; the one that is judged from now on."""
    folder.mkdir()
    judge.service = Service(binaries, folder)
    judge.service.configure({"backends": {name: {"kind": "core-lightning", **settings} for name, settings in nodes.items()}})
    return judge.service


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
