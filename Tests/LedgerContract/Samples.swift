import Bolt11
import LNURL
package import LightningCoding
package import LightningCrypto
package import ResponderModel

/// Sample entries for a ledger: valid, and different by their number.
package enum Sample {
    /// The moment that sample times count from.
    package static let start = UnixTime(1_790_000_000)

    /// The account of most entries.
    package static func alice() throws -> AccountID { try account("alice") }

    /// The account of that name in the main domain.
    package static func account(_ name: String) throws -> AccountID { try AccountID("\(name)@example.com") }

    /// The main domain.
    package static func domain() throws -> Domain {
        Domain(publicURL: try PublicURL("https://example.com"), isMain: true)
    }

    /// The metadata of an account with that description.
    package static func metadata(_ description: String) -> String {
        #"[["text/plain","\#(description)"],["text/identifier","alice@example.com"]]"#
    }

    /// Settings with all optional values set.
    package static func settings(_ description: String = "For alice") -> AccountSettings {
        var settings = AccountSettings(description: description, backend: .embedded)
        settings.longDescription = "Long, with \"quotes\", a / and ⚡️"
        settings.minSendable = Millisatoshi(1)
        settings.maxSendable = Millisatoshi(10_000_000_000)
        settings.commentAllowed = 100
        settings.invoiceExpiry = 300
        return settings
    }

    /// The preimage with that number.
    package static func preimage(_ number: UInt64) throws -> Preimage {
        try Preimage(SHA256.hash(withUnsafeBytes(of: number.bigEndian) { Array($0) }))
    }

    /// The challenge with that number, which expires ten minutes after the start.
    package static func challenge(_ number: UInt8) -> UsedChallenge {
        UsedChallenge(bytes: Array(repeating: number, count: 32), expiresAt: start.adding(seconds: 600))
    }

    /// An invoice over `number` satoshi, issued `number` seconds after the start, with a valid BOLT11 text.
    package static func invoice(
        _ number: UInt64,
        for account: AccountID? = nil,
        at backend: BackendName = .embedded,
        label: String? = nil,
        words: InvoiceOrigin.PayerWords = InvoiceOrigin.PayerWords(metadataVersion: 1),
        committingTo text: String? = nil
    ) throws -> IssuedInvoice {
        let stored = metadata("For alice")
        let shown = words.tag.map { PayMetadata.adding(tag: $0, to: stored) } ?? stored
        let draft = Bolt11Draft(
            network: .regtest,
            amount: try Millisatoshi(satoshi: number),
            timestamp: start.adding(seconds: number),
            paymentHash: try preimage(number).paymentHash,
            paymentSecret: try PaymentSecret(Array(repeating: 7, count: 32)),
            description: .hash(SHA256.hash(Array((text ?? shown).utf8))),
            expiry: 300
        )
        let invoice = try draft.signed(by: SecretKey(Array(repeating: 1, count: 32)))
        return IssuedInvoice(
            paymentHash: invoice.paymentHash,
            account: try account ?? alice(),
            backend: backend,
            label: label ?? "label \(number)",
            bolt11: invoice.text,
            amount: try Millisatoshi(satoshi: number),
            createdAt: draft.timestamp,
            expiresAt: invoice.expiresAt,
            origin: .lnurl(words)
        )
    }

    /// The key of the node with that number, from 1.
    package static func node(_ number: UInt8) throws -> PublicKey {
        try SecretKey(Array(repeating: number, count: 32)).publicKey
    }

    /// The settlement of the invoice with that number, `number` + 100 seconds after the start.
    package static func settlement(
        _ number: UInt64, cursor: String = "1", offered: OfferedPayment? = nil
    ) throws -> Settlement {
        Settlement(
            paymentHash: try preimage(number).paymentHash,
            preimage: try preimage(number),
            received: Millisatoshi(number * 1000 + 5),
            settledAt: start.adding(seconds: number + 100),
            cursor: SettlementCursor(cursor),
            offered: offered
        )
    }
}

extension Ledger {
    /// Adds an account in its state at the start, and the main domain if there is none.
    @discardableResult
    package func put(_ name: String, _ description: String = "For alice") async throws -> Account {
        if try await mainDomain() == nil { _ = try await putMainDomain(at: HTTPURL("https://example.com")) }
        return try await putAccount(
            named: Sample.account(name), settings: Sample.settings(description), metadata: Sample.metadata(description),
            at: Sample.start
        )
    }
}
