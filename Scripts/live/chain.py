#!/usr/bin/env python3
"""A private chain in a folder, in place of bitcoind: real blocks, and no rules at all.

Started without arguments, or by lightningd as a plugin, it answers what lightningd asks of its Bitcoin backend
(Core Lightning's documentation, "Bitcoin backend"); PRIVATE_CHAIN names the folder.
"""

import fcntl
import hashlib
import json
import os
import pathlib
import struct
import time

# The first block of regtest, as every node knows it, holds this one transaction.
GENESIS_TRANSACTION = bytes.fromhex(
    "01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d01044554686520"
    "54696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f75"
    "7420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0"
    "ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000"
)
BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
SUBSIDY = 5_000_000_000


class Chain:
    """Blocks and unconfirmed transactions as files of hexadecimal digits, shared by every process that names the folder."""

    def __init__(self, folder):
        self.blocks = pathlib.Path(folder) / "blocks"
        self.unconfirmed = pathlib.Path(folder) / "unconfirmed"
        self.lock_path = pathlib.Path(folder) / "lock"
        self.read = {}

    def create(self):
        self.blocks.mkdir(parents=True)
        self.unconfirmed.mkdir()
        self.append([GENESIS_TRANSACTION], 1_296_688_602)
        self.mine()

    @property
    def height(self):
        return len(list(self.blocks.glob("[0-9]*"))) - 1

    def block(self, height):
        path = self.blocks / f"{height:06d}"
        return path.read_text() if path.exists() else None

    def append(self, transactions, now):
        height = self.height + 1
        previous = bytes(32) if height == 0 else double_hash(bytes.fromhex(self.block(height - 1))[:80])
        version, nonce = (1, 2) if height == 0 else (0x20000000, height)
        root = merkle_root([bytes.fromhex(Transaction(raw).id)[::-1] for raw in transactions])
        header = struct.pack("<I", version) + previous + root + struct.pack("<III", now, 0x207FFFFF, nonce)
        block = header + compact_size(len(transactions)) + b"".join(transactions)
        # Whoever looks sees the block whole or not at all.
        (self.blocks / "new").write_text(block.hex())
        (self.blocks / "new").rename(self.blocks / f"{height:06d}")

    def mine(self, count=1, extra=()):
        """So many blocks; the first takes all unconfirmed transactions and some more."""
        with self.locked():
            for _ in range(count):
                waiting = sorted(self.unconfirmed.iterdir(), key=lambda path: path.stat().st_mtime_ns)
                confirmed = [bytes.fromhex(path.read_text()) for path in waiting]
                self.append([coinbase(self.height + 1), *extra, *confirmed], int(time.time()))
                for path in waiting:
                    path.unlink()
                extra = ()

    def fund(self, address, satoshi):
        """A block with a payment to an address, out of nothing."""
        script = witness_script(address)
        source = b"\x01" + os.urandom(32) + bytes(4) + b"\x00" + b"\xff" * 4
        target = b"\x01" + struct.pack("<Q", satoshi) + compact_size(len(script)) + script
        self.mine(extra=[struct.pack("<I", 2) + source + target + bytes(4)])

    def broadcast(self, transaction):
        """Takes a transaction to be confirmed; nil or why not. One that spends the same as another takes its place."""
        new = Transaction(bytes.fromhex(transaction))
        with self.locked():
            spent = {outpoint for known in self.transactions() for outpoint in known.inputs}
            if any(known.id == new.id for known in self.transactions()):
                return None
            if spent & set(new.inputs):
                return "bad-txns-inputs-missingorspent"
            for path in self.unconfirmed.iterdir():
                if set(Transaction(bytes.fromhex(path.read_text())).inputs) & set(new.inputs):
                    path.unlink()
            (self.unconfirmed / new.id).write_text(transaction)
        return None

    def unspent(self, transaction_id, index):
        """Amount and script of an output; nil when there is none or it is spent."""
        found = None
        for transaction in self.transactions():
            if (transaction_id, index) in transaction.inputs:
                return None
            if transaction.id == transaction_id and index < len(transaction.outputs):
                found = transaction.outputs[index]
        return found

    def transactions(self):
        for height in range(self.height + 1):
            if height not in self.read:
                reader = Reader(bytes.fromhex(self.block(height))[80:])
                self.read[height] = [Transaction(reader) for _ in range(reader.compact_size())]
            yield from self.read[height]

    def locked(self):
        lock = self.lock_path.open("w")
        fcntl.flock(lock, fcntl.LOCK_EX)
        return lock


