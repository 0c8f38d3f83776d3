package import ResponderModel
package import LightningCoding
package import LightningCrypto
import Platform

extension SQLLedger {
    package func putDevice(
        _ profile: DeviceProfile, reachedAt address: PushAddress, signedAt time: UnixTime, as id: DeviceID,
        at now: UnixTime
    ) async throws(LedgerFault) -> Device {
        let (owner, install) = (StoredValue.blob(profile.owner.bytes), StoredValue.text(profile.install.text))
        return try await write { connection throws(LedgerFault) in
            try connection.run(DeviceStatements.addOwner, [owner])
            let others = try connection.first(
                """
                SELECT count(*) AS count FROM device WHERE owner = $1 AND install <> $2 AND dropped_at IS NULL
                """, [owner, install]
            ) { row throws(LedgerFault) in try row.unsigned("count") }
            guard others ?? 0 < UInt64(Device.mostOfOwner) else { throw .tooManyDevices }
            let isNewer = try connection.exists(
                """
                INSERT INTO device_statement (digest, signed_at) VALUES ($1, $2)
                ON CONFLICT (digest) DO UPDATE SET signed_at = excluded.signed_at
                    WHERE excluded.signed_at > device_statement.signed_at
                RETURNING signed_at
                """, [.blob(profile.statementDigest), .time(time)])
            if !isNewer {
                let known = try connection.first(DeviceStatements.deviceByInstall, [owner, install], Device.init)
                guard let known, known.profile == profile, known.address == address else { throw .statementReplaced }
                return known
            }
            // From everybody but this installation.
            let wakes =
                try connection.rows(
                    """
                    UPDATE device SET \(DeviceStatements.dropped("$4", "$5"))
                    WHERE address_digest = $1 AND (owner <> $2 OR install <> $3)
                    RETURNING last_wake
                    """,
                    [.blob(address.digest), owner, install, .time(now), .text(Device.takenOver)]
                ) { row throws(LedgerFault) in try row.optionalTime("last_wake") }
                + connection.rows(
                    "DELETE FROM woken_address WHERE digest = $1 RETURNING woken_at", [.blob(address.digest)]
                ) { row throws(LedgerFault) in
                    try row.time("woken_at")
                }
            try connection.run(
                """
                INSERT INTO device (\(DeviceProfile.columns), unanswered)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0)
                ON CONFLICT (owner, install) DO UPDATE SET secret_hash = excluded.secret_hash,
                    encryption_key = excluded.encryption_key, locale = excluded.locale, platform = excluded.platform,
                    environment = excluded.environment, token = excluded.token,
                    address_since = excluded.address_since,
                    address_digest = excluded.address_digest, last_contact = excluded.last_contact,
                    last_wake = CASE WHEN device.last_wake > excluded.last_wake THEN device.last_wake
                        ELSE coalesce(excluded.last_wake, device.last_wake) END,
                    dropped_at = NULL, drop_reason = NULL
                """,
                profile.values(id, at: address, now, lastWake: wakes.compactMap(\.self).max()))
            // All but the last ones that have lost their address.
            try connection.run(
                """
                DELETE FROM device WHERE owner = $1 AND dropped_at IS NOT NULL AND id NOT IN (
                    SELECT id FROM device WHERE owner = $1 AND dropped_at IS NOT NULL
                    ORDER BY dropped_at DESC, id DESC LIMIT \(Device.mostOfOwner))
                """, [owner])
            guard let device = try connection.first(DeviceStatements.deviceByInstall, [owner, install], Device.init)
            else { throw .corrupt("a device is gone") }
            return device
        }
    }

    package func device(_ id: DeviceID) async throws(LedgerFault) -> Device? {
        try await first(Device.query + " WHERE device_id = $1", [.blob(id.bytes)], Device.init)
    }

    package func device(withSecretHash hash: [UInt8]) async throws(LedgerFault) -> Device? {
        try await first(Device.query + " WHERE secret_hash = $1", [.blob(hash)], Device.init)
    }

    package func devices(of owner: PublicKey) async throws(LedgerFault) -> [Device] {
        try await rows(Device.query + " WHERE owner = $1 ORDER BY install", [.blob(owner.bytes)], Device.init)
    }

    package func devices(after mark: PageMark?, limit: Int) async throws(LedgerFault) -> Page<Device> {
        let listing = Listing(of: Device.columns, from: "device", after: mark, limit: limit)
        return try await page(listing, of: limit, Device.init)
    }

