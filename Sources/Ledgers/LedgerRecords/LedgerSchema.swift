/// The tables that are the same in every database, in SQLite's words. Times are seconds since 1970, amounts msat. Names sort
/// by their bytes. Each database adds those whose rows it finds or locks in its own way: invoices and answered
/// requests.
package enum LedgerSchema {
    package static let tables = accounts + offers + backends + outbox + registrations + devices + instances

    /// The columns of an invoice after its id. A quantity may be any 64-bit number, which an INTEGER cannot hold, and is
    /// stored as decimal text.
    package static let invoiceColumns = """
        account INTEGER NOT NULL,
        amount INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        settled_at INTEGER,
        received INTEGER,
        metadata_version INTEGER,
        payment_hash BLOB NOT NULL CHECK (length(payment_hash) = 32),
        backend TEXT NOT NULL,
        label TEXT NOT NULL,
        bolt11 TEXT NOT NULL,
        preimage BLOB CHECK (length(preimage) = 32),
        origin TEXT NOT NULL,
        tag TEXT,
        comment TEXT,
        payer_data TEXT,
        offer BLOB CHECK (length(offer) = 32),
        bolt12 BLOB,
        quantity TEXT,
        payer_note TEXT,
        payee_name TEXT,
        CONSTRAINT settled_as_a_whole CHECK (
            (settled_at IS NULL) = (received IS NULL) AND (settled_at IS NULL) = (preimage IS NULL)
        )
        """

    /// What is removed keeps its row: the versions of an account continue if it is added again.
    private static let accounts = """
        CREATE TABLE domain (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            public_url TEXT NOT NULL,
            settings TEXT NOT NULL,
            is_main INTEGER NOT NULL CHECK (is_main IN (0, 1)),
            is_removed INTEGER NOT NULL DEFAULT 0 CHECK (is_removed IN (0, 1))
        ) STRICT;
        CREATE UNIQUE INDEX domain_main ON domain (is_main) WHERE is_main = 1;

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

        CREATE TABLE accounts_revision (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL) STRICT;
        INSERT INTO accounts_revision (id, revision) VALUES (1, 0);

        CREATE TABLE service (id INTEGER PRIMARY KEY CHECK (id = 1), public_url TEXT NOT NULL) STRICT;

        CREATE TABLE used_keys (
            id INTEGER PRIMARY KEY CHECK (id = 1), fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32)
        ) STRICT;

        """

    /// For an offer made by a node: which node, and whether it has disabled the offer.
    private static let offers = """
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

        CREATE TABLE used_challenge (bytes BLOB NOT NULL PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT;
        CREATE INDEX used_challenge_by_expiry ON used_challenge (expires_at);

        """

    /// The node that the cursor and invoices of a backend belong to, how long its settlements have been followed without a
    /// gap, and the payments that were passed over.
    private static let backends = """
        CREATE TABLE backend_node (
            backend TEXT NOT NULL PRIMARY KEY, node_id BLOB NOT NULL CHECK (length(node_id) = 33)
        ) STRICT;
        CREATE TABLE settlement_cursor (backend TEXT NOT NULL PRIMARY KEY, cursor TEXT NOT NULL) STRICT;
        CREATE TABLE followed_span (
            backend TEXT NOT NULL PRIMARY KEY, since INTEGER NOT NULL, until INTEGER NOT NULL
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

        CREATE TABLE unfinished_copy (id INTEGER PRIMARY KEY CHECK (id = 1), source TEXT NOT NULL) STRICT;

        """

    /// Claimed work is due when the claim expires, so that one index tells both what can be claimed and when to look again.
    /// Work without an account has 0 there. What work is about is a path, by which it is counted. No event or work refers to its account by a key: in PostgreSQL the account's row would be
    /// locked each time.
    private static let outbox = """
        CREATE TABLE event (
            id INTEGER PRIMARY KEY,
            received_at INTEGER NOT NULL,
            account INTEGER NOT NULL,
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
            failure TEXT,
            subject TEXT
        ) STRICT;
        CREATE INDEX outbox_due ON outbox_entry (kind, due_at) WHERE parked_at IS NULL;
        CREATE INDEX outbox_parked ON outbox_entry (kind, deadline) WHERE parked_at IS NOT NULL;
        CREATE INDEX outbox_by_account ON outbox_entry (kind, account, due_at) WHERE parked_at IS NULL;
        CREATE INDEX outbox_held ON outbox_entry (kind, account) WHERE held_by IS NOT NULL;
        CREATE INDEX outbox_by_subject ON outbox_entry (kind, subject) WHERE subject IS NOT NULL;

        CREATE TABLE settlement_total (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            count INTEGER NOT NULL,
            tells_all INTEGER NOT NULL CHECK (tells_all IN (0, 1))
        ) STRICT;
        INSERT INTO settlement_total (id, count, tells_all) VALUES (1, 0, 0);

        """

    /// Registrations of app users, the names kept from others, and the statements that were used. A name that was given up
    /// is kept with a digest of its owner's key; one without an owner is reserved.
    private static let registrations = """
        CREATE TABLE registration (
            id INTEGER PRIMARY KEY,
            domain INTEGER NOT NULL REFERENCES domain (id),
            public_key BLOB NOT NULL CHECK (length(public_key) = 33),
            name TEXT,
            webhook TEXT,
            offer TEXT,
            created_at INTEGER NOT NULL,
            refreshed_at INTEGER NOT NULL,
            version INTEGER NOT NULL,
            UNIQUE (domain, public_key),
            UNIQUE (domain, name)
        ) STRICT;
        CREATE INDEX registration_by_refresh ON registration (refreshed_at);

        CREATE TABLE kept_name (
            id INTEGER PRIMARY KEY,
            domain INTEGER NOT NULL REFERENCES domain (id),
            name TEXT NOT NULL,
            owner BLOB CHECK (length(owner) = 32),
            since INTEGER NOT NULL,
            UNIQUE (domain, name)
        ) STRICT;
        CREATE INDEX kept_name_by_owner ON kept_name (domain, owner, since) WHERE owner IS NOT NULL;
        CREATE INDEX kept_name_by_time ON kept_name (since) WHERE owner IS NOT NULL;

        CREATE TABLE used_statement (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32), expires_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX used_statement_by_expiry ON used_statement (expires_at);

        CREATE TABLE paid_invoice (
            id INTEGER PRIMARY KEY,
            registration INTEGER NOT NULL REFERENCES registration (id) ON DELETE CASCADE,
            payment_hash BLOB NOT NULL CHECK (length(payment_hash) = 32),
            preimage BLOB NOT NULL CHECK (length(preimage) = 32),
            bolt11 TEXT NOT NULL,
            recorded_at INTEGER NOT NULL,
            UNIQUE (registration, payment_hash)
        ) STRICT;
        CREATE INDEX paid_invoice_by_time ON paid_invoice (recorded_at);
        CREATE INDEX paid_invoice_of_registration ON paid_invoice (registration, id);

        """

    /// Devices, the messages that their owners are told, and which of them a device has not shown yet. A device whose
    /// address was lost is kept for a while, without the address. When addresses were last woken whose devices were removed
    /// since, and when the newest statements were signed. And the tokens with which providers of pushes are asked.
    private static let devices = """
        CREATE TABLE device_owner (
            owner BLOB NOT NULL PRIMARY KEY CHECK (length(owner) = 33),
            newest INTEGER NOT NULL,
            preferences TEXT
        ) STRICT;

        CREATE TABLE device (
            id INTEGER PRIMARY KEY,
            device_id BLOB NOT NULL UNIQUE CHECK (length(device_id) = 16),
            owner BLOB NOT NULL REFERENCES device_owner (owner),
            install TEXT NOT NULL,
            secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
            encryption_key BLOB CHECK (length(encryption_key) = 33),
            locale TEXT,
            platform TEXT NOT NULL,
            environment TEXT NOT NULL,
            token TEXT CHECK ((token IS NULL) = (dropped_at IS NOT NULL)),
            address_digest BLOB UNIQUE CHECK (length(address_digest) = 32),
            address_since INTEGER NOT NULL,
            registered_at INTEGER NOT NULL,
            last_contact INTEGER NOT NULL,
            dropped_at INTEGER,
            drop_reason TEXT,
            last_wake INTEGER,
            wake_due INTEGER,
            stored_sequence INTEGER,
            stored_until INTEGER,
            unanswered INTEGER NOT NULL,
            UNIQUE (owner, install)
        ) STRICT;
        CREATE INDEX device_to_wake ON device (wake_due) WHERE wake_due IS NOT NULL;
        CREATE INDEX device_dropped ON device (dropped_at) WHERE dropped_at IS NOT NULL;

        CREATE TABLE device_message (
            id INTEGER PRIMARY KEY,
            message_id TEXT NOT NULL,
            owner BLOB NOT NULL REFERENCES device_owner (owner),
            sequence INTEGER NOT NULL,
            type TEXT NOT NULL,
            priority TEXT NOT NULL,
            title TEXT NOT NULL,
            body TEXT NOT NULL,
            link_type TEXT,
            link_target TEXT,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            read_at INTEGER,
            UNIQUE (owner, message_id),
            UNIQUE (owner, sequence)
        ) STRICT;
        CREATE INDEX device_message_unread ON device_message (owner, sequence) WHERE read_at IS NULL;
        CREATE INDEX device_message_by_time ON device_message (created_at);

        CREATE TABLE device_pending (
            id INTEGER PRIMARY KEY,
            device INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
            message INTEGER NOT NULL REFERENCES device_message (id) ON DELETE CASCADE,
            UNIQUE (device, message)
        ) STRICT;
        CREATE INDEX device_pending_by_message ON device_pending (message);

        CREATE TABLE woken_address (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32), woken_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE device_statement (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32), signed_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX device_statement_by_time ON device_statement (signed_at);
        CREATE INDEX device_by_contact ON device (last_contact);

        CREATE TABLE provider_token (
            signer TEXT NOT NULL PRIMARY KEY,
            token TEXT NOT NULL,
            issued_at INTEGER NOT NULL,
            renew_at INTEGER NOT NULL
        ) STRICT;
        """

    /// Which instances serve the ledger, and what each of them holds. A lease without a holder was given back.
    private static let instances = """
        CREATE TABLE instance (
            instance_id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            process INTEGER NOT NULL,
            version TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            payers TEXT NOT NULL,
            admin TEXT NOT NULL,
            keys BLOB NOT NULL CHECK (length(keys) = 32),
            seen_at INTEGER NOT NULL,
            public_url TEXT,
            tells_settlements INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        CREATE TABLE lease (
            name TEXT NOT NULL PRIMARY KEY, epoch INTEGER NOT NULL, holder TEXT, until INTEGER NOT NULL
        ) STRICT;

        """
}
