package import LightningCoding
package import ResponderModel

extension MessageCenter {
    /// What is pending for a device, oldest first: `{"data":[…],"live":true}`, 100 messages at the most.
    ///
    /// The device has shown everything up to `sequence`: that is confirmed. What it gets now is confirmed when it asks
    /// again, so that a crash of the app loses nothing.
    package func fetch(after sequence: UInt64, by device: Device) async throws(MessageCenterRefusal) -> JSONObject {
        let now = clock()
        do throws(LedgerFault) {
            if sequence > 0 { try await ledger.confirm(.upTo(sequence), by: device.id, at: now) }
            let pending = try await ledger.pending(for: device.id, after: sequence, at: now, limit: 100)
            _ = try await advance(device.id, .fetched)
            return ["data": .array(pending.map { .object($0.json) }), "live": .bool(device.address != nil)]
        } catch {
            throw .ledger(error)
        }
    }

    /// A device has shown alerts, or fetched messages that are not in a row: `{"ids":[…]}`. The answer is `{"live":true}`.
    @discardableResult
    package func noteDelivered(_ body: [UInt8], by device: Device) async throws(MessageCenterRefusal) -> JSONObject {
        let answer: JSONObject = ["live": .bool(device.address != nil)]
        let members = try Self.members(of: body, as: MessageCenterRefusal.request)
        let ids = try rethrowing(members.messageIDs("ids"), as: MessageCenterRefusal.request)
        do throws(LedgerFault) {
            try await ledger.confirm(.ids(ids), by: device.id, at: clock())
            // Also of one that was confirmed before, the provider no longer has an alert.
            let recent = try await ledger.messages(MessageQuery(of: device.profile.owner, limit: 100))
            guard let newest = recent.elements.first(where: { ids.contains($0.content.id) }) else { return answer }
            _ = try await advance(device.id, .delivered(sequence: newest.sequence))
            return answer
        } catch {
            throw .ledger(error)
        }
    }

    /// A provider that keeps one alert for a device has accepted that of a message. Nothing changes when the device has
    /// shown or confirmed the message already: its report may come before the provider's answer.
    package func noteAccepted(_ alert: CatchUpState.StoredAlert, for device: DeviceID) async throws(LedgerFault) {
        _ = try await advance(device, .accepted(alert))
    }

    /// The devices whose time to be woken has come, longest due first. Whether it must be is for `deviceToWake(_:)`.
    package func devicesToWake(limit: Int = 100) async throws(LedgerFault) -> [DeviceID] {
        try await ledger.devicesToWake(at: clock(), limit: limit).map(\.id)
    }

    /// The device, if a silent push message is to be sent to it now: noted as woken before it is sent.
    package func deviceToWake(_ id: DeviceID) async throws(LedgerFault) -> Device? {
        try await advance(id, .time) == .wake ? try await ledger.device(id) : nil
    }

    /// There is no slot for the silent push message now.
    package func postponeWake(_ id: DeviceID) async throws(LedgerFault) { _ = try await advance(id, .postponed) }

    /// A provider has accepted the silent push message.
    package func noteWoken(_ id: DeviceID) async throws(LedgerFault) { _ = try await advance(id, .woken) }

    private static let mostAttempts = 10

    /// Applies what has happened to a device, over what another instance may have stored meanwhile.
    private func advance(_ id: DeviceID, _ event: CatchUp.Event) async throws(LedgerFault) -> CatchUp.Action? {
        let accepted: UInt64? = if case .accepted(let alert) = event { alert.sequence } else { nil }
        for _ in 0..<Self.mostAttempts {
            guard let device = try await ledger.device(id) else { return nil }
            let now = clock()
            let pending = try await ledger.pending(for: id, after: max(accepted ?? 0, 1) - 1, at: now, limit: 1).first
            if let accepted, pending?.sequence != accepted { return nil }
            var machine = CatchUp(device.catchUp)
            let action = machine.on(event, isPending: pending != nil, at: now)
            if try await ledger.keep(machine.state, of: id, replacing: device.catchUp, whilePending: accepted) {
                return action
            }
        }
        throw .busy
    }
}
