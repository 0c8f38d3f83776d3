package import Notifications
import LightningCoding

/// How notifications are read and answered.
package struct NotificationConfiguration: Hashable, Sendable {
    /// Seconds for which a notification is valid.
    package let deadline: UInt64
    /// The key that decrypts encrypted ones.
    package let key: KeyFile?
    package let names: EnvelopeNames
    package let texts: NotificationTexts

    /// A key file and its purpose.
    package struct KeyFile: Hashable, Sendable {
        package let path: String
        package let purpose: String
    }

    init(_ sources: SettingSources) throws(ConfigurationFaults) {
        let table = SettingTable.shared.notifications
        deadline = sources[table.deadline]
        switch (sources[table.keyFile], sources[table.keyPurpose]) {
        case (nil, nil): key = nil
        case (let path?, let purpose?): key = KeyFile(path: path, purpose: purpose)
        case (_?, nil): throw sources.faults(table.keyFile, "needs notifications.key-purpose beside it")
        case (nil, _?): throw sources.faults(table.keyPurpose, "needs notifications.key-file beside it")
        }
        names = try sources.section(NotificationSettingGroup.namesSection, read: EnvelopeNames.init) ?? EnvelopeNames()
        texts =
            try sources.section(NotificationSettingGroup.textsSection, read: NotificationTexts.init)
            ?? NotificationTexts()
    }
}

/// The single-valued keys of `notifications.names`.
enum NameSettings {
    static let template = Setting<String?>("template", "A webhook's type, first form.")
    static let event = Setting<String?>("event", "A webhook's type, second form.")
    static let data = Setting<String?>("data", "A webhook's payload.")
    static let type = Setting<String?>("type", "A push message's type.")
    static let payload = Setting<String?>("payload", "A push message's payload.")
    static let appData = Setting<String?>("app-data", "What the app's backend adds.")
    static let body = Setting<String?>("body", "What some senders wrap a push message in.")
    static let messageIDs = Setting<[String]?>("message-ids", "How a message is recognised.")
    static let word = Setting<String>("", standard: "", "A name.")

    static let rows: [any SettingRow] = [
        template, event, data, type, payload, appData, body, messageIDs,
    ]
}

extension EnvelopeNames {
    /// Reads `notifications.names`: `types` maps the sender's names to ours, `members` ours to the sender's.
    init(_ node: SectionNode) throws(ConfigurationFaults) {
        self.init()
        let fields = try node.fields(
            NameSettings.rows, nested: ["types", "members"]
        )
        template = fields[NameSettings.template] ?? template
        event = fields[NameSettings.event] ?? event
        data = fields[NameSettings.data] ?? data
        type = fields[NameSettings.type] ?? type
        payload = fields[NameSettings.payload] ?? payload
        appData = fields[NameSettings.appData] ?? appData
        body = fields[NameSettings.body] ?? body
        messageIDs = fields[NameSettings.messageIDs] ?? messageIDs
        for entry in try fields[nested: "types"]?.entries() ?? [] {
            types[ExactText(entry.name)] = NotificationType(rawValue: try entry.node.value(as: NameSettings.word))
        }
        for entry in try fields[nested: "members"]?.entries() ?? [] {
            payloadMembers[entry.name] = try entry.node.value(as: NameSettings.word)
        }
    }
}

extension NotificationTexts {
    /// Reads `notifications.texts`.
    init(_ node: SectionNode) throws(ConfigurationFaults) {
        let rows = Self.rows
        let fields = try node.fields(rows)
        var table: [String: String] = [:]
        for row in rows { table[row.key] = fields[row] }
        self.init(table)
    }

    static var rows: [Setting<String?>] {
        Key.allCases.map { key in
            Setting<String?>(key.rawValue, key.english) { words in
                key.english.contains("%d") && !words.contains("%d") ? "must contain %d, which stands for a number" : nil
            }
        }
    }
}
