package import LNURL
package import LightningCoding

package struct DomainSettings: Hashable, Sendable {
    /// Other hosts at which it is reached. Their accounts are those of the domain, and keep its name in addresses and URLs.
    package var aliases: [DomainName]
    /// The nodes that its accounts may use, the first for those that name none; empty for all.
    package var backends: [BackendName]
    /// The minimum amount of all its accounts, in msat; nil leaves it to the account and its node.
    package var minSendable: Millisatoshi?
    /// The maximum amount of all its accounts, in msat; nil leaves it to the account and its node.
    package var maxSendable: Millisatoshi?
    /// The maximum number of open invoices per account, neither paid nor expired; nil for that of the service.
    package var maximumOpenInvoices: UInt64?
    package var reserved: [AddressName]
    /// The description of accounts that have none of their own, with `{address}` in place of the address; nil for the
    /// standard one.
    package var description: String?

    package static let maximumCount = 1_000
    /// The longest description, in bytes of UTF-8.
    package static let maximumText = 4_096
    package static let addressPlaceholder = "{address}"

    package init() {
        aliases = []
        backends = []
        minSendable = nil
        maxSendable = nil
        maximumOpenInvoices = nil
        reserved = []
        description = nil
    }

    package func description(for address: String) -> String {
        guard let description else { return "Pay to \(address)" }
        return description.split(separator: Self.addressPlaceholder, omittingEmptySubsequences: false)
            .joined(separator: address)
    }
}

extension DomainSettings {
    /// The settings as stored in the ledger and shown by the admin interface. Amounts are in msat; unset values are
    /// omitted.
    package var json: JSONValue {
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
    package init(json: JSONValue) throws(SettingsFault) {
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
    package func check() throws(SettingsFault) {
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
