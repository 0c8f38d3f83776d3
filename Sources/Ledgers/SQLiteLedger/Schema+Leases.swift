extension Schema {
    /// Which instances serve the ledger, what each of them holds, and the keys that they use. A lease without a holder
    /// was given back. Until now every claim in the outbox was that of the one service, which has ended.
    static let leases = """
        CREATE TABLE instance (
            instance_id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            process INTEGER NOT NULL,
            version TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            payers TEXT NOT NULL,
            admin TEXT NOT NULL,
            keys BLOB NOT NULL CHECK (length(keys) = 32),
            seen_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE lease (
            name TEXT NOT NULL PRIMARY KEY,
            epoch INTEGER NOT NULL,
            holder TEXT,
            until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE used_keys (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32)
        ) STRICT;

        UPDATE outbox SET held_by = NULL, due_at = min(due_at, created_at), attempts = max(attempts - 1, 0)
        WHERE held_by IS NOT NULL AND parked_at IS NULL;
        """

    /// The ledger that is being copied into this one; no row unless a copy was begun and has not ended.
    static let copies = """
        CREATE TABLE unfinished_copy (id INTEGER PRIMARY KEY CHECK (id = 1), source TEXT NOT NULL) STRICT;
        """
}
