"""App users: registrations a second, from a payer's question over a webhook and a reply to the answer beside the same way by plain
libcurl and Hummingbird, and what a waiting payer costs."""

import asyncio
import contextlib
import hashlib
import json
import resource
import statistics
import subprocess
import time

import bolt11
from bech32 import to_groups
from benchmarks.peers import settled
from benchmarks.report import ratio_of_rounds, row
from bolt11_reader import H, P, S, number_groups
from registrations import sign_message
from secp256k1 import public
from service import Service, free_port

USERS = 2_000
ROUNDS = 9
METADATA = '[["text/plain","Bench"]]'
AMOUNT = 21_000
# How long a payer waits, in seconds.
WAIT = 30


class Devices:
    """The webhook of all users: keeps their questions, or has each answered by a reply at once."""

    def __init__(self, service):
        self.host, self.port = service.address.split(":")
        self.answers = False
        self.questions = 0
        self.replies = set()

    async def start(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, backlog=4096)
        return self.server.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        try:
            await self.take_questions(reader, writer)
        except (asyncio.IncompleteReadError, asyncio.CancelledError):
            writer.close()

    async def take_questions(self, reader, writer):
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            data = json.loads(await reader.readexactly(length))["data"]
            self.questions += 1
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            if self.answers:
                # Nobody else holds the task.
                task = asyncio.create_task(self.reply(data["reply_url"]))
                self.replies.add(task)
                task.add_done_callback(self.replies.discard)

    async def replied(self):
        """Every reply has been taken; one that was not ends the measurement."""
        await asyncio.gather(*self.replies)

    async def reply(self, url):
        authority, path = url.removeprefix("http://").split("/", 1)
        host, port = authority.split(":")
        await ask(host, port, "POST", f"/{path}", self.invoice)

    @property
    def invoice(self):
        if not hasattr(self, "made"):
            committed = hashlib.sha256(METADATA.encode()).digest()
            fields = [(P, bytes(32)), (S, bytes(32)), (H, committed)]
            groups = number_groups(int(time.time()), 7) + [
                group for tag, data in fields for group in bolt11.field(tag, to_groups(data))]
            self.made = json.dumps({"pr": bolt11.sign("lnbcrt210n", groups, b"\x01" * 32), "routes": []})
        return self.made


