extension Schema {
    /// The ledger's tables. Times are seconds since 1970, amounts msat.
    ///
    /// Random keys are in unique indexes beside an increasing rowid, which keeps inserts at the end of the table.
    static let ledger = Schema(
        component: "ledger",
        migrations: [
            Migration("accounts", sql: accounts),
            Migration("invoices", sql: invoices),
            Migration("challenges", sql: challenges),
            Migration("offers", sql: offers),
            Migration("service", sql: service),
            Migration("backend nodes", sql: backendNodes),
            Migration("events", sql: events),
            Migration("makers of offers", sql: makers),
            Migration("forgetting", sql: forgetting),
            Migration("followed spans", sql: followedSpans),
            Migration("outbox", sql: outbox),
            Migration("turns in the outbox", sql: outboxTurns),
            Migration("payer data of versions", sql: payerDataOfVersions),
            domains,
            Migration("leases", sql: leases),
            Migration("copies", sql: copies),
            registrations,
            Migration("URLs of instances", sql: "ALTER TABLE instance ADD COLUMN public_url TEXT"),
            devices,
            Migration("outbox entries without an account", sql: outboxEntries),
            Migration("kinds of settlement listeners", sql: listenersByKind),
            Migration("woken addresses", sql: wokenAddresses),
            Migration(
                "settlement webhooks of instances",
                sql: "ALTER TABLE instance ADD COLUMN tells_settlements INTEGER NOT NULL DEFAULT 0"),
        ]
    )

    /// A removed account keeps its row, so that its versions continue if it is added again.
    private static let accounts = """
        CREATE TABLE account (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            version INTEGER NOT NULL CHECK (version > 0),
            settings TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            is_removed INTEGER NOT NULL DEFAULT 0 CHECK (is_removed IN (0, 1))
        ) STRICT;

        CREATE TABLE account_version (
            id INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES account (id),
            version INTEGER NOT NULL,
            metadata TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            UNIQUE (account, version)
        ) STRICT;

        CREATE TABLE accounts_revision (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            revision INTEGER NOT NULL
        ) STRICT;

        INSERT INTO accounts_revision (id, revision) VALUES (1, 0);
        """

    /// The indexes cover the filters of lists, so that only the listed rows are read.
    private static let invoices = """
        CREATE TABLE invoice (
            id INTEGER PRIMARY KEY,
            payment_hash BLOB NOT NULL UNIQUE CHECK (length(payment_hash) = 32),
            account TEXT NOT NULL REFERENCES account (name),
            backend TEXT NOT NULL,
            label TEXT NOT NULL UNIQUE,
            amount INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            settled_at INTEGER,
            received INTEGER,
            preimage BLOB CHECK (length(preimage) = 32),
            origin TEXT NOT NULL,
            metadata_version INTEGER,
            tag TEXT,
            comment TEXT,
            payer_data TEXT,
            bolt11 TEXT NOT NULL,
            CONSTRAINT settled_as_a_whole CHECK (
                (settled_at IS NULL) = (received IS NULL) AND (settled_at IS NULL) = (preimage IS NULL)
            )
        ) STRICT;

        CREATE INDEX invoice_by_account ON invoice (account, id, settled_at, expires_at);
        CREATE INDEX invoice_settled ON invoice (id) WHERE settled_at IS NOT NULL;
        CREATE INDEX invoice_unsettled ON invoice (id, expires_at) WHERE settled_at IS NULL;

        CREATE TABLE settlement_cursor (
            id INTEGER PRIMARY KEY,
            backend TEXT NOT NULL UNIQUE,
            cursor TEXT NOT NULL
        ) STRICT;
        """

    private static let challenges = """
        CREATE TABLE used_challenge (
            id INTEGER PRIMARY KEY,
            bytes BLOB NOT NULL UNIQUE,
            expires_at INTEGER NOT NULL
        ) STRICT;

        CREATE INDEX used_challenge_by_expiry ON used_challenge (expires_at);
        """

