package import ResponderModel

/// A table whose rows are copied from ledger to ledger. It has the same columns in every kind of ledger.
package struct LedgerTable: Hashable, Sendable {
    package let name: String
    /// The first is unique, and orders the rows.
    package let columns: [Column]
    /// Whether the first column is the ledger's own, and differs after a copy.
    package let isNumberedAnew: Bool
    /// Whether there is one row at the most.
    package let isSingle: Bool

    package struct Column: Hashable, Sendable {
        package let name: String
        package let type: ColumnType
    }

    package enum ColumnType: Hashable, Sendable {
        case integer
        case text
        case blob
    }

    private init(
        _ name: String, integers: String = "", texts: String = "", blobs: String = "", isNumberedAnew: Bool = false,
        isSingle: Bool = false
    ) {
        func columns(_ names: String, _ type: ColumnType) -> [Column] {
            names.split(separator: " ").map { Column(name: String($0), type: type) }
        }
        self.name = name
        self.columns = columns(integers, .integer) + columns(texts, .text) + columns(blobs, .blob)
        self.isNumberedAnew = isNumberedAnew
        self.isSingle = isSingle
    }

    private init(keyed name: String, by key: Column, integers: String = "", texts: String = "", blobs: String = "") {
        let others = LedgerTable(name, integers: integers, texts: texts, blobs: blobs)
        self.name = name
        columns = [key] + others.columns
        isNumberedAnew = false
        isSingle = false
    }

    /// The names of the columns, separated by commas.
    package var columnNames: String { columns.map(\.name).joined(separator: ", ") }

    package static let invoice = LedgerTable(
        "invoice",
        integers: "id account amount created_at expires_at settled_at received metadata_version",
        texts: "backend label bolt11 origin tag comment payer_data quantity payer_note payee_name",
        blobs: "payment_hash preimage offer bolt12", isNumberedAnew: true)

    package static let answeredRequest = LedgerTable(
        keyed: "answered_request", by: Column(name: "digest", type: .blob), integers: "expires_at",
        blobs: "payment_hash")

    /// What the numbers in other tables refer to, and the keys: by these a ledger is known.
    package static let identifying = all.filter {
        ["domain", "account", "account_version", "used_keys"].contains($0.name)
    }

    private static let backend = Column(name: "backend", type: .text)

    /// Every table, those first that others refer to. Instances, leases and rates belong to what runs, and are not copied.
    package static let all = [
        LedgerTable("domain", integers: "id is_main is_removed", texts: "name public_url settings"),
        LedgerTable("account", integers: "id domain version created_at is_removed", texts: "name settings"),
        LedgerTable("account_version", integers: "id account version created_at", texts: "metadata payer_data"),
        LedgerTable("service", integers: "id", texts: "public_url", isSingle: true),
        LedgerTable("accounts_revision", integers: "id revision", isSingle: true),
        invoice,
        LedgerTable(keyed: "used_challenge", by: Column(name: "bytes", type: .blob), integers: "expires_at"),
        answeredRequest,
        LedgerTable(
            "offer", integers: "id account maximum_payments created_at disabled_at disabled_at_node_at",
            texts: "origin backend", blobs: "offer_id records node_id"),
        LedgerTable(keyed: "backend_node", by: backend, blobs: "node_id"),
        LedgerTable(keyed: "settlement_cursor", by: backend, texts: "cursor"),
        LedgerTable(
            keyed: "skipped_settlement", by: Column(name: "digest", type: .blob), integers: "skipped_at",
            texts: "backend cursor reason", blobs: "payment_hash"),
        LedgerTable(keyed: "followed_span", by: backend, integers: "since until"),
        LedgerTable(
            "event", integers: "id received_at account",
            texts: "type envelope payload outcome answer steps delivery", blobs: "payment_hash"),
        LedgerTable(
            "outbox_entry", integers: "id account created_at deadline due_at attempts parked_at",
            texts: "work_id kind held_by failure subject", blobs: "payload"),
        LedgerTable("settlement_total", integers: "id count tells_all", isSingle: true),
        LedgerTable(
            "registration", integers: "id domain created_at refreshed_at version",
            texts: "name webhook offer", blobs: "public_key"),
        LedgerTable("kept_name", integers: "id domain since", texts: "name", blobs: "owner"),
        LedgerTable(
            keyed: "used_statement", by: Column(name: "digest", type: .blob), integers: "expires_at"),
        LedgerTable(
            "paid_invoice", integers: "id registration recorded_at", texts: "bolt11", blobs: "payment_hash preimage"),
        LedgerTable(
            keyed: "device_owner", by: Column(name: "owner", type: .blob), integers: "newest", texts: "preferences"),
        LedgerTable(
            "device",
            integers: """
                id address_since registered_at last_contact dropped_at last_wake wake_due stored_sequence stored_until \
                unanswered
                """, texts: "install locale platform environment token drop_reason",
            blobs: "device_id owner secret_hash encryption_key address_digest"),
        LedgerTable(
            "device_message", integers: "id sequence created_at expires_at read_at",
            texts: "message_id type priority title body link_type link_target", blobs: "owner"),
        LedgerTable("device_pending", integers: "id device message"),
        LedgerTable(keyed: "woken_address", by: Column(name: "digest", type: .blob), integers: "woken_at"),
        LedgerTable(keyed: "device_statement", by: Column(name: "digest", type: .blob), integers: "signed_at"),
        LedgerTable(
            keyed: "provider_token", by: Column(name: "signer", type: .text), integers: "issued_at renew_at",
            texts: "token"),
        LedgerTable("used_keys", integers: "id", blobs: "fingerprint", isSingle: true),
    ]
}

extension StoredRow {
    /// The columns of a table, in its order.
    package func columns(of table: LedgerTable) throws(LedgerFault) -> [StoredValue] {
        let values = try values(table.columns.count)
        for (value, column) in zip(values, table.columns) where !value.isOf(column.type) {
            throw .corrupt("unexpected value in \(column.name)")
        }
        return values
    }
}

extension StoredValue {
    fileprivate func isOf(_ type: LedgerTable.ColumnType) -> Bool {
        switch (self, type) {
        case (.null, _), (.integer, .integer), (.text, .text), (.blob, .blob): true
        default: false
        }
    }
}
