import LightningCoding
import LightningCrypto
import Platform
import ResponderCore
package import ResponderModel

/// A device to be woken, and its owner to be alerted unless the device handles it in time.
///
/// The work stays in the outbox until the deadline, also when nothing more is sent, so that a repeated order finds it.
struct WakeJob: OutboxJob {
    let order: WakeOrder
    let device: DeviceID
    let state: State

    /// What is still to be sent.
    enum State: String {
        /// The wake, and the alert at its time.
        case wake
        /// The alert.
        case alert
        /// Nothing: the device has handled it, or the alert was sent.
        case ended
    }

    init(_ order: WakeOrder, of device: DeviceID, _ state: State = .wake) {
        self.order = order
        self.device = device
        self.state = state
    }

    init?(_ work: OutboxWork) {
        guard let json = work.payloadJSON, let device = json["device"]?.string.flatMap({ DeviceID($0) }),
            let state = json["state"]?.string.flatMap(State.init(rawValue:)),
            let id = json["order"]?["id"]?.string.flatMap({ WakeID($0) }),
            let members = try? JSONMembers<DeviceMemberFault>(json["order"] ?? .null),
            let order = try? WakeOrder(members, at: work.createdAt, named: id)
        else { return nil }
        self.init(order, of: device, state)
    }

    static let kind = OutboxKind.deviceWake
    var id: OutboxID { Self.id(of: order.id, device) }

    /// Half of the hash of the wake's own id fits.
    static func id(of wake: WakeID, _ device: DeviceID) -> OutboxID {
        OutboxID(unchecked: "wake-\(device)-\(Hexadecimal.encode(SHA256.hash(wake.text.utf8).prefix(16)))")
    }

    var subject: OutboxSubject? { OutboxSubject("\(device)") }

    /// `{"device":"…","state":"wake","order":{…}}`
    var payload: [UInt8] {
        JSONValue.object([
            "device": .string(device.description), "state": .string(state.rawValue), "order": .object(order.json),
        ]).serializedBytes()
    }

    /// The same wake, of which that is still to be sent.
    func with(_ state: State) -> WakeJob { WakeJob(order, of: device, state) }
}

extension DeviceSender {
    /// How many wakes of one device are in the outbox at once.
    static let mostWakes = 20

    /// Takes the order to wake a device: it is durable on return. Returns the wake's id; nil when the handle leads to
    /// nobody.
    package func order(_ body: [UInt8], for handle: String) async throws(MessageCenterRefusal) -> WakeID? {
        let now = clock()
        guard let id = center.handles.device(handle),
            try await MessageCenterRefusal.asking(await ledger.device(id))?.address != nil
        else { return nil }
        guard let random = try? random(16), let drawn = WakeID(Hexadecimal.encode(random)) else {
            throw .ledger(.storage("no random bytes"))
        }
        let order = try WakeOrder(body, at: now, named: drawn)
        let work = OutboxWork(WakeJob(order, of: id), at: now, deadline: order.deadline)
        do throws(LedgerFault) {
            if try await ledger.add(work, upTo: Self.mostWakes) { return order.id }
            // It may be known already.
            if try await ledger.work(work.id) != nil { return order.id }
        } catch {
            throw .ledger(error)
        }
        throw .tooManyWakes
    }

    /// Takes what a device says of a wake. An alert follows at once on any outcome but `handled`.
    package func acknowledge(_ body: [UInt8], by device: Device) async throws(MessageCenterRefusal) {
        let acknowledgement = try WakeAcknowledgement(body)
        let id = WakeJob.id(of: acknowledgement.id, device.id)
        var isNoted = false
        do throws(LedgerFault) {
            while let work = try await ledger.work(id), let wake = WakeJob(work), wake.state != .ended {
                let now = clock()
                if !isNoted {
                    note(acknowledgement.outcome, afterSeconds: now.seconds(since: work.createdAt))
                    isNoted = true
                }
                if acknowledgement.outcome == .handled {
                    if try await end(wake, work) { return }
                } else if wake.state == .alert {
                    return
                } else if try await ledger.update(work, to: wake.with(.alert), dueAt: now) {
                    return
                }
                // Somebody has changed it meanwhile.
            }
        } catch {
            throw .ledger(error)
        }
    }