class Reader:
    def __init__(self, data):
        self.data = data
        self.position = 0

    def take(self, count):
        self.position += count
        return self.data[self.position - count : self.position]

    def number(self, code):
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]

    def compact_size(self):
        first = self.number("B")
        return first if first < 0xFD else self.number({0xFD: "H", 0xFE: "I", 0xFF: "Q"}[first])


class Transaction:
    """What a transaction spends and pays; its id leaves the witnesses out."""

    def __init__(self, source):
        reader = source if isinstance(source, Reader) else Reader(source)
        version = reader.take(4)
        has_witnesses = reader.data[reader.position] == 0
        if has_witnesses:
            reader.take(2)
        start = reader.position
        self.inputs = []
        for _ in range(reader.compact_size()):
            previous, index = reader.take(32), reader.number("I")
            reader.take(reader.compact_size())
            reader.take(4)
            self.inputs.append((previous[::-1].hex(), index))
        self.outputs = []
        for _ in range(reader.compact_size()):
            amount = reader.number("Q")
            self.outputs.append((amount, reader.take(reader.compact_size()).hex()))
        body = reader.data[start : reader.position]
        for _ in self.inputs if has_witnesses else []:
            for _ in range(reader.compact_size()):
                reader.take(reader.compact_size())
        self.id = double_hash(version + body + reader.take(4))[::-1].hex()


def double_hash(data):
    return hashlib.sha256(hashlib.sha256(data).digest()).digest()


def compact_size(number):
    return bytes([number]) if number < 0xFD else b"\xfd" + struct.pack("<H", number)


def merkle_root(hashes):
    while len(hashes) > 1:
        if len(hashes) % 2:
            hashes.append(hashes[-1])
        hashes = [double_hash(hashes[i] + hashes[i + 1]) for i in range(0, len(hashes), 2)]
    return hashes[0]


def coinbase(height):
    script = b"\x04" + struct.pack("<I", height) + b"\x00\x00"
    source = b"\x01" + bytes(32) + b"\xff" * 4 + compact_size(len(script)) + script + b"\xff" * 4
    return struct.pack("<I", 1) + source + b"\x01" + struct.pack("<Q", SUBSIDY) + b"\x01\x51" + bytes(4)


def witness_script(address):
    values = [BECH32.index(letter) for letter in address[address.rindex("1") + 1 : -6]]
    program, bits, width = bytearray(), 0, 0
    for value in values[1:]:
        bits, width = bits << 5 | value, width + 5
        if width >= 8:
            width -= 8
            program.append(bits >> width & 255)
    return bytes([values[0] + 0x50 if values[0] else 0, len(program)]) + bytes(program)


# What lightningd asks.
METHODS = {
    "getchaininfo": "[last_height]",
    "estimatefees": "",
    "getrawblockbyheight": "height",
    "getutxout": "txid vout",
    "sendrawtransaction": "tx [allowhighfees]",
}
FEERATES = {2: 1500, 6: 1300, 12: 1200, 100: 1100}


def answer(chain, method, given):
    names = [name.strip("[]") for name in METHODS.get(method, "").split()]
    parameters = given if isinstance(given, dict) else dict(zip(names, given))
    if method == "getmanifest":
        commands = [{"name": name, "usage": usage, "description": "private chain"} for name, usage in METHODS.items()]
        return {"dynamic": False, "options": [], "rpcmethods": commands, "subscriptions": [], "hooks": []}
    if method == "getchaininfo":
        return {"chain": "regtest", "headercount": chain.height, "blockcount": chain.height, "ibd": False}
    if method == "estimatefees":
        rates = [{"blocks": blocks, "feerate": rate} for blocks, rate in FEERATES.items()]
        return {"feerate_floor": 1000, "feerates": rates}
    if method == "getrawblockbyheight":
        block = chain.block(int(parameters["height"]))
        block_hash = double_hash(bytes.fromhex(block)[:80])[::-1].hex() if block else None
        return {"blockhash": block_hash, "block": block}
    if method == "getutxout":
        amount, script = chain.unspent(parameters["txid"], int(parameters["vout"])) or (None, None)
        return {"amount": amount, "script": script}
    if method == "sendrawtransaction":
        refusal = chain.broadcast(parameters["tx"])
        return {"success": refusal is None, "errmsg": refusal or ""}
    return {}


def serve(chain):
    text, decoder = "", json.JSONDecoder()
    while piece := os.read(0, 1 << 20):
        text = (text + piece.decode()).lstrip()
        while text:
            try:
                request, end = decoder.raw_decode(text)
            except ValueError:
                break
            text = text[end:].lstrip()
            result = answer(chain, request["method"], request.get("params", []))
            if "id" in request:
                print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), end="\n\n", flush=True)


if __name__ == "__main__":
    serve(Chain(os.environ["PRIVATE_CHAIN"]))
