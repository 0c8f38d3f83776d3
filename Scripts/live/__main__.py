"""The service in front of live Core Lightning nodes on a private chain: a payer with `xpay`, a node between, and two nodes of ours. The
network knows the one; the other has a private channel only, and is paid through its peer.

Usage: PYTHONPATH=Scripts python -m live LIGHTNING BINARIES

LIGHTNING is an installation of Core Lightning, or the folder that it was built in; BINARIES holds lightning-responder and lnurl.
"""

import pathlib
import sys
import tempfile

from live.judge import FEE_SLACK, Judge
from live.nodes import Network, until
from service import Service


def main(lightning, binaries):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "service").mkdir()
        with Network(lightning, path) as network:
            service = Service(binaries, path / "service")
            judge = Judge(service, *nodes(network))
            print("Core Lightning", judge.payee("getinfo")["version"])
            configure(service, judge.payee.socket, judge.hidden.socket)
            with service:
                service.put_account("judged", {"description": "Sats for the judge", "backend": "node"})
                service.put_account("hidden", {"description": "Sats in hiding", "backend": "private"})
                judge.backends()
                public(judge)
                private(judge)
            sockets = {"JUDGE_PAYEE_SOCKET": str(judge.payee.socket), "JUDGE_PAYER_SOCKET": str(judge.payer.socket)}
            judge.contract(binaries, "CoreLightningTests.LiveTests", 2, sockets)
    print("no failure" if judge.failures == 0 else f"{judge.failures} failures")
    return 1 if judge.failures else 0


def nodes(network):
    # The contract has the payer send too little and too much, along what the deprecated getroute answers.
    payer = network.node("payer", "--allow-deprecated-apis=true")
    between, payee, hidden = (network.node(name) for name in ("between", "payee", "hidden"))
    network.channel(payer, between, 4_000_000)
    network.channel(between, payee, 1_000_000)
    network.channel(between, hidden, 1_000_000, announce=False)
    network.chain.mine(6)
    until(lambda: len(payer("listchannels")["channels"]) >= 4)
    return payer, between, payee, hidden


def public(judge):
    judge.limits("judged", judge.payee)
    for amount in (1, 1000, 123_456):
        judge.lnurl(amount)
    offer = judge.offer()
    for amount in (1000, 54_321):
        judge.bolt12(offer, amount)
    judge.killed("responder killed, paid meanwhile", while_away=True)
    judge.killed("responder killed, paid after", while_away=False)
    judge.bolt12(offer, 77_777)
    judge.node_restarts()


def private(judge):
    judge.limits("hidden", judge.hidden)
    for amount in (1, 123_456):
        judge.lnurl(amount, "hidden")
    offer = judge.offer("hidden")
    for amount in (1, 1000, 54_321, 300_000_000):
        judge.bolt12(offer, amount, "hidden")
    judge.killed("private node, responder killed, paid meanwhile", while_away=True, account="hidden")
    judge.peer_raises_fee(offer, 1_000_000)


def configure(service, public_socket, private_socket):
    """The nodes as the backends `node` and `private` of the service."""
    file = service.folder / "responder.yaml"
    file.write_text(
        f"backends:\n  node:\n    kind: core-lightning\n    socket: {public_socket}\n"
        f"  private:\n    kind: core-lightning\n    socket: {private_socket}\n    fee-slack: {FEE_SLACK}\n"
    )
    service.environment["RESPONDER_CONFIG"] = str(file)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
