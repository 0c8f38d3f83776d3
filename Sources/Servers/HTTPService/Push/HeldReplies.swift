import LightningCoding
import LightningCrypto
package import Logging
import Platform
import Registrations
package import ResponderModel

/// Requests that wait for the reply of a device, by what stands for the id in its reply URL. The first reply ends one.
final class HeldReplies: Sendable {
    private struct State: Sendable {
        var waiting: [ReplyDigest: FirstAnswer<[UInt8]?>] = [:]
        var isStopped = false
    }

    private let state = Guarded(State())

    /// Waits for one more reply; nil once the service stops, and when the system has no random bytes.
    func open(_ random: RandomSource) -> (id: ReplyID, reply: FirstAnswer<[UInt8]?>)? {
        guard let id = try? ReplyID(random: random) else { return nil }
        let reply = FirstAnswer<[UInt8]?>()
        let isOpen = state.withLock { state in
            guard !state.isStopped, state.waiting[id.digest] == nil else { return false }
            state.waiting[id.digest] = reply
            return true
        }
        return isOpen ? (id, reply) : nil
    }

    /// Whether somebody waits for it.
    func isOpen(_ digest: ReplyDigest) -> Bool {
        state.withLock { $0.waiting[digest] != nil }
    }

    /// Takes a reply; false when nobody waits for it, or not any more.
    func receive(_ body: [UInt8], for digest: ReplyDigest) -> Bool {
        state.withLock { $0.waiting.removeValue(forKey: digest) }?.give(body) ?? false
    }

    /// Nobody waits for it any more.
    func close(_ digest: ReplyDigest) {
        state.withLock { $0.waiting.removeValue(forKey: digest) }?.give(nil)
    }

    /// Ends all, and opens no more.
    func stop() {
        let waiting = state.withLock { state in
            defer { state = State(isStopped: true) }
            return Array(state.waiting.values)
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
