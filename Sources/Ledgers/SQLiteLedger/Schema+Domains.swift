import LNURL
import LightningCoding

extension Schema {
    /// Accounts belong to domains, and whatever concerns an account refers to it by its number. What a ledger held before
    /// belongs to one domain, the main one.
    static let domains = Migration("domains") { connection throws(StorageFault) in
        try connection.script(domainTable)
        if let publicURL = try connection.formerPublicURL() {
            try connection.run(
                "INSERT INTO domain (name, public_url, settings, is_main) VALUES (?1, ?2, '{}', 1)",
                [.text(publicURL.domain.text), .text(publicURL.text)])
        }
        try connection.script(formerTables + accountTables + referringTables + copying + dropping + indexes)
    }

    private static let domainTable = """
        CREATE TABLE domain (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            public_url TEXT NOT NULL,
            settings TEXT NOT NULL,
            is_main INTEGER NOT NULL CHECK (is_main IN (0, 1)),
            is_removed INTEGER NOT NULL DEFAULT 0 CHECK (is_removed IN (0, 1))
        ) STRICT;

        CREATE UNIQUE INDEX domain_main ON domain (is_main) WHERE is_main = 1;
        """

    /// The references between the old tables follow their new names.
    private static let formerTables = """
        DROP INDEX invoice_by_account;
        DROP INDEX invoice_settled;
        DROP INDEX invoice_unsettled;
        DROP INDEX invoice_by_offer;
        DROP INDEX invoice_open;
        DROP INDEX answered_request_by_expiry;
        DROP INDEX answered_request_by_invoice;
        DROP INDEX event_by_account;
        DROP INDEX event_by_time;
        DROP INDEX outbox_due;
        DROP INDEX outbox_by_account;
        DROP INDEX outbox_held;

        ALTER TABLE account RENAME TO former_account;
        ALTER TABLE account_version RENAME TO former_account_version;
        ALTER TABLE invoice RENAME TO former_invoice;
        ALTER TABLE offer RENAME TO former_offer;
        ALTER TABLE answered_request RENAME TO former_answered_request;
        ALTER TABLE event RENAME TO former_event;
        ALTER TABLE outbox RENAME TO former_outbox;
        ALTER TABLE settlement_listener RENAME TO former_settlement_listener;
        """

    private static let accountTables = """
        CREATE TABLE account (
            id INTEGER PRIMARY KEY,
            domain INTEGER NOT NULL REFERENCES domain (id),
            name TEXT NOT NULL,
            version INTEGER NOT NULL CHECK (version > 0),
            settings TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            is_removed INTEGER NOT NULL DEFAULT 0 CHECK (is_removed IN (0, 1)),
            UNIQUE (domain, name)
        ) STRICT;

        CREATE TABLE account_version (
            id INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES account (id),
            version INTEGER NOT NULL,
            metadata TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            payer_data TEXT NOT NULL,
            UNIQUE (account, version)
        ) STRICT;
        """

    private static let referringTables = """
        CREATE TABLE invoice (
            id INTEGER PRIMARY KEY,
            payment_hash BLOB NOT NULL UNIQUE CHECK (length(payment_hash) = 32),
            account INTEGER NOT NULL REFERENCES account (id),
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
            offer BLOB CHECK (length(offer) = 32),
            bolt12 BLOB,
            quantity TEXT,
            payer_note TEXT,
            payee_name TEXT,
            CONSTRAINT settled_as_a_whole CHECK (
                (settled_at IS NULL) = (received IS NULL) AND (settled_at IS NULL) = (preimage IS NULL)
            )
        ) STRICT;

        CREATE TABLE offer (
            id INTEGER PRIMARY KEY,
            offer_id BLOB NOT NULL UNIQUE CHECK (length(offer_id) = 32),
            account INTEGER NOT NULL REFERENCES account (id),
            origin TEXT NOT NULL,
            records BLOB NOT NULL,
            maximum_payments INTEGER,
            created_at INTEGER NOT NULL,
            disabled_at INTEGER,
            backend TEXT,
            node_id BLOB CHECK (length(node_id) = 33),
            disabled_at_node_at INTEGER
        ) STRICT;

        CREATE TABLE answered_request (
            id INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            payment_hash BLOB NOT NULL REFERENCES invoice (payment_hash),
            expires_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE event (
            id INTEGER PRIMARY KEY,
            received_at INTEGER NOT NULL,
            account INTEGER NOT NULL REFERENCES account (id),
            type TEXT NOT NULL,
            envelope TEXT NOT NULL,
            payload TEXT NOT NULL,
            outcome TEXT NOT NULL,
            answer TEXT,
            payment_hash BLOB CHECK (length(payment_hash) = 32),
            steps TEXT NOT NULL,
            delivery TEXT
        ) STRICT;

        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY,
            work_id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            account INTEGER NOT NULL REFERENCES account (id),
            payload BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            deadline INTEGER,
            due_at INTEGER NOT NULL,
            held_by TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            parked_at INTEGER,
            failure TEXT
        ) STRICT;

        CREATE TABLE settlement_listener (
            id INTEGER PRIMARY KEY,
            account INTEGER REFERENCES account (id)
        ) STRICT;
        """

