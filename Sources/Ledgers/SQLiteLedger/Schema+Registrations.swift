extension Schema {
    /// Registrations of app users, the names kept from others, and the statements that were used.
    ///
    /// A name that was given up is kept with a digest of its owner's key. One without an owner is reserved.
    static let registrations = Migration("registrations", sql: registrationTables)

    private static let registrationTables = """
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

        CREATE TABLE registration_version (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            version INTEGER NOT NULL
        ) STRICT;

        INSERT INTO registration_version (id, version) VALUES (1, 0);

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
            id INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            expires_at INTEGER NOT NULL
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
}
