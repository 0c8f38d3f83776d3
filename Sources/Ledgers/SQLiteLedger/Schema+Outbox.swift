extension Schema {
    /// Claimed work is due when the claim expires, so that one index tells both what can be claimed and when to look
    /// again. `settlement_listener` names the accounts whose settlements add work.
    static let outbox = """
        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY,
            work_id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            account TEXT NOT NULL,
            payload BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            deadline INTEGER,
            due_at INTEGER NOT NULL,
            held_by TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            parked_at INTEGER,
            failure TEXT
        ) STRICT;

        CREATE INDEX outbox_due ON outbox (kind, due_at) WHERE parked_at IS NULL;

        CREATE TABLE settlement_listener (
            account TEXT NOT NULL PRIMARY KEY
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE settlement_total (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            count INTEGER NOT NULL
        ) STRICT;

        INSERT INTO settlement_total (id, count) SELECT 1, count(*) FROM invoice WHERE settled_at IS NOT NULL;
        """

    /// What waits, and what is in hand, by account: so that accounts take turns.
    static let outboxTurns = """
        CREATE INDEX outbox_by_account ON outbox (kind, account, due_at) WHERE parked_at IS NULL;
        CREATE INDEX outbox_held ON outbox (kind, account) WHERE held_by IS NOT NULL;
        """

    /// Work without an account has 0 there.
    static let outboxEntries = """
        DROP INDEX outbox_due;
        DROP INDEX outbox_by_account;
        DROP INDEX outbox_held;

        CREATE TABLE outbox_entry (
            id INTEGER PRIMARY KEY,
            work_id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            account INTEGER NOT NULL,
            payload BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            deadline INTEGER,
            due_at INTEGER NOT NULL,
            held_by TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            parked_at INTEGER,
            failure TEXT
        ) STRICT;

        INSERT INTO outbox_entry (
            id, work_id, kind, account, payload, created_at, deadline, due_at, held_by, attempts, parked_at, failure
        )
        SELECT id, work_id, kind, account, payload, created_at, deadline, due_at, held_by, attempts, parked_at, failure
        FROM outbox;

        DROP TABLE outbox;

        CREATE INDEX outbox_due ON outbox_entry (kind, due_at) WHERE parked_at IS NULL;
        CREATE INDEX outbox_parked ON outbox_entry (kind, deadline) WHERE parked_at IS NOT NULL;
        CREATE INDEX outbox_by_account ON outbox_entry (kind, account, due_at) WHERE parked_at IS NULL;
        CREATE INDEX outbox_held ON outbox_entry (kind, account) WHERE held_by IS NOT NULL;
        """

    /// What the settlements of an account are told by: work of that kind.
    static let listenersByKind = """
        ALTER TABLE settlement_listener ADD COLUMN kind TEXT NOT NULL DEFAULT 'settlement-webhook';
        DROP INDEX settlement_listener_once;
        CREATE UNIQUE INDEX settlement_listener_once ON settlement_listener (coalesce(account, 0), kind);
        """
}
