import LNURL
public import LightningCoding

extension DomainSettings {
    /// The settings as stored in the ledger and shown by the admin interface. Amounts are in msat; unset values are
    /// omitted.
    public var json: JSONValue {
        var object = JSONObject()
        if !aliases.isEmpty { object["aliases"] = .array(aliases.map { .string($0.text) }) }
        if !backends.isEmpty { object["backends"] = .array(backends.map { .string($0.description) }) }
        object["minSendable"] = minSendable.map { .unsigned($0.msat) }
        object["maxSendable"] = maxSendable.map { .unsigned($0.msat) }
        object["maximumOpenInvoices"] = maximumOpenInvoices.map { .unsigned($0) }
        if !reserved.isEmpty { object["reserved"] = .array(reserved.map { .string($0.text) }) }
        object["description"] = description.map(JSONValue.string)
        return .object(object)
    }

    /// Reads settings; missing keys keep their defaults.
    ///
    /// - Throws: the first key that is unknown, of the wrong type or invalid.
    public init(json: JSONValue) throws(SettingsFault) {
        self.init()
        var reader = try SettingsReader(json)
        aliases = try reader.list("aliases") { try? DomainName($0) }
        backends = try reader.list("backends", BackendName.init)
        minSendable = try reader.amount("minSendable")
        maxSendable = try reader.amount("maxSendable")
        maximumOpenInvoices = try reader.integer("maximumOpenInvoices", in: 1...UInt64(Int64.max))
        reserved = try reader.list("reserved") { try? AddressName($0) }
        description = try reader.text("description")
        try reader.finish()
        try check()
    }

    /// Checks the rules between settings.
    ///
    /// - Throws: the offending key.
    public func check() throws(SettingsFault) {
        for (key, amount) in [("minSendable", minSendable), ("maxSendable", maxSendable)] {
            guard let amount else { continue }
            guard AccountSettings.amountRange.contains(amount.msat) else {
                throw SettingsFault(key, .outOfRange(AccountSettings.amountRange))
            }
        }
        if let minSendable, let maxSendable, minSendable > maxSendable {
            throw SettingsFault("minSendable", .aboveMaximum)
        }
        for (key, count) in [("aliases", aliases.count), ("backends", backends.count), ("reserved", reserved.count)]
        where count > Self.maximumCount {
            throw SettingsFault(key, .outOfRange(0...UInt64(Self.maximumCount)))
        }
        guard let description else { return }
        guard !description.isEmpty else { throw SettingsFault("description", .malformed) }
        guard !description.utf8.contains(0) else { throw SettingsFault("description", .zero) }
        guard description.utf8.count <= Self.maximumText else {
            throw SettingsFault("description", .tooLong(maximum: Self.maximumText))
        }
    }
}
