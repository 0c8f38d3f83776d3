import SQLiteLedger

extension Schema {
    /// The node's tables. Times are seconds since 1970, amounts msat. A settlement's `id` follows the order of commits
    /// and is the cursor of the stream.
    static let embeddedNode = Schema(
        component: component,
        migrations: [
            Migration("books of its own", sql: tables(label: "TEXT NOT NULL"))
        ]
    )

    private static let component = "embedded-node"

    /// The tables of versions that kept them in the ledger's file.
    static let formerEmbeddedNode = Schema(
        component: component,
        migrations: [
            Migration("invoices", sql: tables(label: "TEXT NOT NULL UNIQUE"))
        ]
    )

    /// What the ledger's file holds of the node now: a mark, which also keeps older versions from making tables there
    /// again. A file that never held the tables gets only the mark: the other file may already be in use.
    ///
    /// - Parameter path: where the tables are moved to; nil refuses to move any, with `readOnly`.
    static func emptied(into path: String?) -> Schema {
        Schema(
            component: component,
            migrations: formerEmbeddedNode.migrations.map { Migration($0.name) { _ in } } + [
                Migration("moved to a file of its own") { former throws(StorageFault) in
                    try former.moveNodeTables(to: path)
                }
            ])
    }

    private static func tables(label: String) -> String {
        """
        CREATE TABLE node_invoice (
            id INTEGER PRIMARY KEY,
            payment_hash BLOB NOT NULL UNIQUE CHECK (length(payment_hash) = 32),
            preimage BLOB NOT NULL CHECK (length(preimage) = 32),
            label \(label),
            amount INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            is_cancelled INTEGER NOT NULL DEFAULT 0 CHECK (is_cancelled IN (0, 1))
        ) STRICT;

        CREATE TABLE node_settlement (
            id INTEGER PRIMARY KEY,
            invoice INTEGER NOT NULL UNIQUE REFERENCES node_invoice (id),
            settled_at INTEGER NOT NULL,
            received INTEGER NOT NULL
        ) STRICT;
        """
    }
}
