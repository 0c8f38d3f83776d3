package import ResponderModel
package import LightningCoding
package import LightningCrypto
import Platform

extension SQLLedger {
    /// Registers a device, which takes its address from every other one.
    package func putDevice(
        _ profile: DeviceProfile, reachedAt address: PushAddress, signedAt time: UnixTime, as id: DeviceID,
        at now: UnixTime
    ) async throws(LedgerFault) -> Device {
        let (owner, install) = (StoredValue.blob(profile.owner.bytes), StoredValue.text(profile.install.text))
        return try await write { connection throws(LedgerFault) in
            try connection.run(DeviceStatements.addOwner, [owner])
            try connection.lock(.owner(profile.owner))
            let others = try connection.first(DeviceStatements.otherDevices, [owner, install]) {
                row throws(LedgerFault) in
                try row.unsigned("count")
            }
            guard others ?? 0 < UInt64(Device.mostOfOwner) else { throw .tooManyDevices }
            let isNewer = try connection.exists(
                DeviceStatements.raiseTime, [.blob(profile.statementDigest), .time(time)])
            if !isNewer {
                let known = try connection.first(DeviceStatements.deviceByInstall, [owner, install], Device.init)
                guard let known, known.profile == profile, known.address == address else { throw .statementReplaced }
                return known
            }
            let wakes =
                try connection.rows(
                    DeviceStatements.takeAddress,
                    [.blob(address.digest), owner, install, .time(now), .text(Device.takenOver)]
                ) { row throws(LedgerFault) in try row.optionalTime("last_wake") }
                + connection.rows(DeviceStatements.takeWake, [.blob(address.digest)]) { row throws(LedgerFault) in
                    try row.time("woken_at")
                }
            try connection.run(
                DeviceStatements.putDevice,
                profile.values(id, at: address, now, lastWake: wakes.compactMap(\.self).max()))
            try connection.run(DeviceStatements.trimDropped, [owner])
            guard let device = try connection.first(DeviceStatements.deviceByInstall, [owner, install], Device.init)
            else { throw .corrupt("a device is gone") }
            return device
        }
    }

    package func device(_ id: DeviceID) async throws(LedgerFault) -> Device? {
        try await first(DeviceStatements.deviceByID, [.blob(id.bytes)], Device.init)
    }

    package func device(withSecretHash hash: [UInt8]) async throws(LedgerFault) -> Device? {
        try await first(DeviceStatements.deviceBySecret, [.blob(hash)], Device.init)
    }

    package func devices(of owner: PublicKey) async throws(LedgerFault) -> [Device] {
        try await rows(DeviceStatements.devicesOfOwner, [.blob(owner.bytes)], Device.init)
    }

    package func devices(after mark: PageMark?, limit: Int) async throws(LedgerFault) -> Page<Device> {
        let listing = Listing(of: Device.columns, from: "device", after: mark, limit: limit)
        return try await page(listing, of: limit, Device.init)
    }

    package func removeDevice(_ id: DeviceID) async throws(LedgerFault) -> Bool {
        try await write { connection throws(LedgerFault) in
            try connection.lock(.ownerOf(id))
            let removed = try connection.rows(DeviceStatements.removeDevice, [.blob(id.bytes)]) {
                row throws(LedgerFault) in try row.wake()
            }
            for wake in removed.compactMap(\.self) { try connection.run(DeviceStatements.keepWake, wake) }
            return !removed.isEmpty
        }
    }

    package func dropAddress(
        of id: DeviceID, setBefore moment: UnixTime, because reason: String, at now: UnixTime
    ) async throws(LedgerFault) -> Bool {
        try await change(
            DeviceStatements.dropAddress, [.blob(id.bytes), .time(moment), .time(now), .text(reason)]) > 0
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
                DeviceStatements.keepCatchUpWhilePending, values + [.unsigned(sequence)]) > 0
        }
    }

    package func devicesToWake(at now: UnixTime, limit: Int) async throws(LedgerFault) -> [Device] {
        try await rows(DeviceStatements.devicesToWake, [.time(now), .integer(Int64(limit))], Device.init)
    }
}