    package func removeDevice(_ id: DeviceID) async throws(LedgerFault) -> Bool {
        try await write { connection throws(LedgerFault) in
            try connection.lock(.ownerOf(id))
            let removed = try connection.rows(
                "DELETE FROM device WHERE device_id = $1 RETURNING address_digest, last_wake", [.blob(id.bytes)]
            ) {
                row throws(LedgerFault) in try row.wake()
            }
            for wake in removed.compactMap(\.self) {
                try connection.run(
                    """
                    INSERT INTO woken_address (digest, woken_at) VALUES ($1, $2)
                    ON CONFLICT (digest) DO UPDATE SET woken_at = excluded.woken_at
                        WHERE excluded.woken_at > woken_address.woken_at
                    """, wake)
            }
            return !removed.isEmpty
        }
    }

    package func dropAddress(
        of id: DeviceID, setBefore moment: UnixTime, because reason: String, at now: UnixTime
    ) async throws(LedgerFault) -> Bool {
        try await change(
            """
            UPDATE device SET \(DeviceStatements.dropped("$3", "$4"))
            WHERE device_id = $1 AND dropped_at IS NULL AND address_since < $2
            """, [.blob(id.bytes), .time(moment), .time(now), .text(reason)]) > 0
    }

    package func keep(
        _ new: CatchUpState, of id: DeviceID, replacing old: CatchUpState, whilePending sequence: UInt64?
    ) async throws(LedgerFault) -> Bool {
        let values = [.blob(id.bytes)] + (try new.values()) + (try old.values())
        guard let sequence else { return try await change(DeviceStatements.keepCatchUp, values) > 0 }
        return try await write { connection throws(LedgerFault) in
            // Whoever confirms a message changes the device too: the second statement sees what was confirmed before.
            try connection.lock(.device(id))
            return try connection.changes(
                """
                \(DeviceStatements.keepCatchUp) AND EXISTS (
                    SELECT 1 FROM device_pending JOIN device_message ON device_message.id = device_pending.message
                    WHERE device_pending.device = device.id AND device_message.sequence = $12)
                """, values + [.unsigned(sequence)]) > 0
        }
    }

    package func devicesToWake(at now: UnixTime, limit: Int) async throws(LedgerFault) -> [Device] {
        try await rows(
            Device.query + " WHERE wake_due <= $1 AND dropped_at IS NULL ORDER BY wake_due, id LIMIT $2",
            [.time(now), .integer(Int64(limit))], Device.init)
    }
}

extension SQLLedger {
    package func add(
        _ message: DeviceMessage.Content, as delivery: MessageDelivery
    ) async throws(LedgerFault) -> DeviceMessage {
        let (owner, id) = (StoredValue.blob(message.owner.bytes), StoredValue.text(message.id.text))
        let added = try await write { connection throws(LedgerFault) in
            try connection.run(DeviceStatements.addOwner, [owner])
            if let known = try connection.first(DeviceStatements.messageByID, [owner, id], DeviceMessage.init) {
                return known
            }
            try connection.run("UPDATE device_owner SET newest = newest + 1 WHERE owner = $1", [owner])
            try connection.run(
                """
                INSERT INTO device_message (\(DeviceMessage.Content.columns), sequence)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, (SELECT newest FROM device_owner WHERE owner = $2))
                """, message.values())
            guard let added = try connection.first(DeviceStatements.messageByID, [owner, id], DeviceMessage.init) else {
                throw .corrupt("a message is gone")
            }
            try connection.run(
                """
                DELETE FROM device_message WHERE owner = $1 AND sequence <=
                    (SELECT newest FROM device_owner WHERE owner = $1) - \(DeviceMessage.Content.mostOfOwner)
                """, [owner])
            if delivery != .none {
                try connection.run(
                    """
                    INSERT INTO device_pending (device, message)
                    SELECT device.id, device_message.id
                    FROM device JOIN device_message ON device_message.owner = device.owner
                    WHERE device.owner = $1 AND device.dropped_at IS NULL AND device_message.message_id = $2
                    """, [owner, id])
            }
            guard delivery.isPushed else { return added }
            let devices = try connection.rows(
                "SELECT device_id FROM device WHERE owner = $1 AND dropped_at IS NULL", [owner]
            ) { row throws(LedgerFault) in
                try row.blob("device_id") { DeviceID($0) }
            }
            for device in devices { try connection.add(OutboxWork(telling: device, of: added), heldBy: nil) }
            return added
        }
        if delivery.isPushed { observers.tell(.workDue) }
        return added
    }

