"""Measures a release in a folder of binaries: `Scripts/bench` prepares it and says how to call this."""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from benchmarks import devices, notifications, offers, peers, postgresql, pushes, wrk
from benchmarks.report import ratio_of_rounds, row, table
from service import Service, get

AMOUNT = 21_000


def main():
    arguments = parse()
    rounds, seconds, requests = (3, 2, 50_000) if arguments.quick else (9, 5, 1_000_000)
    if arguments.postgresql:
        return report(arguments, rounds, postgresql.measure(arguments.binaries, rounds, seconds, 200_000 if arguments.quick else 10_000_000))
    # Beside the build and not in a temporary folder, which may lie in memory: durable writes are what is measured.
    with tempfile.TemporaryDirectory(dir=arguments.binaries.parent, prefix="bench-") as folder:
        progress(f"in process: {rounds} rounds")
        inside = in_process(arguments.binaries, folder, rounds)
        progress("one notification, one process")
        one_shot = notifications.one_shot(arguments.binaries, folder, rounds)
        with Service(arguments.binaries, folder) as service:
            over_http = measure_service(service, rounds, seconds, requests)
            progress("notifications")
            over_http["notifications"] = notifications.many(service, "alice", folder, 10_000 if arguments.quick else 100_000)
            over_http["memoryAfterNotifications"] = memory(service)
        count = 100 if arguments.quick else 1_000
        progress(f"{count:,} idle peers")
        of_peers = peers.idle(arguments.binaries, count, folder)
        waiting = 1_000 if arguments.quick else 10_000
        progress(f"{waiting:,} payers who wait for devices")
        with tempfile.TemporaryDirectory(dir=folder) as within:
            of_devices = devices.run(arguments.binaries, within, waiting)
        progress("push messages")
        with tempfile.TemporaryDirectory(dir=folder) as within:
            of_pushes = pushes.run(arguments.binaries, within, rounds, 2 * seconds)
    rows = in_process_rows(inside) + http_rows(over_http, inside["fdatasync"])
    rows += notifications.rows(one_shot, over_http["notifications"], over_http["memoryAfterNotifications"])
    rows += peers.rows(count, *of_peers)
    rows += devices.rows(*of_devices)
    rows += pushes.rows(of_pushes)
    return report(arguments, rounds, rows, inProcess=inside, oneShot=one_shot, http=over_http)


def report(arguments, rounds, rows, **details):
    """Prints the table; the status to end with."""
    if arguments.json:
        print(json.dumps({"machine": machine(), "rows": rows, **details}))
    else:
        print(f"{machine()['cpu']}, {os.cpu_count()} cores; medians of {rounds} interleaved rounds\n\n{table(rows)}")
    missed = any(each["met"] is False for each in rows)
    return 1 if missed and arguments.strict else 0


