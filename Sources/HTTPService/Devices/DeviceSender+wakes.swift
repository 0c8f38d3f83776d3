import Contracts
import Devices
import LightningCoding
import LightningCrypto
import Notifications
import Push

/// The payload of work that wakes a device: the order, the device, and which of the two push messages comes first.
struct WakeWork {
    let order: WakeOrder
    let device: DeviceID
    /// Whether the device has said already that it cannot handle the wake.
    let isAlertOnly: Bool

    init(_ order: WakeOrder, of device: DeviceID, isAlertOnly: Bool = false) {
        self.order = order
        self.device = device
        self.isAlertOnly = isAlertOnly
    }

    /// Reads the payload of work; nil when it is invalid.
    init?(_ work: OutboxWork) {
        guard let json = try? JSONValue(parsing: work.payload), let text = json["device"]?.string,
            let device = DeviceID(text), let isAlertOnly = json["alertOnly"]?.bool,
            let id = json["order"]?["id"]?.string.flatMap({ WakeID($0) }),
            let members = try? JSONMembers<DeviceMemberFault>(json["order"] ?? .null),
            let order = try? WakeOrder(members, at: work.createdAt, named: id)
        else { return nil }
        self.init(order, of: device, isAlertOnly: isAlertOnly)
    }

    /// The work, due at once.
    func work(at createdAt: UnixTime, dueAt: UnixTime) -> OutboxWork {
        let payload: JSONValue = [
            "device": .string(device.description), "alertOnly": .bool(isAlertOnly), "order": .object(order.json),
        ]
        return OutboxWork(
            id: isAlertOnly ? .alert(afterWake: order.id.text, of: device) : .wake(order.id.text, of: device),
            kind: .deviceWake, account: nil, payload: payload.serializedBytes(), createdAt: createdAt,
            deadline: order.deadline, state: .pending(dueAt: dueAt))
    }
}

extension DeviceSender {
    /// Takes the order to wake a device: it is durable on return. Returns the wake's id; nil when the handle leads to
    /// nobody.
    func order(_ body: [UInt8], for handle: String) async throws(CentreRefusal) -> WakeID? {
        let now = clock()
        guard let id = centre.handles.device(handle),
            try await awaiting(await ledger.device(id), as: CentreRefusal.ledger)?.address != nil
        else { return nil }
        guard let random = try? random(16), let drawn = WakeID(Hexadecimal.encode(random)) else {
            throw .ledger(.storage("no random bytes"))
        }
        let order = try WakeOrder(body, at: now, named: drawn)
        let work = WakeWork(order, of: id).work(at: now, dueAt: now)
        try await awaiting(await ledger.add(work, heldBy: nil), as: CentreRefusal.ledger)
        return order.id
    }

    /// Takes what a device says of a wake. An alert follows at once on any outcome but `handled`.
    func acknowledge(_ body: [UInt8], by device: Device) async throws(CentreRefusal) {
        let acknowledgement = try WakeAcknowledgement(body)
        do throws(LedgerFault) {
            let id = OutboxID.wake(acknowledgement.id.text, of: device.id)
            guard let work = try await ledger.work(id), let wake = WakeWork(work) else { return }
            let now = clock()
            observer.note(
                .acknowledged(acknowledgement.outcome, afterSeconds: now.seconds(since: work.createdAt)))
            if acknowledgement.outcome != .handled {
                let alert = WakeWork(wake.order, of: device.id, isAlertOnly: true)
                try await ledger.add(alert.work(at: work.createdAt, dueAt: now), heldBy: nil)
            }
            try await ledger.remove(id)
        } catch {
            throw .ledger(error)
        }
    }

    /// Sends the wake, or the alert that follows: how far it is follows from the time alone, so that it goes on after a
    /// restart.
    func wake(_ work: OutboxWork) async -> OutboxOutcome {
        guard let wake = WakeWork(work) else { return .refused("the entry cannot be read") }
        let device: Device
        do throws(LedgerFault) {
            guard let found = try await ledger.device(wake.device) else { return .dropped("the device has gone") }
            device = found
        } catch {
            return .failed("the ledger was not readable")
        }
        var machine = WakeThenAlert(deadline: wake.order.deadline, at: work.createdAt)
        if wake.isAlertOnly { _ = machine.on(.refused(.wake), at: work.createdAt) }
        var next = machine.on(.resumed, at: clock())
        while let push = next {
            let outcome = await send(push, of: wake.order, to: device)
            switch outcome {
            case .accepted:
                if push == .alert { observer.note(.alerted) }
                next = machine.on(.accepted(push), at: clock())
            case .later(let seconds, let reason) where push == .alert: return .postponed(seconds: seconds, reason)
            // The alert goes when its time comes.
            case .later: next = nil
            case .gone: return .dropped("the device has gone")
            case .parked, .refused, .tooLarge: next = machine.on(.refused(push), at: clock())
            }
            if machine.state == .finished(.unreachable) { return OutboxOutcome(outcome) }
        }
        guard let due = machine.due else {
            return machine.state == .finished(.alerted) ? .carriedOut : .dropped("the wake has expired")
        }
        return .continued(at: due)
    }

    private func send(_ push: WakeThenAlert.Push, of order: WakeOrder, to device: Device) async -> PushOutcome {
        do throws(CryptoFault) {
            guard let message = try order.message(push, to: device, secret: secret, random: random) else {
                return .refused("the device has no encryption key")
            }
            return await send(message, to: device)
        } catch {
            return .later(seconds: Self.pause, "the wake could not be encrypted")
        }
    }
}
