public import LightningCoding

/// The request for an invoice: the parameters of the callback (LUD-06, LUD-12, LUD-18, NIP-57).
public struct CallbackQuery: Hashable, Sendable {
    /// The amount to pay, in msat.
    public let amount: Millisatoshi
    /// The payer's comment, never empty.
    public let comment: String?
    /// The payer data as received after one URL-decoding: a JSON text.
    public let payerData: String?
    /// The zap request as received after one URL-decoding: a JSON text, whose bytes an invoice may commit to (NIP-57).
    public let nostr: String?

    /// Creates a request. Empty texts count as none.
    public init(amount: Millisatoshi, comment: String? = nil, payerData: String? = nil, nostr: String? = nil) {
        self.amount = amount
        self.comment = comment.flatMap { $0.isEmpty ? nil : $0 }
        self.payerData = payerData.flatMap { $0.isEmpty ? nil : $0 }
        self.nostr = nostr.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Parses the decoded parameters of a GET. The amount must be digits only, given once; unknown parameters (`nonce`,
    /// `lnurl`) are ignored.
    public init(items: [(name: String, value: String)]) throws(CallbackFault) {
        try self.init(Parameters(items: items))
    }

    /// Parses a POST (LUD-26): the parameters in its JSON body, combined with those of the callback's own query.
    public init(items: [(name: String, value: String)] = [], body: JSONValue) throws(CallbackFault) {
        var parameters = try Parameters(items: items)
        try parameters.add(body: body)
        try self.init(parameters)
    }

    private init(_ parameters: Parameters) throws(CallbackFault) {
        guard let amount = parameters[.amount] else { throw .amountMissing }
        self.init(
            amount: try Self.amount(amount),
            comment: parameters[.comment],
            payerData: parameters[.payerData],
            nostr: parameters[.nostr]
        )
    }

    private static func amount(_ text: String) throws(CallbackFault) -> Millisatoshi {
        guard text.isDigits else { throw .amountNotDigits }
        guard let msat = UInt64(text), msat <= UInt64(Int64.max) else { throw .amountTooLarge }
        guard msat > 0 else { throw .amountZero }
        return Millisatoshi(msat)
    }

    /// The callback with this request appended to its query.
    public func url(on callback: HTTPURL) -> HTTPURL {
        callback.appendingQuery(items)
    }

    /// The request as the JSON body of a POST (LUD-26).
    public var body: JSONValue {
        var object: JSONObject = ["amount": .unsigned(amount.msat)]
        for item in items.dropFirst() { object.append(item.name, .string(item.value)) }
        return .object(object)
    }

    /// The parameters, the amount first.
    private var items: [(name: String, value: String)] {
        var items = [(name: CallbackFault.Parameter.amount.rawValue, value: String(amount.msat))]
        if let comment { items.append((CallbackFault.Parameter.comment.rawValue, comment)) }
        if let payerData { items.append((CallbackFault.Parameter.payerData.rawValue, payerData)) }
        if let nostr { items.append((CallbackFault.Parameter.nostr.rawValue, nostr)) }
        return items
    }
}

/// The known parameters, each at most once.
private struct Parameters {
    private var values: [CallbackFault.Parameter: String] = [:]

    init(items: [(name: String, value: String)]) throws(CallbackFault) {
        for item in items {
            guard let parameter = CallbackFault.Parameter(exactly: item.name) else { continue }
            try add(parameter, item.value)
        }
    }

    mutating func add(body: JSONValue) throws(CallbackFault) {
        guard let object = body.object else { throw .bodyNotAnObject }
        for member in object.members {
            guard let parameter = CallbackFault.Parameter(exactly: member.key), !member.value.isNull else { continue }
            switch member.value {
            case .string(let text): try add(parameter, text)
            case .number(let number) where parameter == .amount: try add(parameter, number.literal)
            default: throw .malformed(parameter)
            }
        }
    }

    private mutating func add(_ parameter: CallbackFault.Parameter, _ value: String) throws(CallbackFault) {
        guard !value.utf8.contains(0) else { throw .zero(parameter) }
        guard values.updateValue(value, forKey: parameter) == nil else { throw .repeated(parameter) }
    }

    subscript(_ parameter: CallbackFault.Parameter) -> String? { values[parameter] }
}

/// A payer's comment (LUD-12) and its length in user-perceived characters.
public enum Comment {
    /// The most UTF-8 bytes for each character that is allowed: the longest emoji of Unicode's recommended set has
    /// 35. Otherwise marks piled on one letter would count as one character of any length.
    public static let maximumBytesPerCharacter = 40

    /// Whether a text has at most this many characters.
    ///
    /// The standard does not define a character, and wallets count differently. Grapheme clusters are counted here:
    /// never more than Unicode scalars, which are never more than bytes, so a text that fits by any of these counts is
    /// accepted.
    public static func fits(_ text: String, allowed: Int) -> Bool {
        let bytes = text.utf8.count
        if bytes <= allowed { return true }
        return (bytes - 1) / maximumBytesPerCharacter < allowed && text.count <= allowed
    }
}
