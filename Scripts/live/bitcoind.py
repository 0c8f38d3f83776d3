"""A private chain as bitcoind's JSON-RPC shows it, as far as LND asks (`bitcoind.rpcpolling`, so that no ZMQ is needed)."""

import json
import struct
import threading
import time

from live.chain import Reader, Transaction, double_hash
from receiver import Receiver

METHOD_NOT_FOUND = -32601
NOT_FOUND = -5
REJECTED = -25
# The last version that is not asked who spends an output of an unconfirmed transaction.
VERSION = 230_000
BITCOIN = 100_000_000


class Refusal(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.error = {"code": code, "message": message}


class Bitcoind(Receiver):
    """Use it as a context; any user and password are accepted."""

    def __init__(self, chain):
        self.chain = chain
        self.heights = {}
        self.lock = threading.Lock()
        super().__init__()

    def take(self, path, headers, body):
        asked = json.loads(body)
        return 200, [self.answer(one) for one in asked] if isinstance(asked, list) else self.answer(asked)

    def answer(self, request):
        given = {"jsonrpc": "1.0", "id": request.get("id"), "result": None, "error": None}
        method = getattr(self, "rpc_" + request["method"], None)
        try:
            if method is None:
                raise Refusal(METHOD_NOT_FOUND, "Method not found")
            with self.lock:
                given["result"] = method(*request.get("params") or ())
        except Refusal as refusal:
            given["error"] = refusal.error
        return given

    # Blocks

    def find(self, block_hash):
        """The height of a block and its bytes."""
        for height in range(len(self.heights), self.chain.height + 1):
            self.heights[self.hash_at(height)] = height
        if block_hash not in self.heights:
            raise Refusal(NOT_FOUND, "Block not found")
        height = self.heights[block_hash]
        return height, bytes.fromhex(self.chain.block(height))

    def hash_at(self, height):
        block = self.chain.block(height)
        if block is None:
            raise Refusal(-8, "Block height out of range")
        return double_hash(bytes.fromhex(block[:160]))[::-1].hex()

    def rpc_getblockchaininfo(self):
        height = self.chain.height
        return {
            "chain": "regtest", "blocks": height, "headers": height, "bestblockhash": self.hash_at(height),
            "difficulty": 1, "mediantime": int(time.time()), "verificationprogress": 1, "initialblockdownload": False,
            "pruned": False, "softforks": {"taproot": {"type": "buried", "active": True, "height": 0}},
        }

    def rpc_getblockcount(self):
        return self.chain.height

    def rpc_getbestblockhash(self):
        return self.hash_at(self.chain.height)

    def rpc_getblockhash(self, height):
        return self.hash_at(height)

    def rpc_getblock(self, block_hash, verbosity=1):
        height, block = self.find(block_hash)
        if not verbosity:
            return block.hex()
        reader = Reader(block[80:])
        transactions = [Transaction(reader).id for _ in range(reader.compact_size())]
        return {**self.header(block_hash, height, block), "tx": transactions, "size": len(block)}

    def rpc_getblockheader(self, block_hash, verbose=True):
        height, block = self.find(block_hash)
        return self.header(block_hash, height, block) if verbose else block[:80].hex()

    def header(self, block_hash, height, block):
        version, when, bits, nonce = struct.unpack("<i64xIII", block[:80])
        return {
            "hash": block_hash, "confirmations": self.chain.height - height + 1, "height": height, "version": version,
            "versionHex": f"{version:08x}", "merkleroot": block[36:68][::-1].hex(), "time": when, "mediantime": when,
            "nonce": nonce, "bits": f"{bits:08x}", "difficulty": 1,
            "previousblockhash": block[4:36][::-1].hex() if height else "",
        }

    # Transactions

    def unconfirmed(self):
        return {path.name: path.read_text() for path in self.chain.unconfirmed.iterdir()}

    def rpc_getrawmempool(self, _verbose=False):
        return list(self.unconfirmed())

    def rpc_getrawtransaction(self, transaction_id, verbose=0):
        raw = self.unconfirmed().get(transaction_id)
        if raw is None or verbose:
            raise Refusal(NOT_FOUND, "No such mempool transaction")
        return raw

    def rpc_gettxout(self, transaction_id, index, _include_unconfirmed=True):
        found = self.chain.unspent(transaction_id, index)
        if found is None:
            return None
        amount, script = found
        return {
            "bestblock": self.rpc_getbestblockhash(), "confirmations": 1, "value": amount / BITCOIN,
            "scriptPubKey": {"hex": script}, "coinbase": False,
        }

    def rpc_sendrawtransaction(self, transaction, *_):
        refusal = self.chain.broadcast(transaction)
        if refusal is not None:
            raise Refusal(REJECTED, refusal)
        return Transaction(bytes.fromhex(transaction)).id

    def rpc_testmempoolaccept(self, transactions, *_):
        return [{"txid": Transaction(bytes.fromhex(raw)).id, "allowed": True} for raw in transactions]

    # Itself

    def rpc_getnetworkinfo(self):
        return {"version": VERSION, "subversion": "/Satoshi:23.0.0/", "connections": 1, "relayfee": 0.00001}

    def rpc_getmempoolinfo(self):
        return {"mempoolminfee": 0.00001, "minrelaytxfee": 0.00001}

    def rpc_estimatesmartfee(self, target, *_):
        return {"feerate": 0.00002, "blocks": target}

    def rpc_getpeerinfo(self):
        return []

    def rpc_uptime(self):
        return 1
