"""The service on PostgreSQL: durable invoices and verifications of one to three instances, beside pgbench's insert of the same row, and
beside a service on SQLite."""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from benchmarks import wrk
from benchmarks.report import ratio_of_rounds, row
from benchmarks.usage import processor, times
from cluster.instances import start
from postgresql import PROGRAMS, PostgreSQL
from service import Service, get

AMOUNT = 21_000
CLIENTS = 16
# As long as an invoice's texts are.
INSERT = f"""\
\\set number random(1, 9000000000000000000)
INSERT INTO invoice (id, payment_hash, account, backend, label, amount, created_at, expires_at, origin, metadata_version, bolt11)
SELECT invoice_id(second) | nextval('invoice_sequence'), sha256(int8send(:number)), 1, 'embedded',
    lpad(:number::text, 32, '0'), {AMOUNT}, second, second + 600, 'lnurl', 1, repeat('x', 330)
FROM (SELECT extract(epoch FROM clock_timestamp())::bigint AS second) AS now;
"""
# A month of invoices that nobody paid, with random hashes as real ones have.
FILL = """\
SELECT make_invoice_partition(extract(epoch FROM now())::bigint - day * 86400) FROM generate_series(0, 29) AS day;
INSERT INTO invoice (id, payment_hash, account, backend, label, amount, created_at, expires_at, origin, metadata_version, bolt11)
SELECT invoice_id(second) | nextval('invoice_sequence'), sha256(int8send(number)), 1, 'embedded', lpad(number::text, 32, '0'), 21000,
    second, second + 600, 'lnurl', 1, repeat('x', 330)
FROM (
    SELECT -number AS number, extract(epoch FROM now())::bigint - 86400 * 30 + 86400 + (number * 86400 * 28 / {count}) AS second
    FROM generate_series(1, {count}::bigint) AS number
) AS numbered;
"""


def measure(binaries, rounds, seconds, invoices):
    """The rows of the table."""
    with tempfile.TemporaryDirectory(dir=binaries.parent, prefix="bench-") as folder:
        path = pathlib.Path(folder)
        path.chmod(0o755)
        with PostgreSQL(path / "postgresql", shared_buffers="2GB", synchronous_commit="on") as server:
            environment = {"RESPONDER_DRAIN_TIME": "0", "RESPONDER_LOG_LEVEL": "warning"}
            instances = start(binaries, path, server, environment)
            on_sqlite = Service(binaries, path / "sqlite")
            on_sqlite.folder.mkdir()
            on_sqlite.environment |= environment
            try:
                script = path / "insert.sql"
                script.write_text(INSERT)
                with on_sqlite:
                    for each in (instances[0], on_sqlite):
                        each.put_account("alice", {"description": "Sats for Alice"})
                    return figures(instances, on_sqlite, server, script, rounds, seconds, invoices)
            finally:
                for each in instances:
                    each.stop()


