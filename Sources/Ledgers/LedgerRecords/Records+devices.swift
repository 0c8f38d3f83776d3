package import LightningCoding
import LightningCrypto
package import ResponderModel

extension Device {
    /// Selects devices, with the columns that `init(_:)` reads and behind them the number.
    package static let query = """
        SELECT device_id, owner, install, secret_hash, encryption_key, locale, registered_at, last_contact, platform,
            environment, token, address_since, dropped_at, drop_reason, last_wake, wake_due, stored_sequence,
            stored_until, unanswered, id
        FROM device
        """

    /// How many columns `init(_:)` reads.
    package static let columnCount: Int32 = 19

    /// Why a device has lost its address to another one.
    package static let takenOver = "another device has registered its address"

    package init<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        self.init(
            id: try row.blob(0) { DeviceID($0) },
            profile: DeviceProfile(
                owner: try row.blob(1) { try PublicKey($0) },
                install: try row.text(2) { InstallID($0) },
                secretHash: try row.blob(3),
                encryptionKey: row.isNull(4) ? nil : try row.blob(4) { try PublicKey($0) },
                locale: try row.optionalText(5)),
            registeredAt: try row.time(6),
            lastContact: try row.time(7),
            state: try State(row),
            catchUp: try CatchUpState(row))
    }
}

extension Device.State {
    fileprivate init<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        guard row.isNull(12) else {
            self = .dropped(at: try row.time(12), because: try row.text(13))
            return
        }
        let (platform, environment) = (try row.text(8), try row.text(9))
        let address = try row.text(10) { PushAddress(platform: platform, environment: environment, token: $0) }
        self = .live(address, since: try row.time(11))
    }
}

extension CatchUpState {
    fileprivate init<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        self.init(
            lastWake: try row.optionalTime(14), wakeDue: try row.optionalTime(15),
            stored: row.isNull(16) ? nil : StoredAlert(sequence: try row.unsigned(16), expires: try row.time(17)),
            unanswered: try row.unsigned(18))
    }

    /// The columns from `last_wake` on.
    package func values<Value: StoredValue>() throws(Value.Fault) -> [Value] {
        let sequence: Value = if let stored { try .unsigned(stored.sequence) } else { .null }
        return [
            try .optionalTime(lastWake), try .optionalTime(wakeDue), sequence, try .optionalTime(stored?.expires),
            try .unsigned(unanswered),
        ]
    }
}

extension StoredRow where Self: ~Copyable {
    /// The digest of a removed device's address and when it was last woken, as they are kept; nil when it was not.
    package func wake<Value: StoredValue>() throws(Fault) -> [Value]? where Value.Fault == Fault {
        guard !isNull(0), let wake = try optionalTime(1) else { return nil }
        return [.blob(try blob(0)), try .time(wake)]
    }
}

extension DeviceProfile {
    /// The columns of `device` that an app's words fill, in the order of `values`.
    package static let columns = """
        device_id, owner, install, secret_hash, encryption_key, locale, platform, environment, token, address_digest,
        registered_at, address_since, last_contact, last_wake
        """

    package func values<Value: StoredValue>(
        _ id: DeviceID, at address: PushAddress, _ now: UnixTime, lastWake: UnixTime?
    ) throws(Value.Fault) -> [Value] {
        let time: Value = try .time(now)
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

    package init<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        self.init(
            Content(
                id: try row.text(0) { MessageID($0) },
                owner: try row.blob(1) { try PublicKey($0) },
                type: try row.text(2) { MessageType($0) },
                priority: try row.text(3) { Priority(rawValue: $0) },
                title: try row.text(4),
                body: try row.text(5),
                link: try Link(row),
                createdAt: try row.time(8),
                expiresAt: try row.time(9)),
            sequence: try row.unsigned(10),
            readAt: try row.optionalTime(11))
    }
}

extension DeviceMessage.Link {
    fileprivate init?<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        guard !row.isNull(6) else { return nil }
        let type = try row.text(6) { MessageType($0) }
        self = try row.text(7) { DeviceMessage.Link(type: type, target: $0) }
    }
}

extension DeviceMessage.Content {
    /// The columns of `device_message` in the order of `values`.
    package static let columns = """
        message_id, owner, type, priority, title, body, link_type, link_target, created_at, expires_at
        """

    package func values<Value: StoredValue>() throws(Value.Fault) -> [Value] {
        [
            .text(id.text), .blob(owner.bytes), .text(type.text), .text(priority.rawValue), .text(title), .text(body),
            .optionalText(link?.type.text), .optionalText(link?.target), try .time(createdAt), try .time(expiresAt),
        ]
    }
}
