import LNURL
public import LightningCoding
import LightningCrypto

extension AccountSettings {
    /// The settings as stored in the ledger and shown by the admin interface. Amounts are in msat, `invoiceExpiry` in
    /// seconds; unset values are omitted.
    public var json: JSONValue {
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
    public init(json: JSONValue, defaultBackend: BackendName?) throws(SettingsFault) {
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
    public static let maximumSecretCount = 3071

    /// Checks the rules between settings.
    ///
    /// - Throws: the offending key.
    public func check() throws(SettingsFault) {
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
    public func requireStorable() throws(SettingsFault) {
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

/// Which key of an account's settings is invalid, and why.
public struct SettingsFault: Error, Hashable, Sendable {
    /// The key, as in the JSON form.
    public let key: String
    /// What is wrong with it.
    public let problem: Problem

    /// What is wrong with a key.
    public enum Problem: Hashable, Sendable {
        /// Not a JSON object.
        case notAnObject
        /// There is no such setting.
        case unknown
        /// The setting is required.
        case missing
        /// The value is not of this type.
        case wrongType(expected: String)
        /// The number is outside this range.
        case outOfRange(ClosedRange<UInt64>)
        /// The text is longer than this many characters.
        case tooLong(maximum: Int)
        /// The minimum exceeds the maximum.
        case aboveMaximum
        /// The text contains U+0000.
        case zero
        /// The text is malformed.
        case malformed
    }

    init(_ key: String, _ problem: Problem) {
        self.key = key
        self.problem = problem
    }
}

extension SettingsFault: JSONMemberFault {
    /// The key is missing, or of another type.
    public init(member path: String, _ problem: JSONMemberProblem) {
        switch problem {
        case .missing: self.init(path, .missing)
        case .notAnObject: self.init(path, .notAnObject)
        default: self.init(path, problem.expected.map { .wrongType(expected: $0) } ?? .malformed)
        }
    }
}
