import LightningCoding
import LightningCrypto
package import Logging
import Platform
import Registrations
package import ResponderModel

/// Requests that wait for the reply of a device, by what stands for the id in its reply URL. The first reply ends one.
final class HeldReplies: Sendable {
    private struct Open: Sendable {
        let reply: FirstAnswer<[UInt8]?>
        let device: [UInt8]
    }

    private struct State: Sendable {
        var waiting: [ReplyDigest: Open] = [:]
        /// How many of them wait for each device.
        var ofDevice: [[UInt8]: Int] = [:]
        var isStopped = false

        mutating func end(_ digest: ReplyDigest) -> FirstAnswer<[UInt8]?>? {
            guard let open = waiting.removeValue(forKey: digest), let count = ofDevice[open.device] else { return nil }
            ofDevice[open.device] = count > 1 ? count - 1 : nil
            return open.reply
        }
    }

    /// Why there is no place.
    enum Refusal: Error, ReadableFault {
        case full, deviceBusy, noRandomBytes

        /// The text for the payer.
        var reason: String {
            switch self {
            case .full: "too many requests wait for devices"
            case .deviceBusy: "too many requests wait for this device"
            case .noRandomBytes: "the service cannot answer now"
            }
        }
    }

    /// How many wait for one device: each of them wakes it.
    static let mostOfDevice = 5

    private let maximum: Int
    private let state = Guarded(State())

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// A place for one more reply.
    ///
    /// - Parameter device: stands for the device.
    func open(
        for device: [UInt8], _ random: RandomSource
    ) throws(Refusal) -> (id: ReplyID, reply: FirstAnswer<[UInt8]?>) {
        guard let id = try? ReplyID(random: random) else { throw .noRandomBytes }
        let reply = FirstAnswer<[UInt8]?>()
        try state.withLock { state throws(Refusal) in
            guard !state.isStopped, state.waiting.count < maximum, state.waiting[id.digest] == nil else { throw .full }
            guard state.ofDevice[device, default: 0] < Self.mostOfDevice else { throw .deviceBusy }
            state.waiting[id.digest] = Open(reply: reply, device: device)
            state.ofDevice[device, default: 0] += 1
        }
        return (id, reply)
    }

    /// Whether somebody waits for it.
    func isOpen(_ digest: ReplyDigest) -> Bool {
        state.withLock { $0.waiting[digest] != nil }
    }

    /// Takes a reply; false when nobody waits for it, or not any more.
    func receive(_ body: [UInt8], for digest: ReplyDigest) -> Bool {
        state.withLock { $0.end(digest) }?.give(body) ?? false
    }

    /// Nobody waits for it any more.
    func close(_ digest: ReplyDigest) {
        state.withLock { $0.end(digest) }?.give(nil)
    }

    /// Ends all, and opens no more.
    func stop() {
        let waiting = state.withLock { state in
            defer { state = State(isStopped: true) }
            return state.waiting.values.map(\.reply)
        }
        for reply in waiting { reply.give(nil) }
    }
}

/// Tells the operator that replies of devices which reach other instances are lost: one line for each cause a minute.
package struct LostReplies: Sendable {
    private let logger: Logger
    private let lines = RepeatedLines<String>()

    package init(logger: Logger) {
        self.logger = logger
    }

    /// Notes the fault of the ledger that kept a reply from being expected or handed over.
    @Sendable package func note(_ fault: LedgerFault) {
        lines.note(fault.reason) { [logger] times in
            logger.error(
                "replies that reach other instances are lost",
                metadata: ["cause": .string(fault.reason)].repeated(times))
        }
    }
}
