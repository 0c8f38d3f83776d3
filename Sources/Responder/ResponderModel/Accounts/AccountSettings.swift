package import LNURL
package import LightningCoding
package import LightningCrypto

package struct AccountSettings: Hashable, Sendable {
    /// The short text that every wallet shows (`text/plain`).
    package var description: String
    /// The longer text (`text/long-desc`, LUD-20).
    package var longDescription: String?
    /// The picture (`image/png;base64`, `image/jpeg;base64`).
    package var image: PayMetadata.Image?
    /// Whether the address is also a mailbox and is listed as `text/email` instead of `text/identifier` (LUD-16).
    package var isMailbox: Bool
    /// The minimum amount, in msat; nil is the domain's, or else ``usualMinimum``, or more where the node asks for more.
    package var minSendable: Millisatoshi?
    /// The maximum amount, in msat; nil leaves it to the node.
    package var maxSendable: Millisatoshi?
    /// The maximum length of a comment, in characters (LUD-12); 0 disables comments.
    package var commentAllowed: Int
    /// What payers are asked about themselves (LUD-18); `k1` is unset, since each response gets its own.
    package var payerData: PayerDataSpec
    /// What a wallet does after the payment (LUD-09, LUD-10).
    package var successAction: AccountSuccessAction
    /// How long an invoice can be paid, in seconds.
    package var invoiceExpiry: UInt64
    package var backend: BackendName
    /// Where payments to this account are reported instead of the service-wide webhook; nil uses that one.
    package var settlementWebhook: SettlementWebhook?
    /// Whose devices are told of payments: the node key with which a wallet registers them; nil for nobody's.
    package var owner: PublicKey?

    package static let commentRange: ClosedRange<UInt64> = 0...2_000
    /// The allowed range of `invoiceExpiry`, in seconds: a minute to a week.
    package static let invoiceExpiryRange: ClosedRange<UInt64> = 60...604_800
    /// The minimum amount where nobody has said another: a sat.
    package static let usualMinimum = Millisatoshi(1000)
    /// The allowed range of `minSendable` and `maxSendable`, in msat.
    package static let amountRange: ClosedRange<UInt64> = 1...Millisatoshi.maximum.msat

    /// Default settings: a description, comments of 255 characters, invoices of ten minutes.
    package init(description: String, backend: BackendName) {
        self.description = description
        self.backend = backend
        longDescription = nil
        image = nil
        isMailbox = false
        minSendable = nil
        maxSendable = nil
        commentAllowed = 255
        payerData = PayerDataSpec([:])
        successAction = .none
        invoiceExpiry = 600
        settlementWebhook = nil
        owner = nil
    }
}

/// What a wallet does once it has paid, as set by the owner of an account.
package enum AccountSuccessAction: Hashable, Sendable {
    /// Nothing; for wallets that do not handle actions.
    case none
    /// Show a text (LUD-09).
    case message(ActionText)
    /// Offer a link on the host that serves the callback (LUD-09).
    case url(ActionLink)
    /// Reveal a text that is encrypted with the preimage (LUD-10). Only for backends that accept our preimage.
    case secret(String, description: ActionText)

    /// Whether the invoice must be made with a preimage of our choice.
    package var needsPreimage: Bool {
        if case .secret = self { true } else { false }
    }
}

/// Where an operator receives reports of payments, and the secret that signs them.
package struct SettlementWebhook: Hashable, Sendable {
    package let url: HTTPURL
    /// The path of a file (mode 0600) with the signing secret: `whsec_` and base64, as in Standard Webhooks.
    package let secretFile: String

    package init(url: HTTPURL, secretFile: String) {
        self.url = url
        self.secretFile = secretFile
    }
}

extension AccountSettings {
    /// The settings as stored in the ledger and shown by the admin interface. Amounts are in msat, `invoiceExpiry` in
    /// seconds; unset values are omitted.
    package var json: JSONValue {
        var object = JSONObject()
        object["description"] = .string(description)
        object["longDescription"] = longDescription.map(JSONValue.string)
        object["image"] = image.map { ["format": .string($0.format.rawValue), "base64": .string($0.base64)] }
        if isMailbox { object["mailbox"] = true }
        object["minSendable"] = minSendable.map { .unsigned($0.msat) }
        object["maxSendable"] = maxSendable.map { .unsigned($0.msat) }
        object["commentAllowed"] = .integer(commentAllowed)
        if !payerData.requirements.isEmpty { object["payerData"] = payerData.setting }
        object["successAction"] = successAction.setting
        object["invoiceExpiry"] = .unsigned(invoiceExpiry)
        object["backend"] = .string(backend.description)
        object["settlementWebhook"] = settlementWebhook.map {
            ["url": .string($0.url.text), "secretFile": .string($0.secretFile)]
        }
        object["owner"] = owner.map { .string($0.hexadecimal) }
        return .object(object)
    }