extension SQLLedger {
    package func add(
        _ message: DeviceMessage.Content, as delivery: MessageDelivery
    ) async throws(LedgerFault) -> DeviceMessage {
        let (owner, id) = (StoredValue.blob(message.owner.bytes), StoredValue.text(message.id.text))
        let added = try await write { connection throws(LedgerFault) in
            try connection.run(DeviceStatements.addOwner, [owner])
            try connection.lock(.owner(message.owner))
            if let known = try connection.first(DeviceStatements.messageByID, [owner, id], DeviceMessage.init) {
                return known
            }
            try connection.run(DeviceStatements.countMessage, [owner])
            try connection.run(DeviceStatements.addMessage, message.values())
            guard let added = try connection.first(DeviceStatements.messageByID, [owner, id], DeviceMessage.init) else {
                throw .corrupt("a message is gone")
            }
            try connection.run(DeviceStatements.trimMessages, [owner])
            if delivery != .none { try connection.run(DeviceStatements.addPending, [owner, id]) }
            guard delivery.isPushed else { return added }
            let devices = try connection.rows(DeviceStatements.liveDevices, [owner]) { row throws(LedgerFault) in
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
        let count = try await first(DeviceStatements.count, [.blob(owner.bytes)]) { row throws(LedgerFault) in
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
                try connection.run(DeviceStatements.mark(messages, read: read), [.blob(owner.bytes), value] + time)
            }
        }
    }

    package func removeMessage(_ id: MessageID, of owner: PublicKey) async throws(LedgerFault) -> Bool {
        try await change(DeviceStatements.removeMessage, [.blob(owner.bytes), .text(id.text)]) > 0
    }

    package func pending(
        for device: DeviceID, after sequence: UInt64, at now: UnixTime, limit: Int
    ) async throws(LedgerFault) -> [DeviceMessage] {
        try await rows(
            DeviceStatements.pending,
            [.blob(device.bytes), .time(now), .integer(Int64(clamping: sequence)), .integer(Int64(limit))],
            DeviceMessage.init)
    }

    /// Notes what a device has shown or confirmed.
    package func confirm(
        _ messages: MessageSelection, by device: DeviceID, at now: UnixTime
    ) async throws(LedgerFault) {
        try await write { connection throws(LedgerFault) in
            for value in try messages.values() {
                try connection.run(DeviceStatements.confirm(messages), [.blob(device.bytes), value])
            }
            try connection.run(DeviceStatements.noteContact, [.blob(device.bytes), .time(now)])
        }
    }

    package func noteContact(with device: DeviceID, at now: UnixTime) async throws(LedgerFault) {
        try await change(DeviceStatements.noteContact, [.blob(device.bytes), .time(now)])
    }

    package func preferences(of owner: PublicKey) async throws(LedgerFault) -> JSONValue? {
        try await first(DeviceStatements.preferences, [.blob(owner.bytes)]) { row throws(LedgerFault) in
            try row.text("preferences") { try JSONValue(parsing: $0) }
        }
    }

    package func keep(preferences: JSONValue, of owner: PublicKey) async throws(LedgerFault) {
        try await change(DeviceStatements.keepPreferences, [.blob(owner.bytes), .text(preferences.serialized())])
    }

    package func pruneMessages(before moment: UnixTime, under lease: Lease) async throws(LedgerFault) -> Int {
        try await write(under: lease, within: longWork) { connection throws(LedgerFault) in
            let count = try connection.changes(DeviceStatements.pruneMessages, [.time(moment)])
            try connection.run(DeviceStatements.pruneDevices, [.time(moment)])
            // Those who are being given a device or a message are passed over. One who was given one since the rows were
            // found is seen by the statement of its own.
            let unused = try connection.rows(
                DeviceStatements.unusedOwners + Connection.skippingLocked,
                [.blob(DeviceStatements.place(at: moment))]
            ) { row throws(LedgerFault) in try row.blob("owner") }
            for owner in unused { try connection.run(DeviceStatements.removeUnusedOwner, [.blob(owner)]) }
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
            try connection.run(DeviceStatements.keepProviderToken, token.values(of: key, replacing: former))
            return try connection.first(DeviceStatements.providerToken, [.text(key)], ProviderToken.init) ?? token
        }
    }
}
