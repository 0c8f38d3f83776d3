package import HookBackend
import LightningCoding
package import ResponderCore
package import ResponderModel

package struct NotificationConfiguration: Hashable, Sendable {
    package let deadline: UInt64
    package let key: KeyFile?
    package let names: EnvelopeNames
    package let texts: NotificationTexts
    package let handlers: [NotificationType: HookAddress]

    package struct KeyFile: Hashable, Sendable {
        package let path: String
        package let purpose: String
    }

    init(_ sources: SettingSources) throws(ConfigurationFaults) {
        let table = SettingTable.shared.notifications
        deadline = sources[table.deadline]
        key = sources[table.keyFile].flatMap { path in
            sources[table.keyPurpose].map { KeyFile(path: path, purpose: $0) }
        }
        var faults = sources.incomplete(table.keyFile, with: [table.keyPurpose])
        let names = faults.collecting { () throws(ConfigurationFaults) in
            try sources.section(NotificationSettingGroup.namesSection).map(EnvelopeNames.init) ?? EnvelopeNames()
        }
        let texts = faults.collecting { () throws(ConfigurationFaults) in
            try sources.section(NotificationSettingGroup.textsSection).map(NotificationTexts.init)
                ?? NotificationTexts()
        }
        let handlers = faults.collecting { () throws(ConfigurationFaults) in
            try sources.section(NotificationSettingGroup.handlersSection).map { section throws(ConfigurationFaults) in
                try HandlerSettings.all(in: section, names ?? EnvelopeNames())
            } ?? [:]
        }
        guard faults.isEmpty, let names, let texts, let handlers else { throw ConfigurationFaults(faults: faults) }
        self.names = names
        self.texts = texts
        self.handlers = handlers
    }
}

enum NameSettings {
    static let template = Setting<String?>("template", "A webhook's type, first form.")
    static let event = Setting<String?>("event", "A webhook's type, second form.")
    static let data = Setting<String?>("data", "A webhook's payload.")
    static let type = Setting<String?>("type", "A push message's type.")
    static let payload = Setting<String?>("payload", "A push message's payload.")
    static let appData = Setting<String?>("app-data", "The app's own data.")
    static let body = Setting<String?>("body", "The member in which some senders wrap a push message.")
    static let messageIDs = Setting<[String]?>("message-ids", "The members with the id of a message.")
    static let word = Setting<String>("", standard: "", "A name.")

    static let rows: [any SettingRow] = [
        template, event, data, type, payload, appData, body, messageIDs,
    ]
}

extension EnvelopeNames {
    /// Reads `notifications.names`: `types` maps the sender's names to ours, `members` ours to the sender's.
    init(_ node: SectionNode) throws(ConfigurationFaults) {
        self = try node.fields(NameSettings.rows, nested: ["types", "members"]) { fields throws(ConfigurationFaults) in
            var names = EnvelopeNames()
            names.template = fields[NameSettings.template] ?? names.template
            names.event = fields[NameSettings.event] ?? names.event
            names.data = fields[NameSettings.data] ?? names.data
            names.type = fields[NameSettings.type] ?? names.type
            names.payload = fields[NameSettings.payload] ?? names.payload
            names.appData = fields[NameSettings.appData] ?? names.appData
            names.body = fields[NameSettings.body] ?? names.body
            names.messageIDs = fields[NameSettings.messageIDs] ?? names.messageIDs
            for entry in try fields[nested: "types"]?.entries() ?? [] {
                let type = NotificationType(rawValue: try entry.node.value(as: NameSettings.word))
                names.types[ExactText(entry.name)] = type
            }
            for entry in try fields[nested: "members"]?.entries() ?? [] {
                names.payloadMembers[entry.name] = try entry.node.value(as: NameSettings.word)
            }
            return names
        }
    }
}

extension NotificationTexts {
    init(_ node: SectionNode) throws(ConfigurationFaults) {
        let rows = Self.rows
        self = try node.fields(rows) { fields in
            var table: [String: String] = [:]
            for row in rows { table[row.key] = fields[row] }
            return NotificationTexts(table)
        }
    }

    static var rows: [Setting<String?>] {
        Key.allCases.map { key in
            Setting<String?>(key.rawValue, key.english) { words in
                key.english.contains("%d") && !words.contains("%d") ? "must contain %d, the place of a number" : nil
            }
        }
    }
}

package struct SettlementWebhookConfiguration: Hashable, Sendable {
    /// The default for accounts without their own webhook.
    package let standard: SettlementWebhook?
    package let allowsPrivate: Bool

    init(_ sources: SettingSources) throws(ConfigurationFaults) {
        let table = SettingTable.shared.settlementWebhook
        allowsPrivate = sources[table.allowPrivate]
        let missing = sources.incomplete(table.url, with: [table.secretFile])
        guard missing.isEmpty else { throw ConfigurationFaults(faults: missing) }
        guard let url = sources[table.url], let path = sources[table.secretFile] else {
            standard = nil
            return
        }
        guard url.scheme == .https || url.isOnion || allowsPrivate || !sources.areWellFormed([table.allowPrivate])
        else {
            throw sources.faults(table.url, "must begin with https, unless \(table.allowPrivate.key) is set")
        }
        standard = SettlementWebhook(url: url, secretFile: path)
    }
}