    /// Events and work may name accounts that never existed; these are added as removed ones.
    private static let copying = """
        INSERT INTO account (id, domain, name, version, settings, created_at, is_removed)
        SELECT former_account.id, domain.id, former_account.name, version, former_account.settings, created_at,
            former_account.is_removed
        FROM former_account, domain;

        INSERT INTO account (domain, name, version, settings, created_at, is_removed)
        SELECT domain.id, stranger.name, 1, '{"description":"-","backend":"embedded"}', min(stranger.since), 1
        FROM domain, (
            SELECT account AS name, received_at AS since FROM former_event
            UNION ALL SELECT account, created_at FROM former_outbox
        ) AS stranger
        WHERE stranger.name NOT IN (SELECT name FROM former_account)
        GROUP BY stranger.name;

        INSERT INTO account_version (id, account, version, metadata, created_at, payer_data)
        SELECT id, account, version, metadata, created_at, payer_data FROM former_account_version;

        INSERT INTO account_version (account, version, metadata, created_at, payer_data)
        SELECT id, 1, '[["text/plain","-"]]', created_at, '{}' FROM account
        WHERE id NOT IN (SELECT id FROM former_account);

        INSERT INTO invoice (
            id, payment_hash, account, backend, label, amount, created_at, expires_at, settled_at, received, preimage,
            origin, metadata_version, tag, comment, payer_data, bolt11, offer, bolt12, quantity, payer_note, payee_name
        )
        SELECT
            former_invoice.id, payment_hash, account.id, backend, label, amount, former_invoice.created_at, expires_at,
            settled_at, received, preimage, origin, metadata_version, tag, comment, payer_data, bolt11, offer, bolt12,
            quantity, payer_note, payee_name
        FROM former_invoice JOIN account ON account.name = former_invoice.account ORDER BY former_invoice.id;

        INSERT INTO offer (
            id, offer_id, account, origin, records, maximum_payments, created_at, disabled_at, backend, node_id,
            disabled_at_node_at
        )
        SELECT former_offer.id, offer_id, account.id, origin, records, maximum_payments, former_offer.created_at,
            disabled_at, backend, node_id, disabled_at_node_at
        FROM former_offer JOIN account ON account.name = former_offer.account;

        INSERT INTO answered_request SELECT id, digest, payment_hash, expires_at FROM former_answered_request;

        INSERT INTO event (
            id, received_at, account, type, envelope, payload, outcome, answer, payment_hash, steps, delivery
        )
        SELECT former_event.id, received_at, account.id, type, envelope, payload, outcome, answer, payment_hash, steps,
            delivery
        FROM former_event JOIN account ON account.name = former_event.account;

        INSERT INTO outbox (
            id, work_id, kind, account, payload, created_at, deadline, due_at, held_by, attempts, parked_at, failure
        )
        SELECT former_outbox.id, work_id, kind, account.id, payload, former_outbox.created_at, deadline, due_at,
            held_by, attempts, parked_at, failure
        FROM former_outbox JOIN account ON account.name = former_outbox.account;

        INSERT INTO settlement_listener (account)
        SELECT account.id FROM former_settlement_listener AS former LEFT JOIN account ON account.name = former.account
        WHERE former.account = '' OR account.id IS NOT NULL;
        """

    /// What refers to others first.
    private static let dropping = """
        DROP TABLE former_answered_request;
        DROP TABLE former_invoice;
        DROP TABLE former_offer;
        DROP TABLE former_account_version;
        DROP TABLE former_account;
        DROP TABLE former_event;
        DROP TABLE former_outbox;
        DROP TABLE former_settlement_listener;
        """

    /// As before. In `settlement_listener` NULL stands for all accounts.
    private static let indexes = """
        CREATE INDEX invoice_by_account ON invoice (account, id, settled_at, expires_at);
        CREATE INDEX invoice_settled ON invoice (id) WHERE settled_at IS NOT NULL;
        CREATE INDEX invoice_unsettled ON invoice (id, expires_at) WHERE settled_at IS NULL;
        CREATE INDEX invoice_by_offer ON invoice (offer, settled_at, expires_at) WHERE offer IS NOT NULL;
        CREATE INDEX invoice_open ON invoice (account, expires_at) WHERE settled_at IS NULL;
        CREATE INDEX answered_request_by_expiry ON answered_request (expires_at);
        CREATE INDEX answered_request_by_invoice ON answered_request (payment_hash);
        CREATE INDEX event_by_account ON event (account, id);
        CREATE INDEX event_by_time ON event (received_at);
        CREATE INDEX outbox_due ON outbox (kind, due_at) WHERE parked_at IS NULL;
        CREATE INDEX outbox_by_account ON outbox (kind, account, due_at) WHERE parked_at IS NULL;
        CREATE INDEX outbox_held ON outbox (kind, account) WHERE held_by IS NOT NULL;
        CREATE UNIQUE INDEX settlement_listener_once ON settlement_listener (coalesce(account, 0));
        """
}

extension Connection {
    /// Where payers reached the accounts of a ledger without domains: where the service ran, or else the address in the
    /// metadata of an account. Of a ledger that holds neither, any: what it holds is for no payer.
    fileprivate func formerPublicURL() throws(StorageFault) -> PublicURL? {
        let served = try first("SELECT public_url FROM service") { row throws(StorageFault) in try row.text(0) }
        if let served {
            guard let url = try? HTTPURL(served) else { throw .corrupt("the public URL is none") }
            return PublicURL(url)
        }
        let texts = try rows("SELECT metadata FROM account_version ORDER BY id DESC LIMIT 1") {
            row throws(StorageFault) in
            try row.text(0)
        }
        let metadata = texts.first.flatMap { try? PayMetadata(parsing: $0) }
        if let address = (metadata?.identifier ?? metadata?.email).flatMap({ try? LightningAddress($0) }) {
            return try? PublicURL("\(address.payURL.scheme.rawValue)://\(address.domain)")
        }
        let isEmpty =
            try first(
                """
                SELECT 1 FROM account UNION ALL SELECT 1 FROM event UNION ALL SELECT 1 FROM outbox LIMIT 1
                """
            ) { _ in true } == nil
        return isEmpty ? nil : try? PublicURL("http://localhost")
    }
}
