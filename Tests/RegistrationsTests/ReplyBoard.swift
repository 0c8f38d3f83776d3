import Platform
import ResponderModel

/// What instances hand each other, without a database.
final class ReplyBoard: Sendable {
    private struct State {
        var owners: [ReplyDigest: Int] = [:]
        var handed: [Int: [HandedReply]] = [:]
        var mailboxes = 0
    }

    private let state = Guarded(State())
    private let wakeSignal = WakeSignal()
    private let isBroken: Bool
    private let onExpect: @Sendable () -> Void

    /// - Parameters:
    ///   - isBroken: whether no reply can be expected or handed over.
    ///   - onExpect: called when a reply is to be expected.
    init(isBroken: Bool = false, onExpect: @escaping @Sendable () -> Void = {}) {
        self.isBroken = isBroken
        self.onExpect = onExpect
    }

    var expected: Int { state.withLock { $0.owners.count } }

    func mailbox() -> any SharedReplies {
        Mailbox(
            board: self,
            number: state.withLock { state in
                state.mailboxes += 1
                return state.mailboxes
            })
    }

    private struct Mailbox: SharedReplies {
        let board: ReplyBoard
        let number: Int

        func expect(_ digest: ReplyDigest, within time: Duration) async throws(LedgerFault) {
            if board.isBroken { throw .busy }
            board.state.withLock { $0.owners[digest] = number }
            board.onExpect()
        }

        func forget(_ digest: ReplyDigest) async throws(LedgerFault) {
            board.state.withLock { _ = $0.owners.removeValue(forKey: digest) }
        }

        func hand(_ reply: DeviceReply, for digest: ReplyDigest) async throws(LedgerFault) -> Bool {
            if board.isBroken { throw .busy }
            let owner = board.state.withLock { state in
                let owner = state.owners.removeValue(forKey: digest)
                if let owner { state.handed[owner, default: []].append(HandedReply(reply, for: digest)) }
                return owner
            }
            board.wakeSignal.wake()
            return owner != nil
        }

        func handedOver() async throws(LedgerFault) -> [HandedReply] {
            if board.isBroken { throw .busy }
            let waiting = WakeSignal.Listener(to: board.wakeSignal, ticks: AsyncStream { nil })
            repeat {
                let found = board.state.withLock { $0.handed.removeValue(forKey: number) ?? [] }
                if !found.isEmpty { return found }
            } while await waiting.isWoken()
            return []
        }
    }
}
