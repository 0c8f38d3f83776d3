"""Notifications: one answered by a process of its own beside a C program that only posts, and many by the service."""

import http.server
import json
import pathlib
import statistics
import subprocess
import threading
import time

from benchmarks import wrk
from benchmarks.bare_server import BareServer
from benchmarks.report import row
from benchmarks.usage import processor

FOLDER = pathlib.Path(__file__).parent


def compiled(name, folder, *libraries):
    """A C program of this folder."""
    program = pathlib.Path(folder) / name
    subprocess.run(["cc", "-O2", FOLDER / f"{name}.c", "-o", program, *libraries], check=True)
    return program


class Sink:
    """Takes replies in, and knows when the last one was answered."""

    def __init__(self):
        sink = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                sink.body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response_only(200)
                self.send_header("Content-Length", "0")
                self.end_headers()
                self.wfile.flush()
                sink.taken_at = time.perf_counter()
                sink.taken.set()

            def log_message(self, *_):
                pass

        self.body = b""
        self.taken_at = None
        self.taken = threading.Event()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/response/1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()


def timed(command, sink, given=None):
    """Seconds from the start of a process until its reply was taken, and its peak resident bytes."""
    sink.taken.clear()
    begin = time.perf_counter()
    process = subprocess.run(
        ["/usr/bin/time", "--format=%M", *command], input=given, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    if process.returncode != 0 or not sink.taken.wait(5):
        raise SystemExit(f"{command[0]} ended with {process.returncode}: {process.stderr}")
    return sink.taken_at - begin, int(process.stderr.split()[-1]) * 1024


def one_shot(binaries, folder, rounds):
    """Both programs in turn, round by round."""
    data = pathlib.Path(folder) / "one-shot"
    post = compiled("post", folder, "-lcurl")
    sink = Sink()
    request = {"template": "lnurlpay_invoice", "data": {"amount": 21_000, "reply_url": sink.url}}
    respond = [
        binaries / "lightning-respond", "--notification", "-", "--data-directory", data, "--replies-allow-loopback",
    ]
    # The first makes the folder, its keys and the account.
    timed(respond, sink, json.dumps(request))
    result = {"respond": [], "post": [], "respondMemory": [], "postMemory": []}
    for number in range(rounds * 5):
        request["data"]["amount"] += 1_000
        seconds, memory = timed(respond, sink, json.dumps(request))
        body = sink.body.decode()
        if "pr" not in json.loads(body):
            raise SystemExit(f"no invoice was posted: {body}")
        floor, floor_memory = timed([post, sink.url, body], sink)
        result["respond"].append(seconds)
        result["post"].append(floor)
        result["respondMemory"].append(memory)
        result["postMemory"].append(floor_memory)
    sink.close()
    return result


def many(service, account, count):
    """So many notifications, in bursts, each answered at its reply_url: processor time of each, and how many a second."""
    webhook = service.responder("account", "show", account)["webhook"]
    bodies = service.folder / "notifications"
    seconds, spent, done = 0, processor([service.process.pid]), answered(service)
    first, last = done, done + count
    with BareServer(service.binaries) as sink:
        while done < last:
            bodies.write_text("\n".join(
                json.dumps({"template": "lnurlpay_invoice", "data": {"amount": 21_000, "reply_url": f"{sink.url}response/{done + number}"}})
                for number in range(20_000)))
            began = time.monotonic()
            done += wrk.run(webhook, 1, wrk.BODIES, bodies)["count"]
            # wrk stops without waiting for its last answers, so that a few more may follow.
            while answered(service) < done:
                if time.monotonic() > began + 60:
                    raise SystemExit(f"of {done - first} notifications {answered(service) - first} were answered")
                time.sleep(0.01)
            seconds += time.monotonic() - began
            done = answered(service)
    done -= first
    return {"count": done, "rate": done / seconds, "processor": (processor([service.process.pid]) - spent) / done}


def answered(service):
    return service.metric('responder_replies_total{outcome="taken"}')


def rows(shot, service, memory_after):
    ratio = statistics.median(a / b for a, b in zip(shot["respond"], shot["post"]))
    peak = statistics.median(shot["respondMemory"]) / 1e6
    floor = statistics.median(shot["postMemory"]) / 1e6
    megabytes = memory_after / 1e6
    return [
        row(
            "one notification, one process",
            "at most 4 × a C program with curl",
            f"{statistics.median(shot['respond']) * 1000:.1f} ms",
            f"C program {statistics.median(shot['post']) * 1000:.1f} ms",
            ratio,
            ratio <= 4,
        ),
        row("its memory, peak", "at most 24 MB", f"{peak:.1f} MB", f"C program {floor:.1f} MB", peak / 24, peak <= 24),
        row(
            "processor time: notification and its reply, durable",
            "",
            f"{service['processor'] * 1e6:.0f} µs, {service['rate']:,.0f}/s",
            "",
            None,
            None,
        ),
        row(
            f"memory after {service['count']:,} notifications",
            "at most 60 MB",
            f"{megabytes:.1f} MB",
            "",
            megabytes / 60,
            megabytes <= 60,
        ),
    ]
