"""Notifications: one answered by a process of its own beside a C program that only posts, and many by the service."""

import http.server
import json
import pathlib
import statistics
import subprocess
import threading
import time
import urllib.parse

from benchmarks.report import row

FOLDER = pathlib.Path(__file__).parent
CONNECTIONS = 64


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


def many(service, account, folder, count):
    """The service beside a sender that takes the replies in, until so many were answered."""
    webhook = urllib.parse.urlsplit(service.responder("account", "show", account)["webhook"])
    notify = compiled("notify", folder)
    command = [notify, service.address.rpartition(":")[2], webhook.path, str(CONNECTIONS), str(count)]
    result = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    if result["refused"] or result["replies"] != count:
        raise SystemExit(f"of {count} notifications {result['refused']} were refused, {result['replies']} answered")
    return result


def rows(shot, service, memory_after):
    ratio = statistics.median(a / b for a, b in zip(shot["respond"], shot["post"]))
    peak = statistics.median(shot["respondMemory"]) / 1e6
    floor = statistics.median(shot["postMemory"]) / 1e6
    count = service["replies"]
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
        row("notifications answered, durable", "", f"{count / service['seconds']:,.0f}/s", "", None, None),
        row(f"notification to reply, p99 of {CONNECTIONS} at once", "", f"{service['p99']:.1f} ms", "", None, None),
        row(
            f"memory after {count:,} notifications",
            "at most 60 MB",
            f"{megabytes:.1f} MB",
            "",
            megabytes / 60,
            megabytes <= 60,
        ),
    ]
