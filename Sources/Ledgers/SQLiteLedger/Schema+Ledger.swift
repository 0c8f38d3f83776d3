import LedgerRecords

extension Schema {
    static let ledger = Schema(
        component: "ledger", migrations: [Migration("tables", sql: LedgerSchema.tables + invoices)])

    /// Random keys are in unique indexes beside an increasing rowid, which keeps inserts at the end of the table. The other
    /// indexes cover the filters of lists, so that only the listed rows are read. Payable invoices are counted before each
    /// new one, in an index of their own: nearly all invoices are settled or expired.
    private static let invoices = """
        CREATE TABLE invoice (
            id INTEGER PRIMARY KEY,
            \(LedgerSchema.invoiceColumns),
            UNIQUE (payment_hash),
            FOREIGN KEY (account) REFERENCES account (id)
        ) STRICT;
        CREATE INDEX invoice_by_account ON invoice (account, id, settled_at, expires_at);
        CREATE INDEX invoice_settled ON invoice (id) WHERE settled_at IS NOT NULL;
        CREATE INDEX invoice_unsettled ON invoice (id, expires_at) WHERE settled_at IS NULL;
        CREATE INDEX invoice_by_offer ON invoice (offer, settled_at, expires_at) WHERE offer IS NOT NULL;
        CREATE INDEX invoice_open ON invoice (account, expires_at) WHERE settled_at IS NULL;

        CREATE TABLE answered_request (
            id INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            payment_hash BLOB NOT NULL REFERENCES invoice (payment_hash),
            expires_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX answered_request_by_expiry ON answered_request (expires_at);
        CREATE INDEX answered_request_by_invoice ON answered_request (payment_hash);

        CREATE TABLE registration_version (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL) STRICT;
        INSERT INTO registration_version (id, version) VALUES (1, 0);

        """
}
