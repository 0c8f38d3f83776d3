import LightningCoding
package import ResponderCore
package import ResponderModel

/// How notifications are read and answered.
package struct NotificationConfiguration: Hashable, Sendable {
    /// Seconds for which a notification is valid.
    package let deadline: UInt64
    /// The key that decrypts encrypted ones.
    package let key: KeyFile?
    package let names: EnvelopeNames
    package let texts: NotificationTexts
    /// Who answers custom types.
    package let handlers: [NotificationType: HookAddress]

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
        let names = self.names
        handlers =
            try sources.section(NotificationSettingGroup.handlersSection) { section throws(ConfigurationFaults) in
                try HandlerSettings.all(in: section, names)
            } ?? [:]
    }
}

/// The single-valued keys of `notifications.names`.
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
                key.english.contains("%d") && !words.contains("%d") ? "must contain %d, the place of a number" : nil
            }
        }
    }
}

/// Where the service reports payments.
package struct SettlementWebhookConfiguration: Hashable, Sendable {
    /// The default for accounts without their own webhook.
    package let standard: SettlementWebhook?
    /// Whether private addresses and plain http are allowed.
    package let allowsPrivate: Bool

    init(_ sources: SettingSources) throws(ConfigurationFaults) {
        let table = SettingTable.shared.settlementWebhook
        allowsPrivate = sources[table.allowPrivate]
        let url = sources[table.url]
        let path = sources[table.secretFile]
        switch (url, path) {
        case (nil, nil): standard = nil
        case (let url?, let path?):
            guard url.scheme == .https || url.isOnion || allowsPrivate else {
                throw sources.faults(
                    table.url,
                    "must begin with https, unless \(table.allowPrivate.key) is set")
            }
            standard = SettlementWebhook(url: url, secretFile: path)
        case (_?, nil):
            throw sources.faults(table.url, "needs settlement-webhook.secret-file beside it")
        case (nil, _?):
            throw sources.faults(table.secretFile, "needs settlement-webhook.url beside it")
        }
    }
}