    /// A quantity may be any 64-bit number, which an INTEGER cannot hold, and is stored as decimal text.
    private static let offers = """
        CREATE TABLE offer (
            id INTEGER PRIMARY KEY,
            offer_id BLOB NOT NULL UNIQUE CHECK (length(offer_id) = 32),
            account TEXT NOT NULL REFERENCES account (name),
            origin TEXT NOT NULL,
            records BLOB NOT NULL,
            maximum_payments INTEGER,
            created_at INTEGER NOT NULL,
            disabled_at INTEGER
        ) STRICT;

        ALTER TABLE invoice ADD COLUMN offer BLOB CHECK (length(offer) = 32);
        ALTER TABLE invoice ADD COLUMN bolt12 BLOB;
        ALTER TABLE invoice ADD COLUMN quantity TEXT;
        ALTER TABLE invoice ADD COLUMN payer_note TEXT;
        ALTER TABLE invoice ADD COLUMN payee_name TEXT;

        CREATE INDEX invoice_by_offer ON invoice (offer, settled_at, expires_at) WHERE offer IS NOT NULL;

        CREATE TABLE answered_request (
            id INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            payment_hash BLOB NOT NULL REFERENCES invoice (payment_hash),
            expires_at INTEGER NOT NULL
        ) STRICT;

        CREATE INDEX answered_request_by_expiry ON answered_request (expires_at);
        """

    /// The node that the cursor and invoices of a backend belong to.
    private static let backendNodes = """
        CREATE TABLE backend_node (
            id INTEGER PRIMARY KEY,
            backend TEXT NOT NULL UNIQUE,
            node_id BLOB NOT NULL CHECK (length(node_id) = 33)
        ) STRICT;
        """

    /// For an offer made by a node: which node, and whether it has disabled the offer.
    private static let makers = """
        ALTER TABLE offer ADD COLUMN backend TEXT;
        ALTER TABLE offer ADD COLUMN node_id BLOB CHECK (length(node_id) = 33);
        ALTER TABLE offer ADD COLUMN disabled_at_node_at INTEGER;
        """

    /// For deleting an invoice, which looks up its references.
    private static let forgetting = """
        CREATE INDEX answered_request_by_invoice ON answered_request (payment_hash);
        """

    /// How long the settlements of a backend have been followed without a gap.
    private static let followedSpans = """
        CREATE TABLE followed_span (
            id INTEGER PRIMARY KEY,
            backend TEXT NOT NULL UNIQUE,
            since INTEGER NOT NULL,
            until INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE skipped_settlement (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
            backend TEXT NOT NULL,
            payment_hash BLOB CHECK (length(payment_hash) = 32),
            cursor TEXT NOT NULL,
            reason TEXT NOT NULL,
            skipped_at INTEGER NOT NULL
        ) STRICT;

        CREATE INDEX skipped_settlement_by_hash ON skipped_settlement (payment_hash);
        """

    /// The payer data that each version requested, as written in settings. For earlier versions it was not stored: they
    /// use the account's settings at the time of this migration.
    private static let payerDataOfVersions = """
        ALTER TABLE account_version ADD COLUMN payer_data TEXT NOT NULL DEFAULT '{}';

        UPDATE account_version SET payer_data = coalesce(
            (SELECT json_extract(settings, '$.payerData') FROM account WHERE account.id = account_version.account), '{}'
        );
        """

    /// Values that all processes on this ledger must agree on.
    private static let service = """
        CREATE TABLE service (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            public_url TEXT NOT NULL
        ) STRICT;
        """

    /// Payable invoices are counted before each new one, in an index of their own: nearly all invoices are settled or
    /// expired.
    private static let events = """
        CREATE INDEX invoice_open ON invoice (account, expires_at) WHERE settled_at IS NULL;

        CREATE TABLE event (
            id INTEGER PRIMARY KEY,
            received_at INTEGER NOT NULL,
            account TEXT NOT NULL,
            type TEXT NOT NULL,
            envelope TEXT NOT NULL,
            payload TEXT NOT NULL,
            outcome TEXT NOT NULL,
            answer TEXT,
            payment_hash BLOB CHECK (length(payment_hash) = 32),
            steps TEXT NOT NULL,
            delivery TEXT
        ) STRICT;

        CREATE INDEX event_by_account ON event (account, id);
        CREATE INDEX event_by_time ON event (received_at);
        """
}
