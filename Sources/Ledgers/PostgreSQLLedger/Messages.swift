import LedgerRecords
package import LightningCoding
package import LightningCrypto
import Platform
package import ResponderModel

extension ServerLedger {
    /// Adds a message, unless it is there.
    package func add(
        _ message: DeviceMessage.Content, as delivery: MessageDelivery
    ) async throws(LedgerFault) -> DeviceMessage {
        let (owner, id) = (Value.blob(message.owner.bytes), Value.text(message.id.text))
        let added: DeviceMessage
        do throws(StorageFault) {
            added = try await database.transaction(.writing, within: .seconds(2)) { transaction throws(StorageFault) in
                let reading = Query(shared: DeviceStatements.messageByID, [owner, id])
                let known = try await transaction.run([
                    Query(shared: DeviceStatements.addOwner, [owner]), Self.lock(owner: owner), reading,
                ])
                if let message = try known[2].first({ row throws(StorageFault) in try DeviceMessage(row) }) {
                    return message
                }
                let sets = try await transaction.run([
                    Query(shared: DeviceStatements.countMessage, [owner]),
                    Query(shared: DeviceStatements.addMessage, try message.values()),
                    reading, Query(shared: DeviceStatements.trimMessages, [owner]),
                    Query(shared: DeviceStatements.liveDevices, [owner]),
                ])
                guard let added = try sets[2].first({ row throws(StorageFault) in try DeviceMessage(row) }) else {
                    throw .corrupt("a message is gone")
                }
                guard delivery != .none else { return added }
                let devices = try sets[4].rows { row throws(StorageFault) in try row.blob(0) { DeviceID($0) } }
                let telling = try devices.map { device throws(StorageFault) in
                    Query(Self.adding, try OutboxWork(telling: device, of: added).values() + [.null])
                }
                try await transaction.run(
                    [Query(shared: DeviceStatements.addPending, [owner, id])] + (delivery.isPushed ? telling : []))
                return added
            }
        } catch {
            throw LedgerFault(error)
        }
        if delivery.isPushed { observers.tell(.workDue) }
        return added
    }

    /// A page of an owner's messages, newest first.
    package func messages(_ query: MessageQuery) async throws(LedgerFault) -> Page<DeviceMessage> {
        let values: [Value] = [
            .blob(query.owner.bytes), .integer(query.after?.position ?? .max), .integer(Int64(query.limit) + 1),
        ]
        let found = try await messages(
            Query(shared: DeviceStatements.messages(query), values + (query.type.map { [.text($0.text)] } ?? [])))
        return Page(of: query.limit, from: found.map { (Int64(clamping: $0.sequence), $0) })
    }

    /// How many messages of an owner are unread, and where its newest is.
    package func messageCount(of owner: PublicKey) async throws(LedgerFault) -> MessageCount {
        let query = Query(shared: DeviceStatements.count, [.blob(owner.bytes)])
        let count = try await first(query.sql, query.values) { row throws(StorageFault) in
            MessageCount(unread: try row.unsigned(1), newest: try row.unsigned(0))
        }
        return count ?? MessageCount(unread: 0, newest: 0)
    }

    /// Marks messages of an owner as read or unread.
    package func mark(
        _ messages: MessageSelection, of owner: PublicKey, read: Bool, at now: UnixTime
    ) async throws(LedgerFault) {
        let statement = DeviceStatements.mark(messages, read: read)
        try await write(
            try queries(statement, messages, before: [.blob(owner.bytes)], after: read ? [try .time(now)] : []))
    }

    package func removeMessage(_ id: MessageID, of owner: PublicKey) async throws(LedgerFault) -> Bool {
        let removing = Query(shared: DeviceStatements.removeMessage, [.blob(owner.bytes), .text(id.text)])
        return try await write(removing)[0].affected > 0
    }

    /// What a device may still be told, oldest first.
    package func pending(
        for device: DeviceID, after sequence: UInt64, at now: UnixTime, limit: Int
    ) async throws(LedgerFault) -> [DeviceMessage] {
        try await messages(
            sharedQuery(
                DeviceStatements.pending,
                [.blob(device.bytes), try .time(now), .integer(Int64(clamping: sequence)), .integer(Int64(limit))]))
    }

    /// Notes what a device has shown or confirmed.
    package func confirm(
        _ messages: MessageSelection, by device: DeviceID, at now: UnixTime
    ) async throws(LedgerFault) {
        let confirming = try queries(
            DeviceStatements.confirm(messages), messages, before: [.blob(device.bytes)], after: [])
        let contact = try sharedQuery(DeviceStatements.noteContact, [.blob(device.bytes), try .time(now)])
        try await write(confirming + [contact])
    }

    /// Notes that a device was heard of.
    package func noteContact(with device: DeviceID, at now: UnixTime) async throws(LedgerFault) {
        try await write(sharedQuery(DeviceStatements.noteContact, [.blob(device.bytes), try .time(now)]))
    }

    /// What an owner wants to be told.
    package func preferences(of owner: PublicKey) async throws(LedgerFault) -> JSONValue? {
        let query = Query(shared: DeviceStatements.preferences, [.blob(owner.bytes)])
        return try await first(query.sql, query.values) { row throws(StorageFault) in
            try row.text(0) { try JSONValue(parsing: $0) }
        }
    }

    /// Stores what an owner wants to be told.
    package func keep(preferences: JSONValue, of owner: PublicKey) async throws(LedgerFault) {
        try await write(
            Query(shared: DeviceStatements.keepPreferences, [.blob(owner.bytes), .text(preferences.serialized())]))
    }

    /// Deletes what is old; returns how many messages.
    package func pruneMessages(before moment: UnixTime, under lease: Lease) async throws(LedgerFault) -> Int {
        let sets = try await write(
            under: lease, within: Self.longWork,
            sharedQuery(DeviceStatements.pruneMessages, [try .time(moment)]),
            sharedQuery(DeviceStatements.pruneDevices, [try .time(moment)]),
            Query(shared: DeviceStatements.pruneOwners, [.blob(DeviceStatements.place(at: moment))]))
        return sets[0].affected
    }

    private func messages(_ query: Query) async throws(LedgerFault) -> [DeviceMessage] {
        try await rows(query.sql, query.values) { row throws(StorageFault) in try DeviceMessage(row) }
    }

    /// A statement for each message, or one for all.
    private func queries(
        _ statement: String, _ messages: MessageSelection, before: [Value],
        after: @autoclosure () throws(StorageFault) -> [Value]
    ) throws(LedgerFault) -> [Query] {
        do throws(StorageFault) {
            let after = try after()
            let values: [Value] = try messages.values()
            return values.map { Query(shared: statement, before + [$0] + after) }
        } catch {
            throw LedgerFault(error)
        }
    }
}
