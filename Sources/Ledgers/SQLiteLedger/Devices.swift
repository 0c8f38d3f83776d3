import LedgerRecords
package import LightningCoding
package import LightningCrypto
package import ResponderModel

extension LedgerDatabase {
    /// Registers a device, which takes its address from every other one.
    package func putDevice(
        _ profile: DeviceProfile, reachedAt address: PushAddress, signedAt time: UnixTime, as id: DeviceID,
        at now: UnixTime
    ) async throws(LedgerFault) -> Device {
        let outcome: Result<Device, LedgerFault> = try await write { connection throws(StorageFault) in
            let (owner, install) = (Value.blob(profile.owner.bytes), Value.text(profile.install.text))
            let others = try connection.first(DeviceStatements.otherDevices, [owner, install]) {
                row throws(StorageFault) in
                try row.unsigned(0)
            }
            guard others ?? 0 < UInt64(Device.mostOfOwner) else { return .failure(.tooManyDevices) }
            let newer = try connection.rows(
                DeviceStatements.raiseTime, [.blob(profile.statementDigest), try .time(time)]
            ) { _ in true }
            if newer.isEmpty {
                let known = try connection.first(
                    DeviceStatements.deviceByInstall, [owner, install], read: Device.init)
                guard let known, known.profile == profile, known.address == address else {
                    return .failure(.statementReplaced)
                }
                return .success(known)
            }
            try connection.run(DeviceStatements.addOwner, [owner])
            var wakes = try connection.rows(
                DeviceStatements.takeAddress,
                [.blob(address.digest), owner, install, try .time(now), .text(Device.takenOver)]
            ) { row throws(StorageFault) in try row.optionalTime(0) }
            wakes += try connection.rows(DeviceStatements.takeWake, [.blob(address.digest)]) {
                row throws(StorageFault) in
                try row.optionalTime(0)
            }
            try connection.run(
                DeviceStatements.putDevice,
                profile.values(id, at: address, now, lastWake: wakes.compactMap(\.self).max()))
            try connection.run(DeviceStatements.trimDropped, [owner])
            guard
                let device = try connection.first(
                    DeviceStatements.deviceByInstall, [owner, install], read: Device.init)
            else { throw .corrupt("a device is gone") }
            return .success(device)
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
        let found = try await read { connection throws(StorageFault) in
            try connection.rows(
                DeviceStatements.devices, [.integer(mark?.position ?? .max), .integer(Int64(limit) + 1)]
            ) { row throws(StorageFault) in
                (position: try row.integer(Device.columnCount), element: try Device(row))
            }
        }
        return Page(of: limit, from: found)
    }

    package func removeDevice(_ id: DeviceID) async throws(LedgerFault) -> Bool {
        try await write { connection throws(StorageFault) in
            let removed = try connection.rows(DeviceStatements.removeDevice, [.blob(id.bytes)]) {
                row throws(StorageFault) -> [Value]? in try row.wake()
            }
            for wake in removed.compactMap(\.self) { try connection.run(DeviceStatements.keepWake, wake) }
            return !removed.isEmpty
        }
    }

    /// Notes that a device's address is gone.
    package func dropAddress(
        of id: DeviceID, setBefore moment: UnixTime, because reason: String, at now: UnixTime
    ) async throws(LedgerFault) -> Bool {
        try await write { connection throws(StorageFault) in
            try connection.run(
                DeviceStatements.dropAddress,
                [.blob(id.bytes), try .time(moment), try .time(now), .text(reason)]) > 0
        }
    }

    /// Stores how far a device has caught up.
    package func keep(
        _ new: CatchUpState, of id: DeviceID, replacing old: CatchUpState, whilePending sequence: UInt64?
    ) async throws(LedgerFault) -> Bool {
        try await write { connection throws(StorageFault) in
            let values: [Value] = [.blob(id.bytes)] + (try new.values()) + (try old.values())
            guard let sequence else { return try connection.run(DeviceStatements.keepCatchUp, values) > 0 }
            return try connection.run(
                DeviceStatements.keepCatchUpWhilePending, values + [try .unsigned(sequence)]) > 0
        }
    }

    /// The devices that are to be woken.
    package func devicesToWake(at now: UnixTime, limit: Int) async throws(LedgerFault) -> [Device] {
        let time = try rethrowing(Value.time(now)) { (fault: StorageFault) in LedgerFault(fault) }
        return try await devices(DeviceStatements.devicesToWake, [time, .integer(Int64(limit))])
    }

    private func devices(_ statement: String, _ values: [Value]) async throws(LedgerFault) -> [Device] {
        try await read { connection throws(StorageFault) in
            try connection.rows(statement, values, read: Device.init)
        }
    }

    func change(_ statement: String, _ values: [Value]) async throws(LedgerFault) -> Bool {
        try await write { connection throws(StorageFault) in try connection.run(statement, values) > 0 }
    }
}