    /// Reads settings; missing keys keep their defaults.
    ///
    /// - Parameter defaultBackend: the receiving node when the settings name none; nil makes the key mandatory.
    /// - Throws: the first key that is unknown, of the wrong type or invalid.
    package init(json: JSONValue, defaultBackend: BackendName?) throws(SettingsFault) {
        var reader = try SettingsReader(json)
        self.init(
            description: try reader.required("description", try reader.text("description")),
            backend: try reader.required("backend", try reader.backend("backend") ?? defaultBackend)
        )
        longDescription = try reader.text("longDescription")
        image = try reader.image("image")
        isMailbox = try reader.flag("mailbox") ?? false
        minSendable = try reader.amount("minSendable")
        maxSendable = try reader.amount("maxSendable")
        commentAllowed = try reader.integer("commentAllowed", in: Self.commentRange).map(Int.init) ?? commentAllowed
        payerData = try reader.payerData("payerData")
        successAction = try reader.successAction("successAction")
        invoiceExpiry = try reader.integer("invoiceExpiry", in: Self.invoiceExpiryRange) ?? invoiceExpiry
        settlementWebhook = try reader.settlementWebhook("settlementWebhook")
        owner = try reader.publicKey("owner")
        try reader.finish()
        try check()
    }

    /// The longest text of a LUD-10 action, in bytes: padding takes at least one byte of what 4096 characters hold.
    package static let maximumSecretCount = 3071

    /// Checks the rules between settings.
    ///
    /// - Throws: the offending key.
    package func check() throws(SettingsFault) {
        try Self.check("minSendable", minSendable?.msat, in: Self.amountRange)
        try Self.check("maxSendable", maxSendable?.msat, in: Self.amountRange)
        try Self.check("commentAllowed", UInt64(exactly: commentAllowed) ?? .max, in: Self.commentRange)
        try Self.check("invoiceExpiry", invoiceExpiry, in: Self.invoiceExpiryRange)
        if let minSendable, let maxSendable, minSendable > maxSendable {
            throw SettingsFault("minSendable", .aboveMaximum)
        }
        if case .secret(let text, _) = successAction, text.utf8.count > Self.maximumSecretCount {
            throw SettingsFault("successAction.secret", .tooLong(maximum: Self.maximumSecretCount))
        }
    }

    /// Checks that every ledger can store the texts: none contains U+0000, which PostgreSQL does not have.
    ///
    /// - Throws: the first key with such a text.
    package func requireStorable() throws(SettingsFault) {
        for member in json.object?.members ?? [] where member.value.containsZero {
            throw SettingsFault(member.key, .zero)
        }
    }

    private static func check(
        _ key: String, _ value: UInt64?, in range: ClosedRange<UInt64>
    ) throws(SettingsFault) {
        guard value.map(range.contains) ?? true else { throw SettingsFault(key, .outOfRange(range)) }
    }
}

package struct SettingsFault: Error, Hashable, Sendable {
    /// The key, as in the JSON form.
    package let key: String
    package let problem: Problem

    package enum Problem: Hashable, Sendable {
        case notAnObject
        case unknown
        case missing
        case wrongType(expected: String)
        case outOfRange(ClosedRange<UInt64>)
        case tooLong(maximum: Int)
        case aboveMaximum
        case zero
        case malformed
    }

    init(_ key: String, _ problem: Problem) {
        self.key = key
        self.problem = problem
    }
}

extension SettingsFault: JSONMemberFault {
    package init(member path: String, _ problem: JSONMemberProblem) {
        switch problem {
        case .missing: self.init(path, .missing)
        case .notAnObject: self.init(path, .notAnObject)
        default: self.init(path, problem.expected.map { .wrongType(expected: $0) } ?? .malformed)
        }
    }
}