def figures(instances, on_sqlite, server, script, rounds, seconds, invoices):
    rates = {count: [] for count in (1, 2, 3)}
    floors = {count: [] for count in (1, 2, 3)}
    verified = []
    spent = {"service": [], "server": [], "pgbench": [], "first": [], "sqlite": []}
    for number in range(rounds):
        print(f"on PostgreSQL: round {number + 1} of {rounds}", file=sys.stderr, flush=True)
        for name, service in (("first", instances[0]), ("sqlite", on_sqlite)):
            spent[name].append(wrk.measured(service.process, lambda: wrk.run(invoice_url(service), seconds))["processor"])
        for count in rates:
            before = cpu(instances), cpu([server])
            rates[count].append(issue(instances[:count], seconds))
            between = cpu(instances), cpu([server])
            floors[count].append(pgbench(server, script, seconds))
            invoices_issued, rows_inserted = rates[count][-1] * seconds, floors[count][-1] * seconds
            spent["service"].append((between[0] - before[0]) / invoices_issued)
            spent["server"].append((between[1] - before[1]) / invoices_issued)
            spent["pgbench"].append((cpu([server]) - between[1]) / rows_inserted)
        verified.append(verify(instances[0], seconds))
    rows = [
        row(
            f"durable invoices, {count} instance{'s' if count > 1 else ''}",
            "≥ 0.70 with enough" if count == 3 else "",
            f"{statistics.median(rates[count]):,.0f}/s",
            f"pgbench {statistics.median(floors[count]):,.0f}/s",
            ratio_of_rounds(rates[count], floors[count]),
            max(ratio_of_rounds(rates[each], floors[each]) for each in rates) >= 0.7 if count == 3 else None,
        )
        for count in rates
    ]
    ratio = ratio_of_rounds(spent["first"], spent["sqlite"])
    rows += [
        row("processor time of PostgreSQL per invoice", "", micro(spent["server"]), f"pgbench's row {micro(spent['pgbench'])}",
            ratio_of_rounds(spent["pgbench"], spent["server"]), None),
        row("processor time of the instances per invoice", "", micro(spent["service"]), "", None, None),
        row("processor time of one instance per invoice", "at most 1.1 × SQLite", micro(spent["first"]), f"SQLite {micro(spent['sqlite'])}",
            ratio, ratio <= 1.1),
        row("verifications, 1 instance", "", f"{statistics.median(verified):,.0f}/s", "", None, None),
    ]
    return rows + full(instances, server, seconds, invoices)


def full(instances, server, seconds, invoices):
    """The cost of one operation before and after a month of invoices, and what one of them takes on disk."""
    before = issue(instances[:1], seconds), verify(instances[0], seconds)
    print(f"filling the ledger with {invoices:,} invoices", file=sys.stderr, flush=True)
    server.query(FILL.format(count=invoices))
    server.query("VACUUM ANALYZE invoice")
    server.query("CHECKPOINT")
    after = issue(instances[:1], seconds), verify(instances[0], seconds)
    count, size = map(
        int,
        server.query(
            "SELECT (SELECT count(*) FROM invoice), (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits"
            " WHERE inhparent = 'invoice'::regclass)"
        )[0],
    )
    rows = [
        row(
            f"{what} with {invoices / 1e6:g} million invoices", "cost ≤ 1.20", f"{late:,.0f}/s", f"without {early:,.0f}/s", early / late,
            early / late <= 1.2,
        )
        for what, early, late in zip(("invoices", "verifications"), before, after)
    ]
    return [*rows, row("bytes per invoice", "≤ 700", f"{size / count:,.0f}", f"{count:,} invoices", None, size / count <= 700)]


def cpu(parts):
    """Seconds of processor time that these have taken, with the processes that they have started."""
    return sum(seconds_of(part) for part in parts)


def seconds_of(part):
    """A process that ends meanwhile passes its time on to the first one, so that this is read again then."""
    while True:
        first, *others = part.processes
        before = times(first)
        total = sum(before) / os.sysconf("SC_CLK_TCK") + processor(others)
        if times(first)[2:] == before[2:]:
            return total


def micro(times):
    return f"{statistics.median(times) * 1e6:,.0f} µs"


def issue(instances, seconds):
    """Invoices per second over all of these instances at once."""
    urls = [invoice_url(each) for each in instances]
    for url in urls:
        if "pr" not in get(url).json:
            raise SystemExit(f"no invoice was given out: {get(url).body.decode()}")
    return together(urls, seconds)


def invoice_url(service):
    return f"{service.url('/lnurlpay/alice/invoice')}?amount={AMOUNT}"


def verify(instance, seconds):
    url = get(invoice_url(instance)).json["verify"]
    return together([instance.url("/" + url.split("/", 3)[3])], seconds)


def together(urls, seconds):
    processes = [wrk.begin(url, seconds, wrk.CONNECTIONS // len(urls)) for url in urls]
    return sum(wrk.end(each)["rate"] for each in processes)


def pgbench(server, script, seconds):
    command = [PROGRAMS / "pgbench", "--no-vacuum", "--protocol", "prepared", "--client", str(CLIENTS), "--time", str(seconds)]
    command += ["--file", script, server.url]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(next(line.split()[2] for line in text.splitlines() if line.startswith("tps")))
