"""What a payer's request costs the service: processor time and task switches, beside the same parts without the service, in the same rounds."""

import contextlib
import re
import sqlite3
import statistics
import sys
import time

from benchmarks import peers, wrk
from benchmarks.bare_server import BareServer
from benchmarks.notifications import compiled
from benchmarks.offers import Forwarder
from benchmarks.report import ratio_of_rounds, row
from service import Service, get

AMOUNT = 21_000
# One at a time, as the budgets have it, and more than the service has places for at once.
CONNECTIONS = (1, wrk.CONNECTIONS, 512)
# About as many rows as the service commits at once for 64 connections, by its metrics: invoices that wait for the same sync, and those that
# the embedded node was asked for within 20 ms.
GROUPS = {"invoice": 20, "node_invoice": 128}
# What a request may allocate at most: exact, since it hardly depends on the machine.
ALLOCATIONS = {"constant": 24, "info": 22, "info, not kept": 50, "verify": 85, "invoice": 184, "webhook": 582}


def subjects_of(service):
    """The URLs of an account's answers, and who posts requests for its offer."""
    service.put_account("alice", {"description": "Sats for Alice"})
    urls = {"constant": service.url("/robots.txt"), "info": service.url("/.well-known/lnurlp/alice")}
    urls["invoice"] = f"{get(urls['info']).json['callback']}?amount={AMOUNT}"
    urls["verify"] = get(urls["invoice"]).json["verify"]
    return urls, Forwarder(service, "alice")


def without_kept_answers(service):
    """Another one, which makes each answer to the info step anew."""
    folder = service.folder / "uncached"
    folder.mkdir()
    other = Service(service.binaries, folder)
    other.environment = service.environment | other.environment | {"RESPONDER_INFO_MAX_AGE": "0"}
    return other


def measure(service, rounds, seconds, requests):
    urls, forwarder = subjects_of(service)
    result = {"idleMemory": peers.settled(service.process.pid) * 1024}
    with BareServer(service.binaries) as bare, without_kept_answers(service) as other:
        subjects = {(name, count): [] for name in ("bare", "constant", "info", "invoice") for count in CONNECTIONS}
        subjects |= {(name, wrk.CONNECTIONS): [] for name in ("info, not kept", "verify", "webhook")}
        urls |= {"bare": bare.url, "info, not kept": subjects_of(other)[0]["info"]}
        processes = {"bare": bare.process, "info, not kept": other.process}
        result["rows"] = []
        for number in range(rounds):
            print(f"over HTTP: round {number + 1} of {rounds}", file=sys.stderr, flush=True)
            for (name, count), loads in subjects.items():
                process = processes.get(name, service.process)
                if name == "webhook":
                    # It takes all that an invoice takes, and more.
                    most = 2 * subjects["invoice", count][-1]["count"]
                    loads.append(wrk.measured(process, lambda: forwarder.run(seconds, most)))
                else:
                    loads.append(wrk.measured(process, lambda: wrk.run(urls[name], seconds, connections=count)))
            result["rows"].append(plain_rows(service.folder))
    every = [load for loads in subjects.values() for load in loads]
    asked = sum(load["count"] for (name, _), loads in subjects.items() for load in loads if name in ("invoice", "webhook"))
    # An ERROR has status 200 too.
    issued = service.metric("responder_invoices_issued_total")
    if issued < asked:
        raise SystemExit(f"{asked} times an invoice was asked for, {issued} were given out")
    done = sum(load["count"] for load in every)
    while done < requests:
        print(f"requests until now: {done:,}", file=sys.stderr, flush=True)
        done += wrk.run(urls["verify"], 10)["count"]
    result["requests"] = done
    result["memoryAfterRequests"] = peers.settled(service.process.pid) * 1024
    result["loads"] = {f"{name}, {count}": loads for (name, count), loads in subjects.items()}
    return result


def allocations(binaries, folder, seconds):
    """What the service allocates for each request of one connection."""
    counts = folder / "allocations.count"
    counts.write_bytes(bytes(8))
    service = Service(binaries, folder)
    service.environment |= {"LD_PRELOAD": str(compiled("allocations", folder, "-fPIC", "-shared")), "ALLOCATIONS": str(counts)}
    result = {}
    with service, without_kept_answers(service) as other:
        urls, forwarder = subjects_of(service)
        urls["info, not kept"] = subjects_of(other)[0]["info"]
        for name in ALLOCATIONS:
            # The first run grows what is kept.
            for _ in range(2):
                before = int.from_bytes(counts.read_bytes(), sys.byteorder)
                load = forwarder.run(seconds, 10_000 * seconds, 1) if name == "webhook" else wrk.run(urls[name], seconds, connections=1)
                result[name] = (int.from_bytes(counts.read_bytes(), sys.byteorder) - before) / load["count"]
    return result


