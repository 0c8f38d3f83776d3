import LedgerRecords
package import LightningCoding
package import LightningCrypto
package import ResponderModel

extension ServerLedger {
    /// Registers a device, which takes its address from every other one.
    package func putDevice(
        _ profile: DeviceProfile, reachedAt address: PushAddress, signedAt time: UnixTime, as id: DeviceID,
        at now: UnixTime
    ) async throws(LedgerFault) -> Device {
        let (owner, install) = (Value.blob(profile.owner.bytes), Value.text(profile.install.text))
        let outcome: Result<Device, LedgerFault>
        do throws(StorageFault) {
            outcome = try await database.transaction(.writing, within: .seconds(2)) {
                transaction throws(StorageFault) in
                let known = try await transaction.run([
                    Query(shared: DeviceStatements.addOwner, [owner]), Self.lock(owner: owner),
                    Query(shared: DeviceStatements.otherDevices, [owner, install]),
                ])
                let others = try known[2].first { row throws(StorageFault) in try row.unsigned(0) }
                guard others ?? 0 < UInt64(Device.mostOfOwner) else { return .failure(.tooManyDevices) }
                let newer = try await transaction.run([
                    Query(shared: DeviceStatements.raiseTime, [.blob(profile.statementDigest), try .time(time)]),
                    Query(shared: DeviceStatements.deviceByInstall, [owner, install]),
                ])
                if newer[0].count == 0 {
                    let known = try newer[1].first { row throws(StorageFault) in try Device(row) }
                    guard let known, known.profile == profile, known.address == address else {
                        return .failure(.statementReplaced)
                    }
                    return .success(known)
                }
                let taken = try await transaction.run([
                    Query(
                        shared: DeviceStatements.takeAddress,
                        [.blob(address.digest), owner, install, try .time(now), .text(Device.takenOver)]),
                    Query(shared: DeviceStatements.takeWake, [.blob(address.digest)]),
                ])
                let wakes = try taken.map { set throws(StorageFault) in
                    try set.rows { row throws(StorageFault) in try row.optionalTime(0) }
                }
                let values: [Value] = try profile.values(
                    id, at: address, now, lastWake: wakes.joined().compactMap(\.self).max())
                let sets = try await transaction.run([
                    Query(shared: DeviceStatements.putDevice, values),
                    Query(shared: DeviceStatements.trimDropped, [owner]),
                    Query(shared: DeviceStatements.deviceByInstall, [owner, install]),
                ])
                guard let device = try sets[2].first({ row throws(StorageFault) in try Device(row) }) else {
                    throw .corrupt("a device is gone")
                }
                return .success(device)
            }
        } catch {
            throw LedgerFault(error)
        }
        return try outcome.get()
    }

    /// The device of that id, or nil.
    package func device(_ id: DeviceID) async throws(LedgerFault) -> Device? {
        try await devices(DeviceStatements.deviceByID, [.blob(id.bytes)]).first
    }

    /// The device whose secret has that SHA-256, or nil.
    package func device(withSecretHash hash: [UInt8]) async throws(LedgerFault) -> Device? {
        try await devices(DeviceStatements.deviceBySecret, [.blob(hash)]).first
    }

    package func devices(of owner: PublicKey) async throws(LedgerFault) -> [Device] {
        try await devices(DeviceStatements.devicesOfOwner, [.blob(owner.bytes)])
    }

    /// A page of all devices, newest first.
    package func devices(after mark: PageMark?, limit: Int) async throws(LedgerFault) -> Page<Device> {
        let query = Query(
            shared: DeviceStatements.devices, [.integer(mark?.position ?? .max), .integer(Int64(limit) + 1)])
        let found = try await rows(query.sql, query.values) { row throws(StorageFault) in
            (position: try row.integer(Device.columnCount), element: try Device(row))
        }
        return Page(of: limit, from: found)
    }

    package func removeDevice(_ id: DeviceID) async throws(LedgerFault) -> Bool {
        do throws(StorageFault) {
            return try await database.transaction(.writing, within: .seconds(2)) { transaction throws(StorageFault) in
                let sets = try await transaction.run([
                    Self.lock(ownerOf: id), Query(shared: DeviceStatements.removeDevice, [.blob(id.bytes)]),
                ])
                let removed = try sets[1].rows { row throws(StorageFault) -> [Value]? in try row.wake() }
                for wake in removed.compactMap(\.self) {
                    try await transaction.run(Query(shared: DeviceStatements.keepWake, wake))
                }
                return !removed.isEmpty
            }
        } catch {
            throw LedgerFault(error)
        }
    }

    /// Notes that a device's address is gone.
    package func dropAddress(
        of id: DeviceID, setBefore moment: UnixTime, because reason: String, at now: UnixTime
    ) async throws(LedgerFault) -> Bool {
        let dropping = try sharedQuery(
            DeviceStatements.dropAddress, [.blob(id.bytes), try .time(moment), try .time(now), .text(reason)])
        return try await write(dropping)[0].affected > 0
    }

    /// Stores how far a device has caught up.
    package func keep(
        _ new: CatchUpState, of id: DeviceID, replacing old: CatchUpState, whilePending sequence: UInt64?
    ) async throws(LedgerFault) -> Bool {
        guard let sequence else {
            let keeping = try sharedQuery(
                DeviceStatements.keepCatchUp, [.blob(id.bytes)] + (try new.values()) + (try old.values()))
            return try await write(keeping)[0].affected > 0
        }
        let keeping = try sharedQuery(
            DeviceStatements.keepCatchUpWhilePending,
            [.blob(id.bytes)] + (try new.values()) + (try old.values()) + [try .unsigned(sequence)])
        // Whoever confirms a message changes the device too: the second statement sees what was confirmed before.
        let lock = Query("SELECT id FROM device WHERE device_id = $1 FOR UPDATE", [.blob(id.bytes)])
        return try await write(lock, keeping)[1].affected > 0
    }

    /// The devices that are to be woken.
    package func devicesToWake(at now: UnixTime, limit: Int) async throws(LedgerFault) -> [Device] {
        let query = try sharedQuery(DeviceStatements.devicesToWake, [try .time(now), .integer(Int64(limit))])
        return try await rows(query.sql, query.values) { row throws(StorageFault) in try Device(row) }
    }

    private func devices(_ statement: String, _ values: [Value]) async throws(LedgerFault) -> [Device] {
        let query = Query(shared: statement, values)
        return try await rows(query.sql, query.values) { row throws(StorageFault) in try Device(row) }
    }

    /// Whoever changes an owner's devices, or adds a message, does so alone.
    static func lock(owner: Value) -> Query {
        Query("SELECT newest FROM device_owner WHERE owner = $1 FOR UPDATE", [owner])
    }

    private static func lock(ownerOf id: DeviceID) -> Query {
        let owner = "SELECT owner FROM device WHERE device_id = $1"
        return Query("SELECT newest FROM device_owner WHERE owner = (\(owner)) FOR UPDATE", [.blob(id.bytes)])
    }
}

extension Query {
    init(shared statement: String, _ values: [Value] = []) {
        let bytes = statement.utf8.map { $0 == UInt8(ascii: "?") ? UInt8(ascii: "$") : $0 }
        self.init(String(decoding: bytes, as: UTF8.self), values)
    }
}

/// The same, with values that may be beyond what the database can hold.
func sharedQuery(
    _ statement: String, _ values: @autoclosure () throws(StorageFault) -> [Value]
) throws(LedgerFault) -> Query {
    Query(shared: statement, try rethrowing(values()) { (fault: StorageFault) in LedgerFault(fault) })
}
