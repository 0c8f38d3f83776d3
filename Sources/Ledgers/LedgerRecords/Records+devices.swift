package import LightningCoding
import LightningCrypto
package import ResponderModel

extension Device {
    /// The columns that `init(_:)` reads.
    package static let columns = """
        device_id, owner, install, secret_hash, encryption_key, locale, registered_at, last_contact, platform,
        environment, token, address_since, dropped_at, drop_reason, last_wake, wake_due, stored_sequence,
        stored_until, unanswered
        """

    package static let query = "SELECT \(columns) FROM device"

    package static let takenOver = "another device has registered its address"

    package init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            id: try row.blob("device_id") { DeviceID($0) },
            profile: DeviceProfile(
                owner: try row.blob("owner") { try PublicKey($0) },
                install: try row.text("install") { InstallID($0) },
                secretHash: try row.blob("secret_hash"),
                encryptionKey: try row.optionalBlob("encryption_key") { try PublicKey($0) },
                locale: try row.optionalText("locale")),
            registeredAt: try row.time("registered_at"),
            lastContact: try row.time("last_contact"),
            state: try State(row),
            catchUp: try CatchUpState(row))
    }
}

extension Device.State {
    fileprivate init(_ row: some StoredRow) throws(LedgerFault) {
        guard try row.isNull("dropped_at") else {
            self = .dropped(at: try row.time("dropped_at"), because: try row.text("drop_reason"))
            return
        }
        let (platform, environment) = (try row.text("platform"), try row.text("environment"))
        let address = try row.text("token") { PushAddress(platform: platform, environment: environment, token: $0) }
        self = .live(address, since: try row.time("address_since"))
    }
}

extension CatchUpState {
    fileprivate init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            lastWake: try row.optionalTime("last_wake"), wakeDue: try row.optionalTime("wake_due"),
            stored: try row.isNull("stored_sequence")
                ? nil : StoredAlert(sequence: row.unsigned("stored_sequence"), expires: row.time("stored_until")),
            unanswered: try row.unsigned("unanswered"))
    }

    /// The columns from `last_wake` on.
    package func values() throws(LedgerFault) -> [StoredValue] {
        let sequence: StoredValue = if let stored { try .unsigned(stored.sequence) } else { .null }
        return [
            try .optionalTime(lastWake), try .optionalTime(wakeDue), sequence, try .optionalTime(stored?.expires),
            try .unsigned(unanswered),
        ]
    }
}

extension StoredRow {
    /// The digest of a removed device's address and when it was last woken, as they are kept; nil when it was not.
    package func wake() throws(LedgerFault) -> [StoredValue]? {
        guard try !isNull("address_digest"), let wake = try optionalTime("last_wake") else { return nil }
        return [.blob(try blob("address_digest")), try .time(wake)]
    }
}

extension DeviceProfile {
    /// The columns of `device` that an app's words fill, in the order of `values`.
    package static let columns = """
        device_id, owner, install, secret_hash, encryption_key, locale, platform, environment, token, address_digest,
        registered_at, address_since, last_contact, last_wake
        """

    package func values(
        _ id: DeviceID, at address: PushAddress, _ now: UnixTime, lastWake: UnixTime?
    ) throws(LedgerFault) -> [StoredValue] {
        let time: StoredValue = try .time(now)
        return [
            .blob(id.bytes), .blob(owner.bytes), .text(install.text), .blob(secretHash),
            .optionalBlob(encryptionKey?.bytes), .optionalText(locale), .text(address.platform),
            .text(address.environment.rawValue), .text(address.token), .blob(address.digest), time, time, time,
            try .optionalTime(lastWake),
        ]
    }
}

extension DeviceMessage {
    /// The columns of `device_message` in the order of `init(_:)`.
    package static let columns = "\(Content.columns), sequence, read_at"

    package init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            Content(
                id: try row.text("message_id") { MessageID($0) },
                owner: try row.blob("owner") { try PublicKey($0) },
                type: try row.text("type") { MessageType($0) },
                priority: try row.text("priority") { Priority(rawValue: $0) },
                title: try row.text("title"),
                body: try row.text("body"),
                link: try Link(row),
                createdAt: try row.time("created_at"),
                expiresAt: try row.time("expires_at")),
            sequence: try row.unsigned("sequence"),
            readAt: try row.optionalTime("read_at"))
    }
}

extension DeviceMessage.Link {
    fileprivate init?(_ row: some StoredRow) throws(LedgerFault) {
        guard try !row.isNull("link_type") else { return nil }
        let type = try row.text("link_type") { MessageType($0) }
        self = try row.text("link_target") { DeviceMessage.Link(type: type, target: $0) }
    }
}

extension DeviceMessage.Content {
    /// The columns of `device_message` in the order of `values`.
    package static let columns = """
        message_id, owner, type, priority, title, body, link_type, link_target, created_at, expires_at
        """

    package func values() throws(LedgerFault) -> [StoredValue] {
        [
            .text(id.text), .blob(owner.bytes), .text(type.text), .text(priority.rawValue), .text(title), .text(body),
            .optionalText(link?.type.text), .optionalText(link?.target), try .time(createdAt), try .time(expiresAt),
        ]
    }
}

extension MessageSelection {
    var condition: String {
        switch self {
        case .ids: "message_id = $2"
        case .upTo: "sequence <= $2"
        }
    }

    /// What selects the messages: one value for each run of the statement.
    func values() throws(LedgerFault) -> [StoredValue] {
        switch self {
        case .ids(let ids): ids.map { .text($0.text) }
        case .upTo(let sequence): [try .unsigned(min(sequence, UInt64(Int64.max)))]
        }
    }
}

extension ProviderToken {
    init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            text: try row.text("token"), issuedAt: try row.time("issued_at"), renewAt: try row.time("renew_at"))
    }
}
