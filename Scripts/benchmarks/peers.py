"""How much memory the service takes with many idle Lightning peers."""

import functools
import pathlib
import socket
import tempfile
import time

import noise
import secp256k1
from benchmarks.report import row
from service import Service, free_port

# The chain of the embedded node, and what a node without channels offers.
REGTEST = bytes.fromhex("06226e46111a0b59caaf126043eb5bbf28c34f3a5e332a1fc7b2b73cf188910f")
INIT = bytes.fromhex("001000000005800000a202") + b"\1\x20" + REGTEST
EPHEMERAL = b"\x55" * 32


def connect(port, node, key):
    """An idle peer: the handshake is done, and init said."""
    connection = socket.create_connection(("127.0.0.1", port))

    def answer(act_one):
        connection.sendall(act_one)
        return connection.recv(50, socket.MSG_WAITALL)

    _, act_three, sending, _ = noise.initiate(node, key, EPHEMERAL, answer)
    connection.sendall(act_three + sending.frame(INIT))
    return connection


def resident(pid):
    """In KiB."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


def settled(pid):
    """In KiB, six seconds after the last request."""
    time.sleep(6)
    return resident(pid)


def idle(binaries, count, within):
    """KiB with one peer, KiB with all, and how many peers the service says it has."""
    # Plain integers are slow, and half of each handshake is the same.
    noise.public = functools.lru_cache(None)(secp256k1.public)
    noise.agree = functools.lru_cache(None)(noise.agree)
    port = free_port()
    with tempfile.TemporaryDirectory(dir=within) as folder:
        service = Service(binaries, folder)
        service.environment["RESPONDER_ONION_PEER_LISTEN"] = f"127.0.0.1:{port}"
        service.environment["RESPONDER_ONION_PEER_MAXIMUM_INCOMING"] = "10000"
        with service:
            key = (pathlib.Path(folder) / "data" / "responder.key").read_text(encoding="ascii").strip()
            node = secp256k1.public(bytes.fromhex(key))
            connections = [connect(port, node, (1).to_bytes(32, "big"))]
            time.sleep(1)
            before = resident(service.process.pid)
            connections += [connect(port, node, (number + 2).to_bytes(32, "big")) for number in range(count)]
            time.sleep(2)
            after = resident(service.process.pid)
            there = len(service.responder("peers")["peers"])
    return before, after, there


def rows(count, before, after, there):
    if there != count + 1:
        raise SystemExit(f"{count + 1} peers connected, {there} are there")
    each = f"{(after - before) / count:.1f} KiB"
    return [row(f"memory of an idle peer, of {count:,}", "", each, f"with one {before / 1000:.1f} MB", None, None)]
