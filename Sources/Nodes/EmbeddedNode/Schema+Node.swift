import LedgerRecords

extension Schema {
    /// The node's tables. Times are seconds since 1970, amounts msat. A settlement's `id` follows the order of commits
    /// and is the cursor of the stream.
    static let embeddedNode = Schema(
        component: "embedded-node",
        migrations: [
            Migration(
                "tables",
                sql: """
                    CREATE TABLE node_invoice (
                        id INTEGER PRIMARY KEY,
                        payment_hash BLOB NOT NULL UNIQUE CHECK (length(payment_hash) = 32),
                        preimage BLOB NOT NULL CHECK (length(preimage) = 32),
                        label TEXT NOT NULL,
                        amount INTEGER NOT NULL,
                        expires_at INTEGER NOT NULL,
                        is_canceled INTEGER NOT NULL DEFAULT 0 CHECK (is_canceled IN (0, 1))
                    ) STRICT;

                    CREATE TABLE node_settlement (
                        id INTEGER PRIMARY KEY,
                        invoice INTEGER NOT NULL UNIQUE REFERENCES node_invoice (id),
                        settled_at INTEGER NOT NULL,
                        received INTEGER NOT NULL
                    ) STRICT;
                    """)
        ]
    )
}
