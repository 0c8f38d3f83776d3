"""Measures a release in a folder of binaries: `Scripts/bench` prepares it and says how to call this."""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from benchmarks import devices, notifications, payers, peers, postgresql, pushes
from benchmarks.report import ratio_of_rounds, row, table
from service import Service


def main():
    arguments = parse()
    rounds, seconds, requests = (3, 2, 50_000) if arguments.quick else (9, 5, 1_000_000)
    if arguments.postgresql:
        return report(arguments, rounds, postgresql.measure(arguments.binaries, rounds, seconds, 200_000 if arguments.quick else 10_000_000))
    # Beside the build and not in a temporary folder, which may lie in memory: durable writes are what is measured.
    with tempfile.TemporaryDirectory(dir=arguments.binaries.parent, prefix="bench-") as folder:
        progress(f"in process: {rounds} rounds")
        inside = in_process(arguments.binaries, rounds)
        progress("allocations")
        with tempfile.TemporaryDirectory(dir=folder) as within:
            allocated = payers.allocations(arguments.binaries, pathlib.Path(within), seconds // 2)
        progress("one notification, one process")
        one_shot = notifications.one_shot(arguments.binaries, folder, rounds)
        with Service(arguments.binaries, folder) as service:
            over_http = payers.measure(service, rounds, seconds // 2, requests)
            progress("notifications")
            over_http["notifications"] = notifications.many(service, "alice", 10_000 if arguments.quick else 100_000)
            over_http["memoryAfterNotifications"] = peers.settled(service.process.pid) * 1024
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
    rows = in_process_rows(inside) + payers.rows(over_http, inside, allocated)
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


def in_process(binaries, rounds):
    """Nanoseconds of processor time of one call, for each name and round."""
    command = [binaries / "responder-bench", str(rounds)]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def in_process_rows(inside):
    rows = []
    for name, floor, most in (
        ("BOLT11 sign", "bare sign", 1.05),
        ("BOLT11 decode", "bare recover", 1.1),
        ("offer decode", None, None),
        ("invoice_request parse and verify", "bare Schnorr verify", None),
        ("BOLT12 answer", "bare BOLT12 answer", 1.1),
        ("onion peel", "bare onion peel", None),
        ("onion answer", "bare onion answer", 1.1),
        ("BOLT 8 handshake, both sides", None, None),
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


def machine():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown processor")
    return {"cpu": model, "cores": os.cpu_count()}


if __name__ == "__main__":
    sys.exit(main())