async def ask(host, port, method, path, body="", client="127.0.0.1"):
    """The body of an answer, over a connection of its own, to a client behind a proxy."""
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(
        f"{method} {path} HTTP/1.1\r\nHost: {host}:{port}\r\nX-Forwarded-For: {client}\r\nConnection: close\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
    answer = await reader.read()
    writer.close()
    _, end, content = answer.partition(b"\r\n\r\n")
    if not end:
        raise ConnectionError(f"{method} {path} at port {port}: the connection ended without an answer")
    return content


def network(number):
    """The address of a payer behind the proxy: of each network, few wait at once."""
    return f"10.{1 + number // 65536}.{number // 256 % 256}.{number % 256}"


async def payers(port, path, first, count):
    """Seconds that each of as many payers at once waits for an invoice."""
    async def payer(number):
        begin = time.monotonic()
        answer = await ask("127.0.0.1", port, "GET", path.format(number % USERS), client=network(number))
        if b'"pr"' not in answer:
            raise SystemExit(f"no invoice: {answer}")
        return time.monotonic() - begin

    return await asyncio.gather(*(payer(number) for number in range(first, first + count)))


@contextlib.asynccontextmanager
async def bare_relay(binaries, webhook):
    """The process and the port of a relay with nothing of the service in it."""
    port = free_port()
    command = [binaries / "responder-bench", "relay", webhook, str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as relay:
        try:
            for _ in range(100):
                try:
                    await ask("127.0.0.1", port, "GET", "/")
                    break
                except OSError:
                    await asyncio.sleep(0.05)
            yield relay.pid, port
        finally:
            relay.kill()


async def waits(devices, webhook, binaries):
    """By how many ask at once: seconds of the service's payers, and of those of the bare relay, in turns."""
    async with bare_relay(binaries, webhook) as (_, relay_port):
        found = {}
        for count in (64, 1_000):
            ours, bare = [], []
            for first in range(0, ROUNDS * count, count):
                ours.append(await payers(devices.port, f"/lnurlpay/user{{}}/invoice?amount={AMOUNT}", first, count))
                bare.append(await payers(relay_port, "/ask", first, count))
                # A payer may have its invoice before the relay, which is killed in the end, has thanked for the reply.
                await devices.replied()
            found[count] = ours, bare
        return found


class Payer:
    """One connection that is kept open, as a proxy keeps it."""

    async def connect(self, host, port, number):
        self.host, self.client = f"{host}:{port}", network(number)
        self.reader, self.writer = await asyncio.open_connection(host, int(port))
        return self

    def send(self, path):
        self.writer.write(
            f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\nX-Forwarded-For: {self.client}\r\n\r\n".encode())

    async def receive(self):
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        return await self.reader.readexactly(length)

    async def get(self, path):
        self.send(path)
        return await self.receive()


async def memory_of_waiting(pid, port, devices, path, waiting):
    """As many payers who wait, the MB of their open connections, and the MB more while they wait.

    Each connection has had an answer before, so that all that it keeps is there. The payers come in groups, each when the
    questions of the one before it have arrived: what is measured is waiting, not a rush."""
    before = await asyncio.to_thread(settled, pid)
    payers = []
    for start in range(0, waiting, 500):
        count = min(500, waiting - start)
        payers += await asyncio.gather(*(Payer().connect("127.0.0.1", port, start + number) for number in range(count)))
        await asyncio.gather(*(payer.get("/nothing") for payer in payers[start:]))
    connected = await asyncio.to_thread(settled, pid)
    devices.questions = 0
    expected = set()
    asked = time.monotonic()
    for start in range(0, waiting, 100):
        for number in range(start, min(start + 100, waiting)):
            payers[number].send(path(number))
            # The first step of all payers of a user is one question.
            expected.add(path(number) if "lnurlp/" in path(number) else number)
        deadline = time.monotonic() + 20
        while devices.questions < len(expected):
            if time.monotonic() > deadline:
                raise SystemExit(f"of {len(expected)} questions {devices.questions} have arrived")
            await asyncio.sleep(0.01)
    during = await asyncio.to_thread(settled, pid)
    if time.monotonic() - asked > WAIT:
        raise SystemExit("the first payers wait no longer")
    return payers, (connected - before) * 1024 / 1e6, (during - connected) * 1024 / 1e6


async def crowd(service, devices, webhook, waiting):
    """What so many payers cost who wait for silent phones, here and at the bare relay; what the next one is told, and after
    how many seconds; and how many were told in the end that the phone is silent.

    Two in three ask for an invoice: a question for each."""
    def path(number):
        user = f"user{number % USERS}"
        return f"/lnurlp/{user}" if number % 3 == 0 else f"/lnurlpay/{user}/invoice?amount={AMOUNT}"

    there, connections, during = await memory_of_waiting(service.process.pid, devices.port, devices, path, waiting)
    asked = time.monotonic()
    extra = json.loads(await ask(devices.host, devices.port, "GET", "/lnurlp/user1"))
    after = time.monotonic() - asked
    ended = await asyncio.gather(*(payer.receive() for payer in there), return_exceptions=True)
    for payer in there:
        payer.writer.close()
    told = sum(isinstance(each, bytes) and b"does not answer" in each for each in ended)
    async with bare_relay(service.binaries, webhook) as (pid, port):
        _, bare_connections, bare_during = await memory_of_waiting(pid, port, devices, lambda _: "/ask", waiting)
    return {
        "connections": connections, "waiting": during, "bareConnections": bare_connections, "bareWaiting": bare_during,
        "reason": extra["reason"], "after": after, "told": told,
    }


def registration(webhook, number):
    """The key and the body of a wallet that registers."""
    secret, now = (number + 1).to_bytes(32, "big"), int(time.time())
    signature = sign_message(f"{now}-{webhook}-user{number}", secret)
    body = {"time": now, "webhook_url": webhook, "username": f"user{number}", "signature": signature}
    return public(secret).hex(), json.dumps(body)


async def measure(service, waiting):
    devices = Devices(service)
    webhook = f"http://127.0.0.1:{await devices.start()}/"
    spent = 0
    for start in range(0, USERS, 64):
        # Statements are good for a minute.
        signed = [registration(webhook, number) for number in range(start, min(start + 64, USERS))]
        begin = time.monotonic()
        answers = await asyncio.gather(*(
            # Of each network, few wallets' requests are taken.
            ask(devices.host, devices.port, "POST", f"/lnurlpay/{key}", body, client=f"10.0.{start // 64}.{index}")
            for index, (key, body) in enumerate(signed)))
        spent += time.monotonic() - begin
        if not all(b"lightning_address" in answer for answer in answers):
            raise SystemExit("a wallet was not registered")

    # First those who wait, while the service has not taken the memory of many answers.
    devices.answers = False
    of_crowd = await crowd(service, devices, webhook, waiting)
    devices.answers = True
    return USERS / spent, await waits(devices, webhook, service.binaries), of_crowd


def possible(waiting):
    """How many of so many payers can wait: the service keeps descriptors for the connections of two listeners."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * waiting + 6_000
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, max(wanted, hard)))
        return waiting
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return min(waiting, max(1, (hard - 6_000) // 2))


def run(binaries, folder, waiting):
    """How many payers have waited, and what was measured."""
    waiting = possible(waiting)
    service = Service(binaries, folder)
    service.environment |= {
        "RESPONDER_GATEWAY_ENABLED": "true", "RESPONDER_GATEWAY_NETWORK": "regtest",
        "RESPONDER_GATEWAY_ALLOW_LOOPBACK": "true", "RESPONDER_GATEWAY_HOSTS": "127.0.0.1",
        "RESPONDER_GATEWAY_REGISTRATIONS": "0", "RESPONDER_GATEWAY_PAYERS": "0",
        "RESPONDER_TRUSTED_PROXIES": "127.0.0.1/32",
        # Of which a quarter, and at most 512, are not for those who wait.
        "RESPONDER_LIMITS_CONNECTIONS": str(min(waiting + 512, waiting * 4 // 3)),
    }
    with service:
        return waiting, asyncio.run(measure(service, waiting))


def quantile(values, part):
    return sorted(values)[int(len(values) * part)]


def rows(waiting, measured):
    registrations, latencies, memory = measured
    made = [row("registrations, durable, 64 at once", "", f"{registrations:,.0f}/s", "", None, None)]
    for count, (ours, bare) in latencies.items():
        for name, part in (("p50", 0.5), ("p99", 0.99)):
            over, under = ([quantile(each, part) for each in rounds] for rounds in (ours, bare))
            made.append(row(
                f"question, webhook, reply, payer: {name} of {count:,} at once", "", f"{statistics.median(over) * 1000:.1f} ms",
                f"{statistics.median(under) * 1000:.1f} ms (libcurl and Hummingbird)", ratio_of_rounds(over, under), None))
    most = 40 * waiting / 1_000
    # What they cost says nothing unless all of them have waited.
    waited = memory["told"] == waiting
    made.append(row(
        f"memory of {waiting:,} payers who wait", f"at most {most:.0f} MB", f"{memory['waiting']:.1f} MB",
        f"{memory['bareWaiting']:.1f} MB (libcurl and Hummingbird)",
        memory["waiting"] / memory["bareWaiting"] if memory["bareWaiting"] > 0 else None,
        waited and memory["waiting"] <= most))
    made.append(row(
        "memory of their connections", "", f"{memory['connections']:.1f} MB",
        f"{memory['bareConnections']:.1f} MB (Hummingbird)",
        memory["connections"] / memory["bareConnections"] if memory["bareConnections"] > 0 else None, None))
    made.append(row(
        "the next payer", "an ERROR at once", memory["reason"][:40], f"after {memory['after'] * 1000:.0f} ms", None,
        "waiting" in memory["reason"] and memory["after"] < 1))
    made.append(row(
        "payers who are told that the phone is silent", f"{waiting:,}", f"{memory['told']:,}", "", None, waited))
    return made
