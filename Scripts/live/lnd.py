"""The service in front of live LND nodes on a private chain: a payer with Core Lightning's `xpay`, since LND pays no BOLT 12, an LND
between, and two LNDs of ours. The network knows the one; the other has a private channel only, and is paid through its peer.

Usage: PYTHONPATH=Scripts python -m live.lnd LND LIGHTNING BINARIES

LND is the folder that holds lnd; LIGHTNING is an installation of Core Lightning, or the folder that it was built in; BINARIES holds
lightning-responder and lnurl.
"""

import pathlib
import sys
import tempfile

from live.judge import FEE_SLACK, Judge
from live.lnd_nodes import LNDNetwork
from live.nodes import until
from service import Service

PERMISSIONS = ("info:read", "offchain:read", "invoices:read", "invoices:write")


def main(lnd, lightning, binaries):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "service").mkdir()
        with LNDNetwork(lnd, lightning, path) as network:
            service = Service(binaries, path / "service")
            judge = Judge(service, *nodes(network))
            print("LND", judge.payee("GET", "/v1/getinfo")["version"])
            print("Core Lightning", judge.payer("getinfo")["version"])
            configure(judge)
            with service:
                service.put_account("judged", {"description": "Sats for the judge", "backend": "node"})
                service.put_account("hidden", {"description": "Sats in hiding", "backend": "private"})
                judge.backends()
                permissions(judge)
                # The node between forwards no less than 1000 msat.
                judge.public((1000, 123_456))
                judge.private((1000, 123_456), (1000, 54_321, 300_000_000))
            contract(judge, network, binaries)
    print("no failure" if judge.failures == 0 else f"{judge.failures} failures")
    return 1 if judge.failures else 0


def nodes(network):
    payer = network.node("payer")
    between, payee, hidden = (network.lnd_node(name) for name in ("between", "payee", "hidden"))
    network.lnd_channel(between, payer, 4_000_000, push=3_000_000)
    network.lnd_channel(between, payee, 1_000_000)
    network.lnd_channel(between, hidden, 1_000_000, announce=False)
    network.chain.mine(6)
    until(lambda: len(payer("listchannels")["channels"]) >= 4)
    return payer, between, payee, hidden


def configure(judge):
    """The nodes as the backends `node` and `private` of the service."""
    backends = {}
    for name, node, slack in (("node", judge.payee, 0), ("private", judge.hidden, FEE_SLACK)):
        macaroon = node.bake(judge.service.folder / f"{name}.macaroon", *PERMISSIONS)
        backends[name] = {
            "kind": "lnd", "url": node.url, "macaroon-file": macaroon, "certificate-file": node.certificate, "bolt12": "on",
            "fee-slack": slack,
        }
    judge.service.configure({"backends": backends})


def permissions(judge):
    """What lacks in a macaroon that may make invoices only, and one of another node."""
    file = judge.service.folder / "node.macaroon"
    good = file.read_bytes()
    judge.payee.bake(file, "invoices:read", "invoices:write")
    judge.check_refuses("a macaroon for invoices only", "node", "lacks info:read, offchain:read")
    file.write_bytes((judge.hidden.macaroons / "admin.macaroon").read_bytes())
    judge.check_refuses("another node's macaroon", "node", "the macaroon is not accepted")
    file.write_bytes(good)


def contract(judge, network, binaries):
    """With a payer that can send too little and too much along routes of its own."""
    payer = network.lnd_node("spender")
    network.lnd_channel(payer, judge.between, 1_000_000)
    network.chain.mine(6)
    until(lambda: len(payer("GET", "/v1/graph")["edges"]) >= 2)
    folder = judge.service.folder
    macaroon = payer.bake(folder / "spender.macaroon", "offchain:read", "offchain:write", "info:read")
    variables = {}
    for name, node, file in (("PAYEE", judge.payee, folder / "node.macaroon"), ("PAYER", payer, macaroon)):
        parts = {"URL": node.url, "MACAROON": str(file), "CERTIFICATE": str(node.certificate)}
        variables |= {f"JUDGE_LND_{name}_{part}": value for part, value in parts.items()}
    judge.contract(binaries, "LNDTests.LiveTests", 1, variables)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
