"""What happens to instances and to their server while payers ask."""

import random
import signal
import time

from cluster.instances import holder

# Of each day that is added.
OLD_PAYMENTS = 10_000
OLD_DAY = """
SELECT make_invoice_partition((extract(epoch FROM now())::bigint / 86400 - {day}) * 86400);
INSERT INTO invoice (
    id, payment_hash, preimage, account, backend, label, amount, received, created_at, expires_at, settled_at, origin, metadata_version, bolt11
)
SELECT invoice_id(second) | number % 1048576, sha256(secret), CASE WHEN number <= {paid} THEN secret END, account.id, 'embedded',
    'old-{day}-' || number, 21000, CASE WHEN number <= {paid} THEN 21000 END, second, second + 600,
    CASE WHEN number <= {paid} THEN second + 5 END, 'lnurl', 1, repeat('x', 330)
FROM account, (
    SELECT number, sha256(convert_to('{day}-' || number, 'UTF8')) AS secret,
        (extract(epoch FROM now())::bigint / 86400 - {day}) * 86400 + number AS second
    FROM generate_series(1, {paid} + {unpaid}) AS number
) AS numbered WHERE account.name = 'alice';
DELETE FROM invoice WHERE label LIKE 'old-{day}-%' AND settled_at IS NULL;
"""


class Mishaps:
    def __init__(self, instances, server, say, later=None):
        self.instances, self.server, self.say, self.later = instances, server, say, later
        self.done = {}
        self.upgraded = False
        self.old_days = 0

    def run_one(self, number):
        kinds = (
            self.kill_instance, self.kill_server, self.pause_holder, self.restart_all, self.cut_connections, self.pause_server,
            self.restart_server, self.add_old_day,
        )
        kind = kinds[number % len(kinds)]
        name = kind.__name__.replace("_", " ")
        self.say(name)
        kind()
        self.done[name] = self.done.get(name, 0) + 1

    def kill_instance(self):
        instance = random.choice(self.instances)
        instance.kill()
        time.sleep(3)
        instance.start()

    def kill_server(self):
        self.server.kill()
        time.sleep(1)
        self.server.start()

    def restart_server(self):
        self.server.stop()
        self.server.start()

    def pause_server(self):
        """It takes connections and queries, and answers none."""
        self.server.signal(signal.SIGSTOP)
        time.sleep(6)
        self.server.signal(signal.SIGCONT)

    def cut_connections(self):
        self.server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'responder' AND pid <> pg_backend_pid()")

    def pause_holder(self):
        """Stops whoever follows the node for longer than its lease, and lets it go on."""
        name = holder(self.instances[0]).get("backend:embedded")
        instance = next((each for each in self.instances if each.name == name), self.instances[0])
        instance.pause()
        time.sleep(20)
        instance.resume()

    def add_old_day(self):
        """A day of weeks ago, of which only what was paid is left: upkeep copies it into a smaller table while payers ask."""
        self.server.query(OLD_DAY.format(day=20 + self.old_days, paid=OLD_PAYMENTS, unpaid=2 * OLD_PAYMENTS))
        self.old_days += 1

    def full_days(self):
        """Days of weeks ago of which upkeep has not yet made smaller tables."""
        return int(self.server.query("SELECT count(*) FROM invoice_days() WHERE name !~ 'p$' AND since < extract(epoch FROM now()) - 432000")[0][0])

    def restart_all(self):
        """One after the other; the first time, the later release is put in their place, or at least its schema."""
        if not self.upgraded:
            self.upgrade()
            self.upgraded = True
        for instance in self.instances:
            status = instance.stop()
            if status != 0:
                raise SystemExit(f"{instance.name} ended with status {status} when asked to")
            instance.start()

    def upgrade(self):
        if self.later:
            for instance in self.instances:
                instance.binaries = self.later
            self.say(f"upgraded: {self.instances[0].responder('ledger', 'migrate')}")
            return
        self.server.query(
            "ALTER TABLE invoice ADD COLUMN of_a_later_version text;"
            "INSERT INTO migration (component, number, name, oldest_program)"
            " SELECT component, max(number) + 1, 'of a later version', max(oldest_program) FROM migration GROUP BY component"
        )
