import Devices
import LightningCoding
import LightningCrypto
import Platform
import ResponderCore
import ResponderModel

/// The payload of work that wakes a device: the order, the device, and what is still to be sent.
///
/// The work stays in the outbox until the deadline, also when all is done, so that a repeated order finds it.
struct WakeWork {
    let order: WakeOrder
    let device: DeviceID
    let rest: Rest

    /// What is still to be sent.
    enum Rest: String {
        /// The wake, and the alert unless the device handles it in time.
        case all
        /// The alert: the device has said that it cannot handle the wake.
        case alert
        /// Nothing: the device has handled it, or the alert was sent.
        case nothing
    }

    init(_ order: WakeOrder, of device: DeviceID, _ rest: Rest = .all) {
        self.order = order
        self.device = device
        self.rest = rest
    }

    /// Reads the payload of work; nil when it is invalid.
    init?(_ work: OutboxWork) {
        guard let json = try? JSONValue(parsing: work.payload), let text = json["device"]?.string,
            let device = DeviceID(text), let rest = json["rest"]?.string.flatMap(Rest.init(rawValue:)),
            let id = json["order"]?["id"]?.string.flatMap({ WakeID($0) }),
            let members = try? JSONMembers<DeviceMemberFault>(json["order"] ?? .null),
            let order = try? WakeOrder(members, at: work.createdAt, named: id)
        else { return nil }
        self.init(order, of: device, rest)
    }

    /// The work of the same order with less to be sent.
    func with(_ rest: Rest) -> WakeWork { WakeWork(order, of: device, rest) }

    /// Work with more to be sent is never changed to work with less: its attempt may be on its way.
    var id: OutboxID {
        switch rest {
        case .all: .wake(order.id.text, of: device)
        case .alert: .wakeAlert(order.id.text, of: device)
        case .nothing: .wakeEnd(order.id.text, of: device)
        }
    }

    func work(at createdAt: UnixTime, dueAt: UnixTime) -> OutboxWork {
        let payload: JSONValue = [
            "device": .string(device.description), "rest": .string(rest.rawValue), "order": .object(order.json),
        ]
        return OutboxWork(
            id: id, kind: .deviceWake, account: nil, payload: payload.serializedBytes(), createdAt: createdAt,
            deadline: order.deadline, state: .pending(dueAt: dueAt))
    }
}

extension DeviceSender {
    /// How many wakes of one device are in the outbox at once.
    static let mostWakes = 20

