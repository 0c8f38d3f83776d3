package import LightningCoding
package import ResponderModel

/// When a device is woken to fetch the messages that it has not seen: a pure machine, one for each device.
///
/// APNs stores one notification for a device that is off, so of many alerts only the newest arrives. The device reports
/// it; since more is pending, a silent push message wakes the device, which fetches the rest. A wake would replace the
/// stored alert, so it waits while one may be stored.
///
/// The state is stored before the wake is sent: a crash between the two loses that wake, and it is repeated later. Only
/// wakes that a provider has accepted can be left unanswered.
package struct CatchUp: Hashable, Sendable {
    package private(set) var state: CatchUpState

    package enum Event: Hashable, Sendable {
        /// A provider has accepted an alert.
        case accepted(CatchUpState.StoredAlert)
        /// The device has shown the alert of that message.
        case delivered(sequence: UInt64)
        /// The device has fetched what is pending.
        case fetched
        case time
        /// A provider has accepted the wake.
        case woken
        /// Too many others are being woken.
        case postponed
    }

    package enum Action: Hashable, Sendable {
        case wake
    }

    /// The shortest time between two wakes of a device, in seconds.
    package static let interval = CatchUpState.interval
    /// How many seconds after a report the device is woken: what was stored arrives first. And how long it waits when there
    /// is no slot for it: others that are due come first then.
    package static let delay: UInt64 = 30
    /// The second wake that the device has left unanswered doubles the interval, and so does each further one, up to 16 hours.
    private static let mostUnanswered: UInt64 = 6

    package init(_ state: CatchUpState = CatchUpState()) {
        self.state = state
        self.state.unanswered = min(state.unanswered, Self.mostUnanswered)
    }

    /// Applies what has happened.
    ///
    /// - Parameters:
    ///   - event: what has happened.
    ///   - isPending: whether messages are left that the device has neither shown nor confirmed, the event included.
    ///   - now: the time.
    /// - Returns: what to do now, if anything.
    package mutating func on(_ event: Event, isPending: Bool, at now: UnixTime) -> Action? {
        switch event {
        case .accepted(let alert):
            if alert.sequence >= state.stored?.sequence ?? 0 { state.stored = alert }
            schedule(from: alert.expires)
        case .delivered(let sequence):
            if let stored = state.stored, sequence >= stored.sequence { state.stored = nil }
            state.unanswered = 0
            schedule(from: now.adding(seconds: Self.delay))
        case .fetched:
            state = CatchUpState(lastWake: state.lastWake)
            schedule(from: now.adding(seconds: Self.delay))
        case .time:
            return wake(isPending: isPending, at: now)
        case .woken:
            state.unanswered = min(state.unanswered + 1, Self.mostUnanswered)
            let next = state.lastWake?.adding(seconds: pause) ?? now
            state.wakeDue = state.wakeDue.map { max($0, next) }
        case .postponed:
            state.wakeDue = state.wakeDue.map { max($0, now.adding(seconds: Self.delay)) }
        }
        if !isPending { state.wakeDue = nil }
        return nil
    }

    /// The first due time counts, so that one wake is pending at most.
    private mutating func schedule(from moment: UnixTime) {
        let due = max(moment, state.lastWake?.adding(seconds: pause) ?? moment)
        state.wakeDue = min(state.wakeDue ?? due, due)
    }

    private var pause: UInt64 { Self.interval << (max(state.unanswered, 1) - 1) }

    private mutating func wake(isPending: Bool, at now: UnixTime) -> Action? {
        guard let due = state.wakeDue, now >= due else { return nil }
        guard isPending else {
            state.wakeDue = nil
            return nil
        }
        if let stored = state.stored, now < stored.expires {
            state.wakeDue = stored.expires
            return nil
        }
        state.stored = nil
        state.lastWake = now
        state.wakeDue = now.adding(seconds: pause)
        return .wake
    }
}

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
        let ids = try Self.request(in: body) { members throws(DeviceMemberFault) in try members.messageIDs("ids") }
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

    /// The devices whose time to be woken has come, longest due first, up to 100. Whether it must be is for
    /// `deviceToWake(_:)`.
    package func devicesToWake() async throws(LedgerFault) -> [DeviceID] {
        try await ledger.devicesToWake(at: clock(), limit: 100).map(\.id)
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
