"""Three instances of the service on one PostgreSQL, behind haproxy, with payers who never stop while instances and the server are killed,
paused, cut off, restarted and upgraded. In the end, what payers were given is held against the ledger.

Usage: PYTHONPATH=Scripts python -m cluster BINARIES [--minutes N] [--earlier FOLDER] [--core-lightning FOLDER]
"""

import argparse
import contextlib
import pathlib
import random
import tempfile
import threading
import time
import urllib.request

from cluster.announcements import Announcements
from cluster.audit import Audit
from cluster.instances import Balancer, start
from cluster.lightning import Lightning
from cluster.load import Book, Payer
from cluster.mishaps import Mishaps
from cluster.offers import OfferRace
from postgresql import PostgreSQL
from service import send

ACCOUNT = "alice"
PAYERS = 12
# Between two mishaps.
PAUSE = 12


def main():
    arguments = parse()
    random.seed(arguments.seed)
    with tempfile.TemporaryDirectory(dir=arguments.binaries.parent, prefix="cluster-") as folder:
        path = pathlib.Path(folder)
        path.chmod(0o755)
        with contextlib.ExitStack() as running:
            server = running.enter_context(PostgreSQL(path / "postgresql"))
            announced = running.enter_context(Announcements())
            lightning = running.enter_context(Lightning(arguments.core_lightning, path)) if arguments.core_lightning else None
            instances = prepared(arguments, path, server, announced, lightning)
            try:
                with Balancer(path, instances) as balancer:
                    failures = judge(instances, server, balancer, announced, lightning, arguments)
            finally:
                for each in instances:
                    if each.process is not None:
                        each.resume()
                        each.stop()
    print("no failure" if failures == 0 else f"{failures} failures")
    return 1 if failures else 0


def parse():
    parser = argparse.ArgumentParser(prog="Scripts/judge-cluster")
    parser.add_argument("binaries", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--minutes", type=float, default=20, help="how long (default: 20)")
    parser.add_argument(
        "--earlier", type=pathlib.Path, metavar="FOLDER",
        help="of an earlier release's lightning-responder, with which the instances begin, to be upgraded one by one",
    )
    parser.add_argument(
        "--core-lightning", type=pathlib.Path, metavar="FOLDER",
        help="an installation of Core Lightning, or the folder in which it was built: a live node as a second backend, paid with xpay",
    )
    parser.add_argument("--seed", type=int, default=1, help="of what happens to whom (default: 1)")
    return parser.parse_args()


def prepared(arguments, path, server, announced, lightning):
    secret = path / "webhook.secret"
    secret.touch(mode=0o600)
    secret.write_text("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n")
    environment = {
        "RESPONDER_SETTLEMENT_WEBHOOK_URL": announced.url,
        "RESPONDER_SETTLEMENT_WEBHOOK_SECRET_FILE": str(secret),
        "RESPONDER_SETTLEMENT_WEBHOOK_ALLOW_PRIVATE": "true",
        "RESPONDER_DRAIN_TIME": "3",
    }
    binaries = arguments.earlier or arguments.binaries
    instances = start(binaries, path, server, environment, lightning and lightning.settings)
    instances[0].put_account(ACCOUNT, {"description": "Sats for Alice", "backend": "embedded"})
    if lightning:
        instances[0].put_account(lightning.account, {"description": "Sats for Carol", "backend": lightning.backend})
    return instances


def judge(instances, server, balancer, announced, lightning, arguments):
    book, stopped, begun = Book(), threading.Event(), time.monotonic()

    def say(text):
        print(f"{time.monotonic() - begun:7.1f} s  {len(book.invoices):,} invoices, {len(book.paid):,} paid  {text}", flush=True)

    race = OfferRace(instances, ACCOUNT)
    mishaps = Mishaps(instances, server, say, later=arguments.binaries if arguments.earlier else None)
    payers = [Payer(book, balancer, ACCOUNT, lambda *invoice: settle(instances, *invoice), stopped) for _ in range(PAYERS)]
    if lightning:
        payers.append(Payer(book, balancer, lightning.account, lightning.pay, stopped))
    for each in payers:
        each.start()
    number = 0
    while time.monotonic() - begun < arguments.minutes * 60:
        time.sleep(PAUSE)
        race.run()
        mishaps.run_one(number)
        number += 1
    say("payers go on asking until upkeep has copied the days of weeks ago")
    # Instances delete and copy nothing by its age in their first ten minutes.
    end = time.monotonic() + 780
    while (left := mishaps.full_days()) and time.monotonic() < end:
        time.sleep(1)
    stopped.set()
    for each in payers:
        each.join(timeout=60)
    took = time.monotonic() - begun
    say(f"over; {book.requests / took:,.0f} requests/s; mishaps: {mishaps.done}")
    for words, count in sorted(book.errors.items(), key=lambda each: -each[1]):
        print(f"    {count:6,} × {words}")
    audit = Audit(book, server, instances)
    audit.run(race, announced, mishaps, left, lightning)
    return audit.failures


def settle(instances, payment_hash, _):
    """Pays at the embedded node, which all instances share; whether it is known to be paid."""
    for instance in random.sample(instances, len(instances)) * 3:
        token = (instance.folder / "data" / "admin.token").read_text().strip()
        request = urllib.request.Request(
            f"http://{instance.admin}/invoices/{payment_hash}/settle", method="POST", headers={"Authorization": f"Bearer {token}"}
        )
        try:
            # 409: an attempt without an answer has paid it.
            if send(request).status in (200, 409):
                return True
        except OSError:
            pass
        time.sleep(0.5)
    return False


raise SystemExit(main())
