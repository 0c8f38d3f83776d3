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
    package func values() -> [StoredValue] { [.blob(key.bytes), .text(domain.text)] }

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
    /// The columns that `init(_:)` reads.
    package static let columns = """
        registration.public_key, domain.name AS domain, registration.name, registration.webhook, registration.offer,
        registration.created_at, registration.refreshed_at, registration.version
        """

    package static let table = "registration JOIN domain ON domain.id = registration.domain"

    /// For a key and its domain.
    package static let byKey = """
        SELECT \(columns) FROM \(table) WHERE registration.public_key = $1 AND domain.name = $2
        """

    /// For a name and its domain.
    package static let byName = "SELECT \(columns) FROM \(table) WHERE registration.name = $1 AND domain.name = $2"

    /// The columns after the domain and before the version, in the order of `values`.
    package static let others = "public_key, name, webhook, offer, created_at, refreshed_at"

    /// What is written when the key is registered already.
    package static let replacement = """
        name = excluded.name, webhook = excluded.webhook, offer = excluded.offer,
        refreshed_at = excluded.refreshed_at, version = excluded.version
        """

    package func values() throws(LedgerFault) -> [StoredValue] {
        [
            .blob(id.key.bytes), .optionalText(name?.text), .optionalText(webhook?.text), .optionalText(offer),
            try .time(createdAt), try .time(refreshedAt),
        ]
    }

    package init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            id: RegistrationID(
                try row.blob("public_key") { try PublicKey($0) }, at: try row.text("domain") { try DomainName($0) }),
            name: try row.optionalText("name") { try AddressName($0) },
            webhook: try row.optionalText("webhook") { try WebhookURL($0) },
            offer: try row.optionalText("offer"),
            createdAt: try row.time("created_at"),
            refreshedAt: try row.time("refreshed_at"),
            version: try row.unsigned("version"))
    }
}

extension NameState {
    /// A query for whom a name belongs to, in one row, with the columns that `init(_:)` reads.
    ///
    /// - Parameters:
    ///   - name: the placeholder of the name.
    ///   - domain: the placeholder of the domain's number, or a query for it.
    package static func query(_ name: String, _ domain: String) -> String {
        """
        SELECT (SELECT id FROM account WHERE domain = \(domain) AND name = \(name)) AS account,
            (SELECT public_key FROM registration WHERE domain = \(domain) AND name = \(name)) AS registered,
            (SELECT since FROM kept_name WHERE domain = \(domain) AND name = \(name)) AS since,
            (SELECT owner FROM kept_name WHERE domain = \(domain) AND name = \(name)) AS owner
        """
    }

    package init(_ row: some StoredRow) throws(LedgerFault) {
        self =
            if try !row.isNull("account") {
                .account
            } else if try !row.isNull("registered") {
                .registered(try row.blob("registered") { try PublicKey($0) })
            } else if try row.isNull("since") {
                .free
            } else if try row.isNull("owner") {
                .reserved
            } else {
                .held(for: try row.blob("owner") { OwnerDigest($0) }, since: try row.time("since"))
            }
    }
}

extension PaidInvoice {
    /// The hash, the preimage and the invoice.
    package func values() -> [StoredValue] {
        [.blob(paymentHash.bytes), .blob(preimage.bytes), .text(bolt11)]
    }

    package init(_ paymentHash: PaymentHash, _ row: some StoredRow) throws(LedgerFault) {
        self.init(
            paymentHash: paymentHash, preimage: try row.blob("preimage") { try Preimage($0) },
            bolt11: try row.text("bolt11"))
    }
}
