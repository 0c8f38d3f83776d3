import Contracts
import LightningCrypto
import Platform
import Registrations

/// Requests that wait for the reply of a device, by what stands for the id in its reply URL. The first reply ends one.
final class HeldReplies: Sendable {
    private struct State: Sendable {
        var waiting: [ReplyDigest: FirstAnswer<[UInt8]?>] = [:]
        var isStopped = false
    }

    private let maximum: Int
    private let state = Guarded(State())

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// A place for one more reply; nil when too many wait, or the service stops.
    func open(_ random: RandomSource) -> (id: ReplyID, reply: FirstAnswer<[UInt8]?>)? {
        guard let id = try? ReplyID(random: random) else { return nil }
        let reply = FirstAnswer<[UInt8]?>()
        let isOpen = state.withLock { state in
            guard !state.isStopped, state.waiting.count < maximum, state.waiting[id.digest] == nil else { return false }
            state.waiting[id.digest] = reply
            return true
        }
        return isOpen ? (id, reply) : nil
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
            state.isStopped = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for reply in waiting { reply.give(nil) }
    }
}