def plain_rows(folder):
    """Seconds of processor time for the rows of one invoice, copied by SQLite alone, with one commit for each group."""
    total = 0
    for database in (folder / "data").glob("*.sqlite"):
        with contextlib.closing(sqlite3.connect(database)) as source:
            for table, group in GROUPS.items():
                schema = source.execute("SELECT sql FROM sqlite_master WHERE name = ?", [table]).fetchone()
                if schema:
                    rows = source.execute(f"SELECT * FROM {table} LIMIT 4096")
                    total += copied(folder / "plain.sqlite", schema[0], rows, group)
    return total


def copied(path, schema, rows, group):
    copy = sqlite3.connect(path, isolation_level=None)
    copy.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; {schema}")
    table = re.match(r"CREATE TABLE (\w+)", schema)[1]
    insert = f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows.description))})"
    rows = rows.fetchall()
    began = time.process_time()
    for start in range(0, len(rows), group):
        copy.execute("BEGIN IMMEDIATE")
        copy.executemany(insert, rows[start : start + group])
        copy.execute("COMMIT")
    spent = time.process_time() - began
    copy.close()
    path.unlink()
    return spent / len(rows)


def rows(result, inside, allocated):
    loads = result["loads"]
    spent = {name: [load["processor"] * 1e6 for load in each] for name, each in loads.items()}
    parts = zip(spent["constant, 64"], inside["bare sign"], inside["bare recover"], result["rows"])
    spent["bare parts"] = [text + (sign + recover) / 1e3 + rows * 1e6 for text, sign, recover, rows in parts]
    table = []
    for subject, name, floor, most in (
        ("constant text", "constant, 64", "bare, 64", 1.5),
        ("info step", "info, 64", "constant, 64", 1.1),
        ("info step, not kept", "info, not kept, 64", "constant, 64", None),
        ("verify that is polled", "verify, 64", "info, 64", 1.1),
        ("durable invoice", "invoice, 64", "bare parts", 1.5),
        ("webhook answer, durable", "webhook, 64", "invoice, 64", 1.4),
        *((f"{name} with {count}", f"{name}, {count}", f"{name}, 64", None) for name in ("constant", "info", "invoice") for count in (1, 512)),
    ):
        ratio = ratio_of_rounds(spent[name], spent[floor])
        rate = statistics.median(load["rate"] for load in loads[name])
        figure = f"{statistics.median(spent[name]):.0f} µs, {rate:,.0f}/s"
        budget = f"at most {most} × {floor}" if most else ""
        beside = f"{floor}: {statistics.median(spent[floor]):.0f} µs"
        table.append(row(f"processor time: {subject}", budget, figure, beside, ratio, ratio <= most if most else None))
    for name, most in ALLOCATIONS.items():
        table.append(row(f"allocations: {name}", f"at most {most}", f"{allocated[name]:.1f}", "", None, allocated[name] <= most))
    for count, most in ((1, 4), (64, 0.8)):
        switches = statistics.median(load["switches"] for load in loads[f"invoice, {count}"])
        table.append(row(f"task switches of an invoice, {count} at once", f"at most {most}", f"{switches:.1f}", "", None, switches <= most))
    slow = statistics.median(load["p99"] for load in loads["invoice, 64"])
    median = statistics.median(load["p50"] for load in loads["invoice, 64"])
    table.append(row("invoice, p99 of 64 connections", "at most 1.7 × p50", f"{slow:.1f} ms", f"p50 {median:.1f} ms", slow / median, slow <= 1.7 * median))
    for subject, resident, most in (
        ("memory, idle", result["idleMemory"], 40),
        (f"memory after {result['requests']:,} requests", result["memoryAfterRequests"], 60),
    ):
        table.append(row(subject, f"at most {most} MB", f"{resident / 1e6:.1f} MB", "", resident / most / 1e6, resident <= most * 1e6))
    return table