    /// Takes the order to wake a device: it is durable on return. Returns the wake's id; nil when the handle leads to
    /// nobody.
    func order(_ body: [UInt8], for handle: String) async throws(MessageCenterRefusal) -> WakeID? {
        let now = clock()
        guard let id = center.handles.device(handle),
            try await MessageCenterRefusal.asking(await ledger.device(id))?.address != nil
        else { return nil }
        guard let random = try? random(16), let drawn = WakeID(Hexadecimal.encode(random)) else {
            throw .ledger(.storage("no random bytes"))
        }
        let order = try WakeOrder(body, at: now, named: drawn)
        let work = WakeWork(order, of: id).work(at: now, dueAt: now)
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
    func acknowledge(_ body: [UInt8], by device: Device) async throws(MessageCenterRefusal) {
        let acknowledgement = try WakeAcknowledgement(body)
        do throws(LedgerFault) {
            guard let work = try await ledger.work(.wake(acknowledgement.id.text, of: device.id)),
                let wake = WakeWork(work)
            else { return }
            guard try await ledger.work(wake.with(.nothing).id) == nil else { return }
            let now = clock()
            observer.note(
                .acknowledged(acknowledgement.outcome, afterSeconds: now.seconds(since: work.createdAt)))
            if acknowledgement.outcome == .handled {
                try await self.end(wake, since: work.createdAt)
            } else {
                try await ledger.add(wake.with(.alert).work(at: work.createdAt, dueAt: now), heldBy: nil)
            }
        } catch {
            throw .ledger(error)
        }
    }

    /// Notes that nothing more is to be sent, until after the deadline.
    private func end(_ wake: WakeWork, since createdAt: UnixTime) async throws(LedgerFault) {
        let dueAt = wake.order.deadline.adding(seconds: 1)
        try await ledger.add(wake.with(.nothing).work(at: createdAt, dueAt: dueAt), heldBy: nil)
    }

    /// Sends the wake, or the alert that follows: how far it is follows from the time alone, so that it goes on after a
    /// restart.
    func wake(_ work: OutboxWork) async -> OutboxOutcome {
        guard let wake = WakeWork(work) else { return .refused("the entry cannot be read") }
        guard wake.rest != .nothing else { return .carriedOut }
        do throws(LedgerFault) {
            if try await isOvertaken(wake) {
                return clock() < wake.order.deadline ? .continued(at: wake.order.deadline) : .carriedOut
            }
            guard let device = try await ledger.device(wake.device) else { return .dropped("the device has gone") }
            return await wakeSlots.with(for: device) { await send(wake, since: work.createdAt, to: device) }
                ?? again(wake, since: work.createdAt, after: 0)
        } catch {
            return again(wake, since: work.createdAt, after: 0)
        }
    }

    /// Whether what is still to be sent has become less.
    private func isOvertaken(_ wake: WakeWork) async throws(LedgerFault) -> Bool {
        if try await ledger.work(wake.with(.nothing).id) != nil { return true }
        guard wake.rest == .all else { return false }
        return try await ledger.work(wake.with(.alert).id) != nil
    }

    private func send(_ wake: WakeWork, since createdAt: UnixTime, to device: Device) async -> OutboxOutcome {
        var machine = WakeThenAlert(deadline: wake.order.deadline, at: createdAt)
        if wake.rest == .alert { _ = machine.on(.refused(.wake), at: createdAt) }
        var next = machine.on(.resumed, at: clock())
        while let push = next {
            let outcome = await send(push, of: wake.order, to: device, until: machine.due ?? wake.order.deadline)
            switch outcome {
            case .accepted:
                if push == .alert { observer.note(.alerted) }
                next = machine.on(.accepted(push), at: clock())
            case .later(let seconds, _) where push == .alert, .paused(let seconds, _) where push == .alert:
                return again(wake, since: createdAt, after: seconds)
            // The alert goes when its time comes.
            case .later, .paused: next = nil
            case .gone: return .dropped("the device has gone")
            case .parked, .refused, .tooLarge: next = machine.on(.refused(push), at: clock())
            }
            if machine.state == .finished(.unreachable), case .refused(let reason) = OutboxOutcome(outcome, at: clock())
            {
                // Parked work is not counted with the other wakes of the device.
                return .postponed(seconds: wake.order.deadline.seconds(since: clock()), reason)
            }
        }
        if let due = machine.due { return .continued(at: due) }
        guard machine.state == .finished(.alerted) else { return .dropped("the wake has expired") }
        // Lost, the work is said to have expired at the deadline.
        try? await end(wake, since: createdAt)
        return .continued(at: wake.order.deadline)
    }

    /// Another attempt soon, since the wake is of use until its deadline only: after a tenth of what is left at the latest,
    /// and more seldom the longer it has been tried.
    private func again(_ wake: WakeWork, since createdAt: UnixTime, after seconds: UInt64) -> OutboxOutcome {
        let now = clock()
        let pause = max(seconds, now.seconds(since: createdAt) / 4, 2)
        return .continued(at: now.adding(seconds: min(pause, max(wake.order.deadline.seconds(since: now) / 10, 5))))
    }

    /// Sends one of the two push messages; what the provider has not answered by a moment is given up.
    private func send(
        _ push: WakeThenAlert.Push, of order: WakeOrder, to device: Device, until end: UnixTime
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