def parse():
    parser = argparse.ArgumentParser(prog="Scripts/bench")
    parser.add_argument("binaries", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds, 50,000 requests instead of a million")
    parser.add_argument("--postgresql", action="store_true", help="measure the service on PostgreSQL instead, with 10 million invoices")
    parser.add_argument("--json", action="store_true", help="print one JSON object with every round in it")
    parser.add_argument("--strict", action="store_true", help="end with status 1 when a budget is missed")
    return parser.parse_args()


def progress(text):
    print(text, file=sys.stderr, flush=True)


def in_process(binaries, folder, rounds):
    """Nanoseconds of one call, for each name and round."""
    command = [binaries / "responder-bench", folder, str(rounds)]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def measure_service(service, rounds, seconds, requests):
    service.put_account("alice", {"description": "Sats for Alice"})
    info = service.url("/.well-known/lnurlp/alice")
    callback = get(info).json["callback"]
    urls = {"constant": service.url("/robots.txt"), "info": info, "invoice": f"{callback}?amount={AMOUNT}"}
    if "pr" not in get(urls["invoice"]).json:
        raise SystemExit("no invoice was given out")
    result = {name: [] for name in [*urls, "webhook"]}
    result["idleMemory"] = memory(service)
    forwarder = offers.Forwarder(service, "alice")
    for number in range(rounds):
        progress(f"over HTTP: round {number + 1} of {rounds}")
        for name, url in urls.items():
            result[name].append(wrk.run(url, seconds))
        # A webhook's answer takes all that an invoice takes, and more.
        result["webhook"].append(forwarder.run(seconds, most=2 * result["invoice"][-1]["count"]))
    done = sum(each["count"] for name in [*urls, "webhook"] for each in result[name])
    asked = sum(each["count"] for name in ("invoice", "webhook") for each in result[name])
    if issued(service) < asked:
        raise SystemExit(f"{asked} times an invoice was asked for, {issued(service)} were given out")
    while done < requests:
        progress(f"requests until now: {done:,}")
        done += wrk.run(info, seconds * 2)["count"]
    result["requests"] = done
    result["memoryAfterRequests"] = memory(service)
    return result


def issued(service):
    """How many invoices the service says that it has given out: an ERROR has status 200 too."""
    page = get(f"http://{service.admin}/metrics").body.decode()
    counts = re.findall(r"^responder_invoices_issued_total(?:{[^}]*})? (\d+)", page, re.MULTILINE)
    return sum(int(count) for count in counts)


def memory(service):
    """Resident bytes."""
    return peers.settled(service.process.pid) * 1024


def in_process_rows(inside):
    rows = []
    for name, floor, most in (
        ("BOLT11 sign", "bare sign", 1.25),
        ("BOLT11 decode", "bare recover", None),
        ("offer decode", None, None),
        ("invoice_request parse and verify", "bare Schnorr verify", None),
        ("BOLT12 answer", "bare BOLT12 answer", 1.25),
        ("onion peel", "bare onion peel", None),
        ("onion answer", "bare onion answer", None),
        ("BOLT 8 handshake, both sides", None, None),
        ("info answer", None, None),
        ("invoice answer, durable", "fdatasync", None),
    ):
        ratio = ratio_of_rounds(inside[name], inside[floor]) if floor else None
        rows.append(
            row(
                f"{name}, in process",
                f"at most {most} × {floor}" if most else "",
                microseconds(inside[name]),
                f"{floor} {microseconds(inside[floor])}" if floor else "",
                ratio,
                ratio <= most if most else None,
            )
        )
    return rows


def microseconds(nanoseconds):
    return f"{statistics.median(nanoseconds) / 1000:.1f} µs"


def http_rows(over_http, fdatasync):
    rates = {name: [each["rate"] for each in over_http[name]] for name in ("constant", "info", "invoice")}
    floor = f"constant text {statistics.median(rates['constant']):,.0f}/s"
    rows = []
    for name, subject, least in (("info", "info step", 0.8), ("invoice", "invoice step, durable", 0.4)):
        ratio = ratio_of_rounds(rates[name], rates["constant"])
        figure = f"{statistics.median(rates[name]):,.0f}/s"
        rows.append(row(subject, f"at least {least} × constant text", figure, floor, ratio, ratio >= least))
    p99 = statistics.median(each["p99"] for each in over_http["invoice"])
    sync = statistics.median(fdatasync) / 1e6
    most = 10 * sync + 10
    rows.append(
        row(
            f"invoice step, p99 of {wrk.CONNECTIONS} connections",
            "at most 10 × fdatasync + 10 ms",
            f"{p99:.1f} ms",
            f"fdatasync {sync:.2f} ms: {most:.1f} ms",
            p99 / most,
            p99 <= most,
        )
    )
    rows += offers.rows(over_http["webhook"], rates["constant"], fdatasync)
    rows.append(memory_row("memory, idle", over_http["idleMemory"], 40))
    rows.append(memory_row(f"memory after {over_http['requests']:,} requests", over_http["memoryAfterRequests"], 60))
    return rows


def memory_row(name, resident, most):
    megabytes = resident / 1e6
    return row(name, f"at most {most} MB", f"{megabytes:.1f} MB", "", megabytes / most, megabytes <= most)


def machine():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown processor")
    return {"cpu": model, "cores": os.cpu_count()}


if __name__ == "__main__":
    sys.exit(main())
