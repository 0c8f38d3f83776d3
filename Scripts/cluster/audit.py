"""Holds what payers were given against what the ledger has, and the instances against each other."""

import re
import time

from cluster.mishaps import OLD_PAYMENTS
from service import get


class Audit:
    def __init__(self, book, server, instances):
        self.book, self.server, self.instances = book, server, instances
        self.failures = 0

    def check(self, text, holds):
        print("✔" if holds else "✘", text, flush=True)
        self.failures += not holds

    def run(self, race, announced, mishaps, left, lightning=None):
        book = self.book
        self.wait_until_settled()
        rows = self.server.query(
            "SELECT encode(payment_hash, 'hex'), amount, coalesce(received, 0), settled_at IS NOT NULL FROM invoice"
            " WHERE label NOT LIKE 'old-%'"
        )
        recorded = {row[0]: row for row in rows}
        self.check(f"{len(rows):,} invoices in the ledger, none of them twice", len(recorded) == len(rows))
        missing = [each for each in book.invoices if each not in recorded]
        self.check(f"of {len(book.invoices):,} invoices that payers got, {len(missing)} are missing", not missing)
        wrong = [each for each, amount in book.invoices.items() if each in recorded and int(recorded[each][1]) != amount]
        self.check(f"{len(wrong)} have another amount", not wrong)
        settled = {row[0] for row in rows if row[3] == "t"}
        self.check(f"{len(book.paid):,} were paid, all of them are settled", set(book.paid) <= settled)
        self.check(f"{len(settled - set(book.paid))} are settled that nobody paid", settled <= set(book.paid))
        false = sum(1 for each in book.settled if each not in settled)
        self.check(f"{len(book.settled):,} payers were told that their payment is settled, {false} of them wrongly", not false)
        total = int(self.server.query("SELECT count FROM settlement_total")[0][0])
        self.check(f"settlements counted by the ledger: {total:,}, each once", total == len(settled))
        self.check(
            f"{race.rounds} offers for one payment, {race.sold} sold, {race.sold_twice} sold twice",
            race.sold >= race.rounds / 2 and not race.sold_twice,
        )
        self.check(f"longest time for which a payer got no answer: {book.longest:.1f} s ({book.longest_words})", book.longest <= 10)
        self.check(f"slowest answer: {book.slowest:.1f} s", book.slowest <= 10)
        self.old(mishaps, left)
        self.webhooks(settled, announced)
        # Those of the outbox and of upkeep, and one for each backend.
        self.metrics(len(settled), 4 if lightning else 3)
        if lightning:
            self.lightning(lightning)

    def wait_until_settled(self):
        """What was paid at the end is followed within the lease of a holder that is gone."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            count = int(self.server.query("SELECT count(*) FROM invoice WHERE settled_at IS NOT NULL AND label NOT LIKE 'old-%'")[0][0])
            if count >= len(self.book.paid):
                return
            time.sleep(0.5)

    def old(self, mishaps, left):
        """What was paid in days that upkeep has copied into smaller tables."""
        copied = mishaps.old_days - left
        self.check(f"{copied} of {mishaps.old_days} days of weeks ago were copied into smaller tables while payers asked", left == 0 < copied)
        kept, right = map(
            int,
            self.server.query(
                "SELECT count(*), count(*) FILTER (WHERE received = 21000 AND sha256(preimage) = payment_hash)"
                " FROM invoice WHERE label LIKE 'old-%'"
            )[0],
        )
        self.check(f"{kept:,} paid invoices of these days, none missing and none changed", kept == right == mishaps.old_days * OLD_PAYMENTS)

    def webhooks(self, settled, announced):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and len(announced.hashes) < len(settled):
            time.sleep(0.5)
        self.check(
            f"{len(announced.hashes):,} payments announced by webhook, {announced.repeated} of them more than once with the same id",
            announced.hashes == settled,
        )

    def lightning(self, lightning):
        """What the live node was paid, by its own account, is settled here."""
        paid = lightning.paid_at_node()
        settled = self.server.query(
            "SELECT encode(payment_hash, 'hex') FROM invoice JOIN account ON account.id = account"
            f" WHERE settled_at IS NOT NULL AND account.name = '{lightning.account}'"
        )
        self.check(
            f"{len(paid):,} invoices were paid at the Core Lightning node, {lightning.failures} payments failed; all are settled here",
            len(paid) > 0 and paid == {row[0] for row in settled},
        )

    def metrics(self, settled, leased):
        counted = {each.name: each.metric("responder_settlements_total") for each in self.instances}
        self.check(f"settlements in the metrics of each instance: {counted}", set(counted.values()) == {settled})
        holders = [holder for each in self.instances for holder in leases(each)]
        self.check(f"each lease is held by one instance: {sorted(holders)}", len(holders) == len(set(holders)) == leased)


def leases(instance):
    """The leases that an instance holds, as its own metrics tell."""
    page = get(f"http://{instance.admin}/metrics").body.decode()
    return re.findall(r'^responder_lease_held{lease="([^"]+)"} 1', page, re.MULTILINE)