    package func messages(_ query: MessageQuery) async throws(LedgerFault) -> Page<DeviceMessage> {
        var listing = Listing(
            of: DeviceMessage.columns, from: "device_message", position: "sequence", after: query.after,
            limit: query.limit)
        listing.require("owner =", .blob(query.owner.bytes))
        if query.isUnread { listing.require("read_at IS NULL") }
        if let type = query.type { listing.require("type =", .text(type.text)) }
        return try await page(listing, of: query.limit, DeviceMessage.init)
    }

    package func messageCount(of owner: PublicKey) async throws(LedgerFault) -> MessageCount {
        let count = try await first(
            """
            SELECT newest, (SELECT count(*) FROM device_message WHERE owner = $1 AND read_at IS NULL) AS unread
            FROM device_owner WHERE owner = $1
            """, [.blob(owner.bytes)]
        ) { row throws(LedgerFault) in
            MessageCount(unread: try row.unsigned("unread"), newest: try row.unsigned("newest"))
        }
        return count ?? MessageCount(unread: 0, newest: 0)
    }

    package func mark(
        _ messages: MessageSelection, of owner: PublicKey, read: Bool, at now: UnixTime
    ) async throws(LedgerFault) {
        let time = try read ? [StoredValue.time(now)] : []
        try await write { connection throws(LedgerFault) in
            for value in try messages.values() {
                try connection.run(
                    """
                    UPDATE device_message SET read_at = \(read ? "coalesce(read_at, $3)" : "NULL")
                    WHERE owner = $1 AND \(messages.condition)
                    """, [.blob(owner.bytes), value] + time)
            }
        }
    }

    package func removeMessage(_ id: MessageID, of owner: PublicKey) async throws(LedgerFault) -> Bool {
        try await change(
            "DELETE FROM device_message WHERE owner = $1 AND message_id = $2", [.blob(owner.bytes), .text(id.text)]) > 0
    }

    package func pending(
        for device: DeviceID, after sequence: UInt64, at now: UnixTime, limit: Int
    ) async throws(LedgerFault) -> [DeviceMessage] {
        try await rows(
            """
            \(DeviceStatements.message) FROM device_message WHERE expires_at > $2 AND id IN (
                SELECT message FROM device_pending WHERE device = (SELECT id FROM device WHERE device_id = $1))
                AND sequence > $3
            ORDER BY sequence LIMIT $4
            """,
            [.blob(device.bytes), .time(now), .integer(Int64(clamping: sequence)), .integer(Int64(limit))],
            DeviceMessage.init)
    }

    package func confirm(
        _ messages: MessageSelection, by device: DeviceID, at now: UnixTime
    ) async throws(LedgerFault) {
        try await write { connection throws(LedgerFault) in
            for value in try messages.values() {
                try connection.run(
                    """
                    DELETE FROM device_pending
                    WHERE device = (SELECT id FROM device WHERE device_id = $1) AND message IN (
                        SELECT id FROM device_message
                        WHERE owner = (SELECT owner FROM device WHERE device_id = $1) AND \(messages.condition))
                    """, [.blob(device.bytes), value])
            }
            try connection.run(DeviceStatements.noteContact, [.blob(device.bytes), .time(now)])
        }
    }

    package func noteContact(with device: DeviceID, at now: UnixTime) async throws(LedgerFault) {
        try await change(DeviceStatements.noteContact, [.blob(device.bytes), .time(now)])
    }

    package func preferences(of owner: PublicKey) async throws(LedgerFault) -> JSONValue? {
        try await first(
            "SELECT preferences FROM device_owner WHERE owner = $1 AND preferences IS NOT NULL", [.blob(owner.bytes)]
        ) { row throws(LedgerFault) in
            try row.text("preferences") { try JSONValue(parsing: $0) }
        }
    }

    package func keep(preferences: JSONValue, of owner: PublicKey) async throws(LedgerFault) {
        try await change(
            """
            INSERT INTO device_owner (owner, newest, preferences) VALUES ($1, 0, $2)
            ON CONFLICT (owner) DO UPDATE SET preferences = excluded.preferences
            """, [.blob(owner.bytes), .text(preferences.serialized())])
    }

