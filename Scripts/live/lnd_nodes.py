"""LND nodes of one's own, on a private chain in a folder; all of it on loopback."""

import base64
import json
import os
import pathlib
import signal
import ssl
import subprocess
import urllib.error
import urllib.request

from live.bitcoind import Bitcoind
from live.nodes import Network, RPCError, program, until
from service import free_port


class LNDNetwork(Network):
    """A network of both kinds of nodes. Use it as a context: leaving stops every node."""

    def __init__(self, lnd, lightning, folder):
        super().__init__(lightning, folder)
        self.lnd = pathlib.Path(lnd)
        self.bitcoind = Bitcoind(self.chain)

    def __enter__(self):
        super().__enter__()
        self.bitcoind.__enter__()
        return self

    def __exit__(self, *_):
        super().__exit__()
        self.bitcoind.__exit__()

    def lnd_node(self, name):
        node = LNDNode(self, name)
        self.nodes.append(node)
        node.start()
        return node

    def lnd_channel(self, opener, other, satoshi, announce=True, push=0):
        """A channel of an LND, all its money on the opener's side but what is pushed over, once both ends use it."""
        self.chain.fund(opener("GET", "/v1/newaddress")["address"], satoshi + 100_000)
        until(lambda: opener.confirmed() >= satoshi + 50_000)
        opener.connect(other)
        nodes = [node for node in (opener, other) if isinstance(node, LNDNode)]
        until(lambda: all(node("GET", "/v1/getinfo")["synced_to_chain"] for node in nodes))
        order = {"local_funding_amount": str(satoshi), "push_sat": str(push), "private": not announce}
        opened = opener("POST", "/v1/channels", {"node_pubkey_string": other.id, **order})
        self.chain.mine(6)
        point = f"{base64.b64decode(opened['funding_txid_bytes'])[::-1].hex()}:{opened['output_index']}"
        until(lambda: all(node.uses(point) for node in nodes))


class LNDNode:
    """Call it with a method, a path and a body of the REST interface."""

    def __init__(self, network, name):
        self.network = network
        self.folder = network.folder / name
        self.folder.mkdir()
        self.name = name
        self.port, self.rest, self.rpc = free_port(), free_port(), free_port()
        self.process = None

    @property
    def url(self):
        return f"https://127.0.0.1:{self.rest}"

    @property
    def certificate(self):
        return self.folder / "tls.cert"

    @property
    def macaroons(self):
        return self.folder / "data/chain/bitcoin/regtest"

    def start(self):
        with (self.folder / "output").open("ab") as output:
            self.process = subprocess.Popen(
                [
                    program(self.network.lnd, "lnd"), f"--lnddir={self.folder}", f"--alias={self.name}",
                    f"--listen=127.0.0.1:{self.port}", f"--restlisten=127.0.0.1:{self.rest}",
                    f"--rpclisten=127.0.0.1:{self.rpc}", "--noseedbackup", "--nobootstrap", "--trickledelay=50",
                    "--bitcoin.regtest", "--bitcoin.node=bitcoind", "--bitcoind.rpcpolling",
                    f"--bitcoind.rpchost=127.0.0.1:{self.network.bitcoind.port}", "--bitcoind.rpcuser=judge",
                    "--bitcoind.rpcpass=judge", "--bitcoind.blockpollinginterval=100ms",
                    "--bitcoind.txpollinginterval=500ms",
                ],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            )
        until(self.is_there)
        self.id = self("GET", "/v1/getinfo")["identity_pubkey"]

    def is_there(self):
        if self.process.poll() is not None:
            raise SystemExit(f"lnd of {self.name} ended:\n{(self.folder / 'output').read_text()}")
        try:
            return self("GET", "/v1/state")["state"] == "SERVER_ACTIVE"
        except (OSError, RPCError):
            return False

    def confirmed(self):
        return int(self("GET", "/v1/balance/blockchain")["confirmed_balance"])

    def channels(self, active=True):
        return self("GET", f"/v1/channels?active_only={json.dumps(active)}")["channels"]

    def uses(self, point):
        """Whether a channel can be paid through, and its terms are known."""
        found = [channel for channel in self.channels() if channel["channel_point"] == point]
        if not found:
            return False
        try:
            edge = self("GET", f"/v1/graph/edge/{found[0]['chan_id']}")
        except RPCError:
            return False
        return bool(edge["node1_policy"] and edge["node2_policy"])

    def receivable(self):
        """The peer's side of its channel, in msat."""
        return int(self.channels()[0]["remote_balance"]) * 1000

    def is_usable(self):
        """Whether all channels are there again after a start."""
        return len(self.channels()) == len(self.channels(active=False))

    def ask_fee(self, other, base, millionths):
        """Forwards to another node for this fee from now on."""
        channel = next(channel for channel in self.channels() if channel["remote_pubkey"] == other.id)
        transaction, output = channel["channel_point"].split(":")
        point = {"funding_txid_str": transaction, "output_index": int(output)}
        terms = {"base_fee_msat": str(base), "fee_rate_ppm": millionths, "time_lock_delta": 80}
        refused = self("POST", "/v1/chanpolicy", {"chan_point": point, **terms})["failed_updates"]
        if refused:
            raise RPCError(f"{self.name}: {refused}")

    def kill(self):
        """Ends the node without a word."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def connect(self, other):
        try:
            self("POST", "/v1/peers", {"addr": {"pubkey": other.id, "host": f"127.0.0.1:{other.port}"}})
        except RPCError as error:
            if "already connected" not in str(error):
                raise

    def bake(self, path, *permissions):
        """Writes a macaroon with such permissions, `invoices:read`."""
        body = {"permissions": [dict(zip(("entity", "action"), text.split(":"))) for text in permissions]}
        path.write_bytes(bytes.fromhex(self("POST", "/v1/macaroon", body)["macaroon"]))
        path.chmod(0o600)
        return path

    def __call__(self, method, path, body=None):
        """What the node answers."""
        macaroon = self.macaroons / "admin.macaroon"
        headers = {"Grpc-Metadata-macaroon": macaroon.read_bytes().hex()} if macaroon.exists() else {}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, method=method, headers=headers, data=data)
        context = ssl.create_default_context(cafile=self.certificate)
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context)
        )
        try:
            with opener.open(request, timeout=90) as response:
                return json.loads(response.read())
        except urllib.error.HTTPError as error:
            raise RPCError(f"{path}: {error.code} {error.read().decode()}") from error
