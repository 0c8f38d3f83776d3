package import LNURL
package import LightningCoding
import LightningCrypto

/// Reads settings key by key and keeps track of the keys that were not read.
struct SettingsReader {
    private let members: JSONMembers<SettingsFault>
    private var unread: JSONObject

    init(_ json: JSONValue, key: String = "") throws(SettingsFault) {
        members = try JSONMembers(json, at: key)
        unread = members.object
    }

    mutating func take(_ key: String) -> JSONValue? {
        unread[key] = nil
        return members.optional(key)
    }

    func finish() throws(SettingsFault) {
        if let rest = unread.members.first { throw SettingsFault(rest.key, .unknown) }
    }

    func required<Value>(_ key: String, _ value: Value?) throws(SettingsFault) -> Value {
        guard let value else { throw members.fault(key, .missing) }
        return value
    }

    mutating func text(_ key: String) throws(SettingsFault) -> String? {
        take(key) == nil ? nil : try members.text(key)
    }

    mutating func flag(_ key: String) throws(SettingsFault) -> Bool? {
        take(key) == nil ? nil : try members.flag(key)
    }

    mutating func integer(_ key: String, in range: ClosedRange<UInt64>) throws(SettingsFault) -> UInt64? {
        guard take(key) != nil else { return nil }
        let integer = try members.unsigned(key)
        guard range.contains(integer) else { throw SettingsFault(key, .outOfRange(range)) }
        return integer
    }

    mutating func amount(_ key: String) throws(SettingsFault) -> Millisatoshi? {
        try integer(key, in: AccountSettings.amountRange).map { Millisatoshi($0) }
    }

    /// A list of texts, each read by `parse`; empty when the key is missing.
    mutating func list<Element>(_ key: String, _ parse: (String) -> Element?) throws(SettingsFault) -> [Element] {
        guard let value = take(key) else { return [] }
        guard let texts = value.array else { throw SettingsFault(key, .wrongType(expected: "an array of texts")) }
        var elements: [Element] = []
        for text in texts {
            guard let element = text.string.flatMap(parse) else { throw SettingsFault(key, .malformed) }
            elements.append(element)
        }
        return elements
    }

    mutating func backend(_ key: String) throws(SettingsFault) -> BackendName? {
        guard let text = try text(key) else { return nil }
        guard let name = BackendName(text) else { throw SettingsFault(key, .malformed) }
        return name
    }

    mutating func publicKey(_ key: String) throws(SettingsFault) -> PublicKey? {
        guard let text = try text(key) else { return nil }
        return try rethrowing(PublicKey(hexadecimal: text), as: SettingsFault(key, .malformed))
    }

    mutating func settlementWebhook(_ key: String) throws(SettingsFault) -> SettlementWebhook? {
        guard let value = take(key) else { return nil }
        var reader = try SettingsReader(value, key: key)
        let text = try reader.required("url", try reader.text("url"))
        let path = try reader.required("secretFile", try reader.text("secretFile"))
        try reader.finish()
        guard let url = try? HTTPURL(text) else { throw SettingsFault(key + ".url", .malformed) }
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
            throw SettingsFault(key + ".secretFile", .malformed)
        }
        return SettlementWebhook(url: url, secretFile: path)
    }

    mutating func image(_ key: String) throws(SettingsFault) -> PayMetadata.Image? {
        guard let value = take(key) else { return nil }
        var reader = try SettingsReader(value, key: key)
        let name = try reader.required("format", try reader.text("format"))
        let base64 = try reader.required("base64", try reader.text("base64"))
        try reader.finish()
        guard let format = PayMetadata.Image.Format(exactly: name) else {
            throw SettingsFault("image.format", .malformed)
        }
        return try rethrowing(
            PayMetadata.Image(format: format, base64: base64), as: SettingsFault("image.base64", .malformed))
    }

    mutating func payerData(_ key: String) throws(SettingsFault) -> PayerDataSpec {
        guard let value = take(key) else { return PayerDataSpec([:]) }
        return try PayerDataSpec(setting: value, key: key)
    }

    mutating func successAction(_ key: String) throws(SettingsFault) -> AccountSuccessAction {
        guard let value = take(key) else { return .none }
        var reader = try SettingsReader(value, key: key)
        let message = try reader.text("message")
        let url = try reader.text("url")
        let secret = try reader.text("secret")
        let description = try reader.text("description") ?? ""
        try reader.finish()
        do {
            switch (message, url, secret) {
            case (let message?, nil, nil): return .message(try ActionText(message))
            case (nil, let url?, nil): return .url(try ActionLink(description: ActionText(description), text: url))
            case (nil, nil, let secret?): return .secret(secret, description: try ActionText(description))
            default: throw SettingsFault(key, .malformed)
            }
        } catch let fault as SettingsFault {
            throw fault
        } catch {
            throw SettingsFault(key, .malformed)
        }
    }
}

extension PayerDataSpec {
    /// The requested fields, as written in settings: `{"name":"optional","email":"mandatory"}`.
    package var setting: JSONValue {
        var object = JSONObject()
        for field in Field.allCases {
            object[field.rawValue] = self[field].map { .string($0 == .mandatory ? "mandatory" : "optional") }
        }
        return .object(object)
    }

    /// Reads the requested fields, as written in settings.
    ///
    /// - Throws: the first key that is unknown or of the wrong type.
    package init(setting: JSONValue, key: String = "payerData") throws(SettingsFault) {
        self.init([:])
        var reader = try SettingsReader(setting, key: key)
        for field in Field.allCases {
            guard let text = try reader.text(field.rawValue) else { continue }
            guard let requirement = Requirement(setting: text) else {
                throw SettingsFault(key + "." + field.rawValue, .malformed)
            }
            requirements[field] = requirement
        }
        try reader.finish()
    }
}

extension PayerDataSpec.Requirement {
    fileprivate init?(setting text: String) {
        switch ExactText(text) {
        case "optional": self = .optional
        case "mandatory": self = .mandatory
        default: return nil
        }
    }
}

extension AccountSuccessAction {
    /// The action, as written in settings; nil when there is none.
    var setting: JSONValue? {
        switch self {
        case .none: nil
        case .message(let text): ["message": .string(text.text)]
        case .url(let link): ["url": .string(link.text), "description": .string(link.description.text)]
        case .secret(let secret, let text): ["secret": .string(secret), "description": .string(text.text)]
        }
    }
}

extension JSONValue {
    var containsZero: Bool {
        switch self {
        case .string(let text): text.utf8.contains(0)
        case .array(let elements): elements.contains(where: \.containsZero)
        case .object(let object): object.members.contains { $0.key.utf8.contains(0) || $0.value.containsZero }
        default: false
        }
    }
}

extension String {
    /// The text with U+FFFD in place of U+0000.
    package var replacingZero: String {
        guard utf8.contains(0) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars { text.append(scalar == "\0" ? "\u{FFFD}" : scalar) }
        return String(text)
    }

    /// Whether it has 1 to so many characters of `a-z 0-9`, with `A-Z` where capitals are allowed, and of some others.
    func isWord(upTo longest: Int, capitals: Bool = false, or others: String) -> Bool {
        guard (1...longest).contains(utf8.count) else { return false }
        return utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): capitals
            default: others.utf8.contains(byte)
            }
        }
    }

    /// Whether it has 1 to so many characters from `!` to `~`.
    package func isVisibleASCII(upTo longest: Int) -> Bool {
        (1...longest).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
