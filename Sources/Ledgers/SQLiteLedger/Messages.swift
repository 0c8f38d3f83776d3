import LedgerRecords
package import LightningCoding
package import LightningCrypto
import Platform
package import ResponderModel

extension LedgerDatabase {
    /// Adds a message, unless it is there.
    package func add(
        _ message: DeviceMessage.Content, as delivery: MessageDelivery
    ) async throws(LedgerFault) -> DeviceMessage {
        let message = try await write { connection throws(StorageFault) in
            let (owner, id) = (Value.blob(message.owner.bytes), Value.text(message.id.text))
            if let known = try connection.message([owner, id]) { return known }
            try connection.run(DeviceStatements.addOwner, [owner])
            try connection.run(DeviceStatements.countMessage, [owner])
            try connection.run(DeviceStatements.addMessage, message.values())
            try connection.run(DeviceStatements.trimMessages, [owner])
            guard let added = try connection.message([owner, id]) else { throw .corrupt("a message is gone") }
            if delivery != .none { try connection.tell(added, isPushed: delivery.isPushed) }
            return added
        }
        if delivery.isPushed { observers.tell(.workDue) }
        return message
    }

    /// A page of an owner's messages, newest first.
    package func messages(_ query: MessageQuery) async throws(LedgerFault) -> Page<DeviceMessage> {
        let values: [Value] = [
            .blob(query.owner.bytes), .integer(query.after?.position ?? .max), .integer(Int64(query.limit) + 1),
        ]
        let found = try await messages(
            DeviceStatements.messages(query), values + (query.type.map { [.text($0.text)] } ?? []))
        return Page(of: query.limit, from: found.map { (Int64(clamping: $0.sequence), $0) })
    }

    /// How many messages of an owner are unread, and where its newest is.
    package func messageCount(of owner: PublicKey) async throws(LedgerFault) -> MessageCount {
        let count = try await read { connection throws(StorageFault) in
            try connection.first(DeviceStatements.count, [.blob(owner.bytes)]) { row throws(StorageFault) in
                MessageCount(unread: try row.unsigned(1), newest: try row.unsigned(0))
            }
        }
        return count ?? MessageCount(unread: 0, newest: 0)
    }

    /// Marks messages of an owner as read or unread.
    package func mark(
        _ messages: MessageSelection, of owner: PublicKey, read: Bool, at now: UnixTime
    ) async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in
            let time: [Value] = read ? [try .time(now)] : []
            for value in try messages.values() as [Value] {
                try connection.run(
                    DeviceStatements.mark(messages, read: read), [.blob(owner.bytes), value] + time)
            }
        }
    }

    package func removeMessage(_ id: MessageID, of owner: PublicKey) async throws(LedgerFault) -> Bool {
        try await change(DeviceStatements.removeMessage, [.blob(owner.bytes), .text(id.text)])
    }

    /// What a device may still be told, oldest first.
    package func pending(
        for device: DeviceID, after sequence: UInt64, at now: UnixTime, limit: Int
    ) async throws(LedgerFault) -> [DeviceMessage] {
        let time = try rethrowing(Value.time(now)) { (fault: StorageFault) in LedgerFault(fault) }
        return try await messages(
            DeviceStatements.pending,
            [.blob(device.bytes), time, .integer(Int64(clamping: sequence)), .integer(Int64(limit))])
    }

    /// Notes what a device has shown or confirmed.
    package func confirm(
        _ messages: MessageSelection, by device: DeviceID, at now: UnixTime
    ) async throws(LedgerFault) {
        try await write { connection throws(StorageFault) in
            for value in try messages.values() as [Value] {
                try connection.run(DeviceStatements.confirm(messages), [.blob(device.bytes), value])
            }
            try connection.run(DeviceStatements.noteContact, [.blob(device.bytes), try .time(now)])
        }
    }

    /// Notes that a device was heard of.
    package func noteContact(with device: DeviceID, at now: UnixTime) async throws(LedgerFault) {
        _ = try await write { connection throws(StorageFault) in
            try connection.run(DeviceStatements.noteContact, [.blob(device.bytes), try .time(now)])
        }
    }

    /// What an owner wants to be told.
    package func preferences(of owner: PublicKey) async throws(LedgerFault) -> JSONValue? {
        try await read { connection throws(StorageFault) in
            try connection.first(DeviceStatements.preferences, [.blob(owner.bytes)]) { row throws(StorageFault) in
                try row.text(0) { try JSONValue(parsing: $0) }
            }
        }
    }

    /// Stores what an owner wants to be told.
    package func keep(preferences: JSONValue, of owner: PublicKey) async throws(LedgerFault) {
        _ = try await change(
            DeviceStatements.keepPreferences, [.blob(owner.bytes), .text(preferences.serialized())])
    }

    /// Deletes what is old; returns how many messages.
    package func pruneMessages(before moment: UnixTime, under lease: Lease) async throws(LedgerFault) -> Int {
        try await write(under: lease) { connection throws(StorageFault) in
            let count = try connection.run(DeviceStatements.pruneMessages, [try .time(moment)])
            try connection.run(DeviceStatements.pruneDevices, [try .time(moment)])
            try connection.run(DeviceStatements.pruneOwners, [.blob(DeviceStatements.place(at: moment))])
            return count
        }
    }

    private func messages(_ statement: String, _ values: [Value]) async throws(LedgerFault) -> [DeviceMessage] {
        try await read { connection throws(StorageFault) in
            try connection.rows(statement, values, read: DeviceMessage.init)
        }
    }
}

extension Connection {
    /// Makes a message pending for the owner's live devices, and adds the work of telling them.
    fileprivate func tell(_ message: DeviceMessage, isPushed: Bool) throws(StorageFault) {
        let owner = Value.blob(message.content.owner.bytes)
        try run(DeviceStatements.addPending, [owner, .text(message.content.id.text)])
        guard isPushed else { return }
        let devices = try rows(DeviceStatements.liveDevices, [owner]) { row throws(StorageFault) in
            try row.blob(0) { DeviceID($0) }
        }
        for device in devices {
            let work = OutboxWork(telling: device, of: message)
            try run(OutboxWork.insertion, try work.values() + [.null])
        }
    }

    fileprivate func message(_ values: [Value]) throws(StorageFault) -> DeviceMessage? {
        try first(DeviceStatements.messageByID, values, read: DeviceMessage.init)
    }
}