    /// Sends the wake, or the alert that follows.
    func wake(_ wake: WakeJob, _ work: OutboxWork) async -> OutboxOutcome {
        guard wake.state != .ended else {
            let end = wake.order.deadline.adding(seconds: 1)
            return clock() < end ? .continued(at: end) : .carriedOut
        }
        do throws(LedgerFault) {
            guard let device = try await ledger.device(wake.device) else { return .dropped("the device has gone") }
            return await wakeSlots.with(for: device) { await send(wake, work, to: device) }
                ?? again(wake, since: work.createdAt, after: 0)
        } catch {
            return again(wake, since: work.createdAt, after: 0)
        }
    }

    /// Notes that nothing more is to be sent, until after the deadline; false when the work was changed meanwhile.
    private func end(_ wake: WakeJob, _ work: OutboxWork) async throws(LedgerFault) -> Bool {
        try await ledger.update(work, to: wake.with(.ended), dueAt: wake.order.deadline.adding(seconds: 1))
    }

    private func send(_ wake: WakeJob, _ work: OutboxWork, to device: Device) async -> OutboxOutcome {
        let order = wake.order
        let alertAt = order.alertAt(orderedAt: work.createdAt)
        guard clock() < order.deadline else { return .dropped("the wake has expired") }
        if wake.state == .wake, clock() < alertAt {
            switch await send(.wake, of: order, to: device, until: alertAt) {
            case .accepted, .later, .paused: return .continued(at: alertAt)
            case .gone: return .dropped("the device has gone")
            case .parked, .refused, .tooLarge: break
            }
        }
        let outcome = await send(.alert, of: order, to: device, until: order.deadline)
        switch (outcome, OutboxOutcome(outcome, at: clock())) {
        case (.accepted, _):
            count("responder_device_fallback_alerts_total")
            do throws(LedgerFault) {
                _ = try await end(wake, work)
                return .recorded
            } catch {
                // It is said to have expired, then.
                return .continued(at: order.deadline)
            }
        case (.later(let seconds, _), _), (.paused(let seconds, _), _):
            return again(wake, since: work.createdAt, after: seconds)
        // Parked work is not counted with the other wakes of the device.
        case (_, .refused(let reason)): return .postponed(seconds: order.deadline.seconds(since: clock()), reason)
        case (_, let end): return end
        }
    }

    /// Another attempt soon, since the wake is of use until its deadline only: after a tenth of what is left at the latest,
    /// and more seldom the longer it has been tried.
    private func again(_ wake: WakeJob, since createdAt: UnixTime, after seconds: UInt64) -> OutboxOutcome {
        let now = clock()
        let pause = max(seconds, now.seconds(since: createdAt) / 4, 2)
        return .continued(at: now.adding(seconds: min(pause, max(wake.order.deadline.seconds(since: now) / 10, 5))))
    }

    /// Sends one of the two push messages; what the provider has not answered by a moment is given up.
    private func send(
        _ push: WakeOrder.Push, of order: WakeOrder, to device: Device, until end: UnixTime
    ) async -> PushOutcome {
        let now = clock()
        do throws(CryptoFault) {
            guard
                let message = try order.message(push, to: device, at: now, secret: secret, random: random)
            else { return .refused("the device has no encryption key") }
            let limit = monotonic.now() + .seconds(Int64(clamping: end.seconds(since: now)))
            return await monotonic.race(until: limit) { await self.send(message, to: device) }
                ?? .later(seconds: 0, "the provider has not answered in time")
        } catch {
            return .later(seconds: Self.pause, "the wake could not be encrypted")
        }
    }
}
