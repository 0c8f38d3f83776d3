"""Push messages: a second over one connection beside plain libcurl, the time from a webhook to a push service, and the memory of
many on their way."""

import asyncio
import json
import pathlib
import statistics
import subprocess
import threading
import time

from benchmarks.devices import quantile
from benchmarks.peers import resident
from benchmarks.report import ratio_of_rounds, row
from judges.push import DEVICE, PushService, key_file, settings
from service import Service, free_port

A_SECOND, IN_FLIGHT = 100, 1_000
QUESTION = {"template": "lnurlpay_info", "data": {"callback_url": "https://a/cb", "reply_url": "https://a/r/1"}}
EVENT = {"event": "swap.update", "data": {"id": "abc", "status": "transaction.mempool"}}


class MeasuredPushService(PushService):
    """Notes when each device's push arrived, and can be told to answer later."""

    def __init__(self):
        self.arrivals, self.answers = {}, threading.Event()
        self.answers.set()
        super().__init__()

    def take(self, path, headers, body):
        self.arrivals[int(path.removeprefix("/"))] = time.monotonic()
        self.answers.wait()
        return 201, None


def pushes_a_second(binaries, folder, rounds):
    """Nanoseconds of a push, by round: ours, and those of libcurl alone, by the clock and of all processors together. The
    server is nghttpd. libcurl 7.88 takes what it sends for an empty file for a fault."""
    page = pathlib.Path(folder) / "h2" / "3" / "device" / DEVICE
    page.parent.mkdir(parents=True)
    page.write_text("{}")
    port = free_port()
    server = ["nghttpd", "--no-tls", "--address=127.0.0.1", "--max-concurrent-streams=1000", f"--htdocs={folder}/h2", str(port)]
    with subprocess.Popen(server, stdout=subprocess.DEVNULL) as process:
        try:
            time.sleep(0.5)
            command = [binaries / "responder-bench", "push", f"http://127.0.0.1:{port}", str(rounds)]
            return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        finally:
            process.kill()


async def notify(service, push_service, device, body):
    """The status that the sender of a notification gets."""
    host, port = service.address.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    text, client = json.dumps(body), ".".join(str(byte) for byte in (10, *(device % (1 << 24)).to_bytes(3)))
    writer.write(
        f"POST /api/v1/notify?platform=web&token={push_service.token(device)} HTTP/1.1\r\nHost: {service.address}\r\nX-Forwarded-For: {client}\r\nConnection: close\r\n"
        f"Content-Length: {len(text)}\r\n\r\n{text}".encode())
    line = await reader.readline()
    if not line:
        raise ConnectionError("the service closed the connection without an answer")
    status = int(line.split()[1])
    await reader.read()
    writer.close()
    return status


async def delays(service, push_service, body, seconds, first):
    """Seconds from the moment at which each of 100 notifications a second is sent to that at which its push is with its service."""
    begins, sent = time.monotonic(), []
    started = {}
    for number in range(A_SECOND * seconds):
        await asyncio.sleep(max(0, begins + number / A_SECOND - time.monotonic()))
        started[first + number] = time.monotonic()
        sent.append(asyncio.create_task(notify(service, push_service, first + number, body)))
    statuses = await asyncio.gather(*sent)
    if any(status != 200 for status in statuses):
        raise SystemExit(f"notifications were answered with {set(statuses)}")
    for _ in range(500):
        if started.keys() <= push_service.arrivals.keys():
            break
        await asyncio.sleep(0.02)
    return [push_service.arrivals[device] - start for device, start in started.items()]


async def memory_in_flight(service, push_service):
    """MB more while so many pushes wait for their service or for their turn, and how many of their senders get 200 in the end."""
    before = resident(service.process.pid)
    push_service.answers.clear()
    sent = [asyncio.create_task(notify(service, push_service, number, QUESTION)) for number in range(IN_FLIGHT)]
    await asyncio.sleep(1)
    during = resident(service.process.pid)
    push_service.answers.set()
    return (during - before) / 1000, (await asyncio.gather(*sent)).count(200)


async def measure(service, push_service, seconds):
    await delays(service, push_service, QUESTION, 1, 1 << 32)
    return {
        "question": await delays(service, push_service, QUESTION, seconds, 2 << 32),
        "event": await delays(service, push_service, EVENT, seconds, 3 << 32),
        "memory": await memory_in_flight(service, push_service),
    }


def run(binaries, folder, rounds, seconds):
    measured = {"rates": pushes_a_second(binaries, folder, rounds)}
    push_service, service = MeasuredPushService(), Service(binaries, folder)
    file, _ = key_file(service, "vapid.pem")
    service.environment |= settings(file) | {
        "RESPONDER_TRUSTED_PROXIES": "127.0.0.1/32", "RESPONDER_LIMITS_CONNECTIONS": str(IN_FLIGHT + 612),
    }
    with service:
        return measured | asyncio.run(measure(service, push_service, seconds))


def rows(measured):
    times = measured["rates"]
    rates = {name: [1e9 / each for each in times[name]] for name in times}
    ratio = ratio_of_rounds(rates["pushes"], rates["bare"])
    made = [row(
        "pushes over one connection", "at least 0.8 × libcurl", f"{statistics.median(rates['pushes']):,.0f}/s",
        f"libcurl {statistics.median(rates['bare']):,.0f}/s", ratio, ratio >= 0.8)]
    ours, bare = (statistics.median(times[f"{name} processor"]) for name in ("pushes", "bare"))
    made.append(row(
        "processor time of a push", "", f"{ours / 1000:.0f} µs", f"libcurl {bare / 1000:.0f} µs", ours / bare, None))
    for name, words in (("question", "a payer's question"), ("event", "an event, durable")):
        p50, p99 = (quantile(measured[name], part) * 1000 for part in (0.5, 0.99))
        made.append(row(
            f"webhook to push, p99 of {A_SECOND}/s: {words}", "at most 10 ms", f"{p99:.1f} ms", f"p50 {p50:.1f} ms", p99 / 10, p99 <= 10))
    more, taken = measured["memory"]
    made.append(row(
        f"memory of {IN_FLIGHT:,} pushes on their way", "", f"{more:.1f} MB", f"{taken:,} of them taken in the end", None, None))
    return made