    package func pruneMessages(before moment: UnixTime, under lease: Lease) async throws(LedgerFault) -> Int {
        try await write(under: lease, within: longWork) { connection throws(LedgerFault) in
            let count = try connection.changes("DELETE FROM device_message WHERE created_at < $1", [.time(moment)])
            // Also those that were not heard of although nobody has sent them anything.
            try connection.run(
                """
                DELETE FROM device WHERE dropped_at < $1 OR last_contact < $1
                    AND NOT EXISTS (SELECT 1 FROM device_pending WHERE device_pending.device = device.id)
                """, [.time(moment)])
            // Those among the first thousand and the thousand behind a key. Those who are being given a device or a message
            // are passed over. One who was given one since the rows were found is seen by the statement of its own.
            let unused = try connection.rows(
                """
                SELECT owner FROM device_owner WHERE owner IN (
                    SELECT owner FROM (SELECT owner FROM device_owner ORDER BY owner LIMIT 1000) AS first_ones
                    UNION SELECT owner FROM (
                        SELECT owner FROM device_owner WHERE owner > $1 ORDER BY owner LIMIT 1000) AS later_ones)
                AND \(DeviceStatements.hasNothing)
                """ + Connection.skippingLocked,
                [.blob(DeviceStatements.place(at: moment))]
            ) { row throws(LedgerFault) in try row.blob("owner") }
            for owner in unused {
                try connection.run(
                    "DELETE FROM device_owner WHERE owner = $1 AND \(DeviceStatements.hasNothing)", [.blob(owner)])
            }
            return count
        }
    }

    package func providerToken(of key: String) async throws(LedgerFault) -> ProviderToken? {
        try await first(DeviceStatements.providerToken, [.text(key)], ProviderToken.init)
    }

    package func keep(
        _ token: ProviderToken, of key: String, replacing former: ProviderToken?
    ) async throws(LedgerFault) -> ProviderToken {
        try await write { connection throws(LedgerFault) in
            try connection.run(
                """
                INSERT INTO provider_token (signer, token, issued_at, renew_at) VALUES ($1, $2, $3, $4)
                ON CONFLICT (signer) DO UPDATE SET token = excluded.token, issued_at = excluded.issued_at,
                    renew_at = excluded.renew_at
                    WHERE provider_token.token = $5
                """,
                [
                    .text(key), .text(token.text), .time(token.issuedAt), .time(token.renewAt),
                    .optionalText(former?.text),
                ])
            return try connection.first(DeviceStatements.providerToken, [.text(key)], ProviderToken.init) ?? token
        }
    }
}

/// What several statements about devices have in common.
private enum DeviceStatements {
    /// Of an owner. One who is there is locked: devices and messages of an owner are added one after the other, and the owner
    /// is not removed before.
    static let addOwner = """
        INSERT INTO device_owner (owner, newest) VALUES ($1, 0)
        ON CONFLICT (owner) DO UPDATE SET newest = device_owner.newest
        """

    /// Owner, installation.
    static let deviceByInstall = Device.query + " WHERE owner = $1 AND install = $2"

    /// Id, and the values of the new and the old `CatchUpState`.
    static let keepCatchUp = """
        UPDATE device SET last_wake = $2, wake_due = $3, stored_sequence = $4, stored_until = $5, unanswered = $6
        WHERE device_id = $1 AND last_wake IS NOT DISTINCT FROM $7 AND wake_due IS NOT DISTINCT FROM $8
            AND stored_sequence IS NOT DISTINCT FROM $9 AND stored_until IS NOT DISTINCT FROM $10 AND unanswered = $11
        """

    /// Owner, id.
    static let messageByID = "\(message) FROM device_message WHERE owner = $1 AND message_id = $2"

    /// Device, time.
    static let noteContact = "UPDATE device SET last_contact = $2 WHERE device_id = $1 AND last_contact < $2"

    /// Key.
    static let providerToken = "SELECT token, issued_at, renew_at FROM provider_token WHERE signer = $1"

    static let message = "SELECT \(DeviceMessage.columns)"

    /// Said of an owner.
    static let hasNothing = """
        NOT EXISTS (SELECT 1 FROM device WHERE device.owner = device_owner.owner)
        AND NOT EXISTS (SELECT 1 FROM device_message WHERE device_message.owner = device_owner.owner)
        """

    static func dropped(_ time: String, _ reason: String) -> String {
        """
        dropped_at = \(time), drop_reason = \(reason), address_digest = NULL, token = NULL, wake_due = NULL,
            stored_sequence = NULL, stored_until = NULL
        """
    }

    /// Where a round begins to look for owners that have nothing, besides the first ones: each at another place.
    static func place(at moment: UnixTime) -> [UInt8] {
        let digest = SHA256.hash("owners \(moment.seconds)".utf8)
        return [2 + digest[0] % 2] + digest
    }
}
