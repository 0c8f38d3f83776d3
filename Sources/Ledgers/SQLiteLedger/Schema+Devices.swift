extension Schema {
    /// Devices, the messages that their owners are told, and which of them a device has not shown yet. A device whose
    /// address was lost is kept for a while, without the address.
    static let devices = Migration("devices", sql: deviceTables)

    /// When addresses were last woken whose devices were removed since, and when the newest statements were signed.
    static let wokenAddresses = """
        CREATE TABLE woken_address (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
            woken_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE device_statement (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
            signed_at INTEGER NOT NULL
        ) STRICT;

        CREATE INDEX device_statement_by_time ON device_statement (signed_at);
        CREATE INDEX device_by_contact ON device (last_contact);
        """

    private static let deviceTables = """
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
        """
}
