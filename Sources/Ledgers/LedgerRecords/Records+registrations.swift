import LNURL
package import LightningCoding
package import LightningCrypto
package import ResponderModel

extension UnixTime {
    /// The moment so many seconds before; 1970 at the earliest.
    package func earlier(by seconds: UInt64) -> UnixTime { UnixTime(self.seconds(since: UnixTime(seconds))) }
}

extension RegistrationID {
    /// The parameters of a statement that names a registration: its key and its domain.
    package func values<Value: StoredValue>() -> [Value] { [.blob(key.bytes), .text(domain.text)] }

    /// A query for a registration's number, or NULL when there is none.
    ///
    /// - Parameters:
    ///   - key: the placeholder of the key.
    ///   - domain: the placeholder of the domain's name.
    package static func number(_ key: String, _ domain: String) -> String {
        """
        (SELECT registration.id FROM domain JOIN registration ON registration.domain = domain.id
        WHERE domain.name = \(domain) AND registration.public_key = \(key))
        """
    }
}

extension Registration {
    /// Selects registrations, with the columns that `init(_:)` reads and behind them the number; to be continued with
    /// `WHERE`.
    package static let query = """
        SELECT registration.public_key, domain.name, registration.name, registration.webhook, registration.offer,
            registration.created_at, registration.refreshed_at, registration.version, registration.id
        FROM registration JOIN domain ON domain.id = registration.domain
        """

    /// How many columns `init(_:)` reads.
    package static let columnCount: Int32 = 8

    /// The columns after the domain and before the version, in the order of `values`.
    package static let columns = "public_key, name, webhook, offer, created_at, refreshed_at"

    /// What is written when the key is registered already.
    package static let replacement = """
        name = excluded.name, webhook = excluded.webhook, offer = excluded.offer,
        refreshed_at = excluded.refreshed_at, version = excluded.version
        """

    package func values<Value: StoredValue>() throws(Value.Fault) -> [Value] {
        [
            .blob(id.key.bytes), .optionalText(name?.text), .optionalText(webhook?.text), .optionalText(offer),
            try .time(createdAt), try .time(refreshedAt),
        ]
    }

    package init<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        self.init(
            id: RegistrationID(try row.blob(0) { try PublicKey($0) }, at: try row.text(1) { try DomainName($0) }),
            name: row.isNull(2) ? nil : try row.text(2) { try AddressName($0) },
            webhook: row.isNull(3) ? nil : try row.text(3) { try WebhookURL($0) },
            offer: try row.optionalText(4),
            createdAt: try row.time(5),
            refreshedAt: try row.time(6),
            version: try row.unsigned(7))
    }
}

extension NameStanding {
    /// A query for whom a name belongs to, in one row, with the columns that `init(_:)` reads.
    ///
    /// - Parameters:
    ///   - name: the placeholder of the name.
    ///   - domain: the placeholder of the domain's number, or a query for it.
    package static func query(_ name: String, _ domain: String) -> String {
        """
        SELECT (SELECT id FROM account WHERE domain = \(domain) AND name = \(name)),
            (SELECT public_key FROM registration WHERE domain = \(domain) AND name = \(name)),
            (SELECT since FROM kept_name WHERE domain = \(domain) AND name = \(name)),
            (SELECT owner FROM kept_name WHERE domain = \(domain) AND name = \(name))
        """
    }

    package init<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        self =
            if !row.isNull(0) {
                .account
            } else if !row.isNull(1) {
                .registered(try row.blob(1) { try PublicKey($0) })
            } else if row.isNull(2) {
                .free
            } else if row.isNull(3) {
                .reserved
            } else {
                .held(for: try row.blob(3) { OwnerDigest($0) }, since: try row.time(2))
            }
    }
}

extension PaidInvoice {
    /// The hash, the preimage and the invoice.
    package func values<Value: StoredValue>() -> [Value] {
        [.blob(paymentHash.bytes), .blob(preimage.bytes), .text(bolt11)]
    }

    /// Reads the preimage and the invoice.
    package init<Row: StoredRow & ~Copyable>(_ paymentHash: PaymentHash, _ row: borrowing Row) throws(Row.Fault) {
        self.init(
            paymentHash: paymentHash, preimage: try row.blob(0) { try Preimage($0) },
            bolt11: try row.text(1))
    }
}
