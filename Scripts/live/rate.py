"""What the service costs in front of a live Core Lightning node: invoices a second and latency, beside those of the node's own
`invoice` command, in alternating rounds of one run; and the service's own processor time.

Usage: PYTHONPATH=Scripts python -m live.rate LIGHTNING BINARIES [ROUNDS]

LIGHTNING is an installation of Core Lightning v26.06 or later, or the folder that it was built in; BINARIES holds a release build of
lightning-responder.
"""

import itertools
import json
import pathlib
import socket
import statistics
import sys
import tempfile
import threading
import time

from benchmarks.usage import processor
from live.nodes import Network
from service import Service

SECONDS = 8
AT_ONCE = 8
IN_SEQUENCE = 400
LABELS = itertools.count()


class NodeClient:
    """Orders invoices from the node itself, over a connection of its own."""

    def __init__(self, node):
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.settimeout(10)
        self.connection.connect(str(node.socket))

    def order(self):
        parameters = {
            "amount_msat": 21000, "label": f"rate-{next(LABELS)}", "description": "[[\"text/plain\",\"Sats\"]]",
            "expiry": 600, "deschashonly": True,
        }
        request = {"jsonrpc": "2.0", "id": "rate", "method": "invoice", "params": parameters}
        self.connection.sendall(json.dumps(request).encode())
        answer = b""
        while not answer.endswith(b"\n\n"):
            part = self.connection.recv(1 << 16)
            assert part, answer
            answer += part
        assert "bolt11" in json.loads(answer)["result"], answer


class PayerClient:
    """Asks the service for invoices, as a payer does, at no more expense than `NodeClient`: the standard library's client takes 0.1 ms
    of processor time a request, which would count as the service's."""

    def __init__(self, service):
        host, port = service.address.rsplit(":", 1)
        self.request = f"GET /lnurlpay/alice/invoice?amount=21000 HTTP/1.1\r\nHost: {service.address}\r\n\r\n".encode()
        self.connection = socket.create_connection((host, int(port)), timeout=10)

    def order(self):
        self.connection.sendall(self.request)
        answer = b""
        while not answer.endswith(b"}"):
            part = self.connection.recv(1 << 16)
            assert part, answer
            answer += part
        assert "pr" in json.loads(answer.partition(b"\r\n\r\n")[2]), answer


def at_once(client):
    """How many invoices several clients get at once."""
    counts = [0] * AT_ONCE
    end = time.monotonic() + SECONDS

    def work(index):
        mine = client()
        while time.monotonic() < end:
            mine.order()
            counts[index] += 1

    threads = [threading.Thread(target=work, args=(index,)) for index in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts)


def latency(client):
    """The median of one invoice after the other, in milliseconds."""
    mine, times = client(), []
    for _ in range(IN_SEQUENCE):
        begun = time.monotonic()
        mine.order()
        times.append((time.monotonic() - begun) * 1000)
    return statistics.median(times)


def main(lightning, binaries, rounds=3):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        with Network(lightning, path) as network:
            payer, payee = network.node("payer"), network.node("payee")
            network.channel(payer, payee, 4_000_000)
            print("Core Lightning", payee("getinfo")["version"])
            (path / "service").mkdir()
            service = Service(binaries, path / "service")
            service.configure({"backends": {"node": {"kind": "core-lightning", "socket": payee.socket, "calls": AT_ONCE}}})
            with service:
                service.put_account("alice", {"description": "Sats", "backend": "node"})
                own, ours = (lambda: NodeClient(payee)), (lambda: PayerClient(service))
                measured = {(name, what): [] for name in ("node", "service") for what in ("rate", "latency", "at once", "alone")}
                for _ in range(int(rounds)):
                    for name, client in (("node", own), ("service", ours)):
                        begun = processor([service.process.pid])
                        count = at_once(client)
                        between = processor([service.process.pid])
                        measured[name, "rate"].append(count / SECONDS)
                        measured[name, "at once"].append((between - begun) / count * 1000)
                        measured[name, "latency"].append(latency(client))
                        measured[name, "alone"].append((processor([service.process.pid]) - between) / IN_SEQUENCE * 1000)
    middle = {key: statistics.median(values) for key, values in measured.items()}
    for name in ("node", "service"):
        print(f"{name}: {middle[name, 'rate']:.0f} invoices/s of {AT_ONCE} connections, p50 {middle[name, 'latency']:.2f} ms of one")
    print(f"invoices/s / the node's own: {middle['service', 'rate'] / middle['node', 'rate']:.2f} (budget: at least 0.98)")
    print(f"added latency, p50: {middle['service', 'latency'] - middle['node', 'latency']:.2f} ms (budget: at most 0.5 ms)")
    for what, connections, most in (("at once", f"{AT_ONCE} connections", 0.35), ("alone", "one connection", 0.6)):
        print(f"processor time of an invoice, {connections}: {middle['service', what]:.2f} ms (budget: at most {most} ms)")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
