"""App users: registrations a second, from a payer's question over a webhook and a reply to the answer, and what a waiting payer costs.

Usage: PYTHONPATH=Scripts:Scripts/vectors python -m benchmarks.devices FOLDER [WAITING]
"""

import asyncio
import hashlib
import json
import pathlib
import resource
import sys
import tempfile
import time

import bolt11
from bech32 import to_groups
from benchmarks.peers import resident
from benchmarks.report import row
from registrations import sign_message
from secp256k1 import public
from service import Service

USERS = 1_000
METADATA = '[["text/plain","Bench"]]'
AMOUNT = 21_000


class Devices:
    """The webhook of all users: keeps their questions, or has each answered by a reply at once."""

    def __init__(self, service):
        self.host, self.port = service.address.split(":")
        self.answers = False
        self.questions = 0

    async def start(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, backlog=4096)
        return self.server.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            data = json.loads(await reader.readexactly(length))["data"]
            self.questions += 1
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            if self.answers:
                asyncio.create_task(self.reply(data["reply_url"]))

    async def reply(self, url):
        await ask(self.host, self.port, "POST", "/" + url.split("/", 3)[3], self.invoice)

    @property
    def invoice(self):
        if not hasattr(self, "made"):
            described = bolt11.field(bolt11.H, to_groups(hashlib.sha256(METADATA.encode()).digest()))
            fields = bolt11.s + bolt11.p + described
            self.made = json.dumps({"pr": bolt11.make(fields, hrp="lnbcrt210n", timestamp=int(time.time())), "routes": []})
        return self.made


async def ask(host, port, method, path, body=""):
    """The body of an answer, over a connection of its own."""
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(
        f"{method} {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
    answer = await reader.read()
    writer.close()
    return answer.split(b"\r\n\r\n", 1)[1]


async def measure(service, waiting):
    devices = Devices(service)
    webhook = f"http://127.0.0.1:{await devices.start()}/"
    bodies = []
    for number in range(USERS):
        secret, now = (number + 1).to_bytes(32, "big"), int(time.time()) + 20
        signed = sign_message(f"{now}-{webhook}-user{number}", secret)
        bodies.append((public(secret).hex(), json.dumps(
            {"time": now, "webhook_url": webhook, "username": f"user{number}", "signature": signed})))
    begin = time.monotonic()
    for start in range(0, USERS, 64):
        await asyncio.gather(*(
            ask(devices.host, devices.port, "POST", f"/lnurlpay/{key}", body) for key, body in bodies[start : start + 64]))
    registrations = USERS / (time.monotonic() - begin)

    devices.answers = True
    latencies = {}
    for count in (64, 1_000):
        async def payer(number):
            begin = time.monotonic()
            answer = await ask(devices.host, devices.port, "GET", f"/lnurlpay/user{number % USERS}/invoice?amount={AMOUNT}")
            if b'"pr"' not in answer:
                raise SystemExit(f"no invoice: {answer}")
            return time.monotonic() - begin

        found = []
        for start in range(0, 2_000, count):
            found += await asyncio.gather(*(payer(number) for number in range(start, start + count)))
        latencies[count] = sorted(found)

    devices.answers = False
    before = resident(service.process.pid)
    asked = [
        asyncio.create_task(ask(devices.host, devices.port, "GET", f"/lnurlp/user{number % USERS}"))
        for number in range(waiting)
    ]
    await asyncio.sleep(8)
    during = resident(service.process.pid)
    extra = json.loads(await ask(devices.host, devices.port, "GET", "/lnurlp/user1"))
    ended = await asyncio.gather(*asked, return_exceptions=True)
    told = sum(isinstance(each, bytes) and b"ERROR" in each for each in ended)
    return registrations, latencies, (during - before) / 1000, extra["reason"], told


def run(binaries, folder, waiting):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * waiting + 4_000
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))
    service = Service(binaries, folder)
    service.environment |= {
        "RESPONDER_GATEWAY_ENABLED": "true", "RESPONDER_GATEWAY_NETWORK": "regtest",
        "RESPONDER_GATEWAY_ALLOW_LOOPBACK": "true", "RESPONDER_GATEWAY_REGISTRATIONS": "0",
        "RESPONDER_GATEWAY_WAITING": str(waiting), "RESPONDER_LIMITS_CONNECTIONS": str(waiting + 1_000),
    }
    with service:
        return asyncio.run(measure(service, waiting))


def rows(waiting, measured):
    registrations, latencies, megabytes, reason, told = measured
    made = [row("registrations, durable, 64 at once", "", f"{registrations:,.0f}/s", "", None, None)]
    for count, found in latencies.items():
        p50, p99 = (found[int(len(found) * part)] * 1000 for part in (0.5, 0.99))
        made.append(row(f"question, webhook, reply, payer: {count:,} at once", "", f"p50 {p50:.1f} ms", f"p99 {p99:.1f} ms", None, None))
    most = 60 * waiting / 10_000
    made.append(row(
        f"memory of {waiting:,} waiting payers", f"at most {most:.0f} MB", f"{megabytes:.1f} MB", "", None, megabytes <= most))
    made.append(row("the next payer", "an ERROR at once", reason[:40], "", None, "waiting" in reason))
    made.append(row("payers who are told that the phone is silent", f"{waiting:,}", f"{told:,}", "", None, told == waiting))
    return made


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as within:
        count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
        for each in rows(count, run(pathlib.Path(sys.argv[1]), within, count)):
            print(each["name"], "|", each["budget"], "|", each["figure"], each["floor"])
