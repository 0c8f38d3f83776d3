import LNURL
import LightningCoding

/// Reads settings key by key, and knows in the end which keys nobody asked for.
struct SettingsReader {
    private var object: JSONObject

    init(_ json: JSONValue, key: String = "") throws(SettingsFault) {
        guard let object = json.object else { throw SettingsFault(key, .notAnObject) }
        self.object = object
    }

    mutating func take(_ key: String) -> JSONValue? {
        guard let value = object[key] else { return nil }
        object[key] = nil
        return value.isNull ? nil : value
    }

    func finish() throws(SettingsFault) {
        if let rest = object.members.first { throw SettingsFault(rest.key, .unknown) }
    }

    func required<Value>(_ key: String, _ value: Value?) throws(SettingsFault) -> Value {
        guard let value else { throw SettingsFault(key, .missing) }
        return value
    }

    mutating func text(_ key: String) throws(SettingsFault) -> String? {
        guard let value = take(key) else { return nil }
        guard let text = value.string else { throw SettingsFault(key, .wrongType(expected: "text")) }
        return text
    }

    mutating func flag(_ key: String) throws(SettingsFault) -> Bool? {
        guard let value = take(key) else { return nil }
        guard let flag = value.bool else { throw SettingsFault(key, .wrongType(expected: "true or false")) }
        return flag
    }

    mutating func integer(_ key: String, in range: ClosedRange<UInt64>) throws(SettingsFault) -> UInt64? {
        guard let value = take(key) else { return nil }
        guard let integer = value.uint64 else { throw SettingsFault(key, .wrongType(expected: "a whole number")) }
        guard range.contains(integer) else { throw SettingsFault(key, .outOfRange) }
        return integer
    }

    mutating func amount(_ key: String) throws(SettingsFault) -> Millisatoshi? {
        try integer(key, in: 1...Millisatoshi.maximum.msat).map(Millisatoshi.init)
    }

    mutating func backend(_ key: String) throws(SettingsFault) -> BackendName? {
        guard let text = try text(key) else { return nil }
        guard let name = BackendName(text) else { throw SettingsFault(key, .malformed) }
        return name
    }

    mutating func image(_ key: String) throws(SettingsFault) -> PayMetadata.Image? {
        guard let value = take(key) else { return nil }
        var reader = try SettingsReader(value, key: key)
        let type = try reader.required("image.type", try reader.text("type"))
        let base64 = try reader.required("image.base64", try reader.text("base64"))
        try reader.finish()
        guard let mediaType = PayMetadata.Image.MediaType(rawValue: type) else {
            throw SettingsFault("image.type", .malformed)
        }
        do {
            return try PayMetadata.Image(mediaType: mediaType, base64: base64)
        } catch {
            throw SettingsFault("image.base64", .malformed)
        }
    }

    mutating func payerData(_ key: String) throws(SettingsFault) -> PayerDataPolicy {
        guard let value = take(key) else { return PayerDataPolicy() }
        var reader = try SettingsReader(value, key: key)
        let policy = PayerDataPolicy(
            name: try reader.requirement("name"),
            pubkey: try reader.requirement("pubkey"),
            identifier: try reader.requirement("identifier"),
            email: try reader.requirement("email"),
            auth: try reader.requirement("auth")
        )
        try reader.finish()
        return policy
    }

    private mutating func requirement(_ key: String) throws(SettingsFault) -> PayerDataPolicy.Requirement {
        guard let text = try text(key) else { return .notAsked }
        guard let requirement = PayerDataPolicy.Requirement(rawValue: text) else {
            throw SettingsFault("payerData." + key, .malformed)
        }
        return requirement
    }

    mutating func successAction(_ key: String) throws(SettingsFault) -> AccountSuccessAction {
        guard let value = take(key) else { return .none }
        var reader = try SettingsReader(value, key: key)
        let action: AccountSuccessAction
        switch (try reader.text("message"), try reader.text("url"), try reader.text("secret")) {
        case (let message?, nil, nil): action = .message(message)
        case (nil, let url?, nil):
            guard let link = try? HTTPURL(url) else { throw SettingsFault("successAction.url", .malformed) }
            action = .url(link, description: try reader.text("description") ?? "")
        case (nil, nil, let secret?): action = .secret(secret, description: try reader.text("description") ?? "")
        default: throw SettingsFault(key, .malformed)
        }
        try reader.finish()
        return action
    }
}

extension PayerDataPolicy {
    /// The wanted fields; nil when nothing is asked.
    var json: JSONValue? {
        guard !asksNothing else { return nil }
        var object = JSONObject()
        for (key, requirement) in [
            ("name", name), ("pubkey", pubkey), ("identifier", identifier), ("email", email), ("auth", auth),
        ] where requirement != .notAsked {
            object[key] = .string(requirement.rawValue)
        }
        return .object(object)
    }
}

extension AccountSuccessAction {
    /// The action; nil when there is none.
    var json: JSONValue? {
        switch self {
        case .none: nil
        case .message(let text): ["message": .string(text)]
        case .url(let url, let text): ["url": .string(url.text), "description": .string(text)]
        case .secret(let secret, let text): ["secret": .string(secret), "description": .string(text)]
        }
    }
}
