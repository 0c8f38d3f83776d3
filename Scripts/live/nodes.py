"""Core Lightning nodes of one's own, on a private chain in a folder; all of it on loopback."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import time

from live.chain import Chain
from service import free_port


class RPCError(Exception):
    """What a node refused."""


class Network:
    """Use it as a context: leaving stops every node."""

    def __init__(self, lightning, folder):
        self.lightning = pathlib.Path(lightning)
        self.folder = pathlib.Path(folder)
        self.chain = Chain(self.folder / "chain")
        self.nodes = []

    def __enter__(self):
        # Nodes are in process groups of their own, and would outlive whoever is terminated.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        self.chain.create()
        return self

    def __exit__(self, *_):
        for node in self.nodes:
            node.kill()

    def node(self, name, *options):
        """A new node, with options of lightningd beside those that all have."""
        node = Node(self, name, options)
        self.nodes.append(node)
        node.start()
        return node

    def channel(self, opener, other, satoshi, announce=True):
        """A channel with all its money on the opener's side, once both ends use it."""
        self.chain.fund(opener("newaddr", addresstype="bech32")["bech32"], satoshi + 100_000)
        until(lambda: confirmed(opener) >= (satoshi + 100_000) * 1000)
        opener("connect", id=other.id, host="127.0.0.1", port=other.port)
        opened = opener("fundchannel", id=other.id, amount=satoshi, announce=announce)
        self.chain.mine(6)

        def is_usable(node):
            channels = node("listpeerchannels")["channels"]
            return any(
                channel["funding_txid"] == opened["txid"] and channel["state"] == "CHANNELD_NORMAL"
                and "remote" in channel["updates"]
                for channel in channels
            )

        until(lambda: is_usable(opener) and is_usable(other))


class Node:
    """Call it with a method and its parameters."""

    def __init__(self, network, name, options=()):
        self.network = network
        self.options = options
        self.folder = network.folder / name
        self.folder.mkdir()
        self.name = name
        self.port = free_port()
        self.process = None

    @property
    def socket(self):
        return self.folder / "regtest" / "lightning-rpc"

    def start(self):
        plugin = pathlib.Path(__file__).with_name("chain.py")
        with (self.folder / "output").open("ab") as output:
            self.process = subprocess.Popen(
                [
                    program(self.network.lightning, "lightningd"),
                    f"--lightning-dir={self.folder}", "--network=regtest", f"--alias={self.name}",
                    f"--addr=127.0.0.1:{self.port}", "--disable-plugin=bcli", f"--plugin={plugin}", "--rescan=10",
                    "--log-level=debug", f"--log-file={self.folder / 'log'}",
                    "--developer", "--dev-fast-gossip", "--dev-bitcoind-poll=1", "--dev-allow-localhost",
                    *self.options,
                ],
                env={**os.environ, "PRIVATE_CHAIN": str(self.network.folder / "chain")},
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            )
        until(self.is_there)
        self.id = self("getinfo")["id"]

    def is_there(self):
        if self.process.poll() is not None:
            raise SystemExit(f"lightningd of {self.name} ended:\n{(self.folder / 'output').read_text()}")
        try:
            return bool(self("getinfo"))
        except (OSError, ValueError):
            return False

    def receivable(self):
        """What the node says that it can receive over its channel, in msat."""
        return self("listpeerchannels")["channels"][0]["receivable_msat"]

    def is_usable(self):
        """Whether all channels are there again after a start."""
        return all(channel.get("reestablished") for channel in self("listpeerchannels")["channels"])

    def ask_fee(self, other, base, millionths):
        """Forwards to another node for this fee from now on."""
        self("setchannel", id=other.id, feebase=base, feeppm=millionths, enforcedelay=0)

    def kill(self):
        """Ends the node and its plugins without a word."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.socket.unlink(missing_ok=True)

    def __call__(self, method, **parameters):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(90)
            connection.connect(str(self.socket))
            request = {"jsonrpc": "2.0", "id": "judge", "method": method, "params": parameters}
            connection.sendall(json.dumps(request, ensure_ascii=False).encode())
            answer = b""
            while not answer.endswith(b"\n\n"):
                piece = connection.recv(1 << 20)
                if not piece:
                    raise ValueError("an incomplete answer")
                answer += piece
        answer = json.loads(answer)
        if "error" in answer:
            raise RPCError(f"{method}: {answer['error']}")
        return answer["result"]


def program(lightning, name):
    """In an installation's `bin`, or where the build leaves it."""
    for path in (lightning / "bin" / name, lightning / name / name, lightning / name):
        if path.is_file():
            return str(path)
    raise SystemExit(f"there is no {name} in {lightning}")


def confirmed(node):
    return sum(output["amount_msat"] for output in node("listfunds")["outputs"] if output["status"] == "confirmed")


def until(condition, seconds=60, pause=0.05):
    """Waits until a condition holds; how long that took, in seconds."""
    start = time.monotonic()
    while not condition():
        if time.monotonic() - start > seconds:
            raise SystemExit(f"waited {seconds} s in vain")
        time.sleep(pause)
    return time.monotonic() - start
