import Platform
import ResponderModel
import Testing
import Waiting
@testable import Registrations

@Suite("Replies that somebody awaits", .timeLimit(.minutes(5)))
struct AwaitedRepliesTests {
    private let id = ReplyID(7)
    private let faults = Guarded<[LedgerFault]>([])
    private let time = ManualClock()

    private func replies(on board: ReplyBoard? = nil) -> AwaitedReplies {
        AwaitedReplies(shared: board?.mailbox(), clock: time.clock) { [faults] fault in
            faults.withLock { $0.append(fault) }
        }
    }

    @Test("A reply is awaited from when it is opened until it is closed, or the service stops")
    func closed() async {
        let replies = replies()
        #expect(!replies.isShared)
        #expect(!replies.isOpen(id))
        #expect(replies.open(id) { _ in true })
        #expect(replies.isOpen(id))
        #expect(await replies.share(id, within: .seconds(1)))
        replies.close(id)
        #expect(!replies.isOpen(id))
        #expect(await replies.share(id, within: .seconds(1)) == false)
        #expect(replies.open(id) { _ in true })
        await replies.stop()
        #expect(!replies.isOpen(id))
        #expect(replies.open(ReplyID(8)) { _ in true } == false)
    }

    @Test("Other instances do not expect a reply that is no longer awaited")
    func closedBeforeShared() async {
        let board = ReplyBoard()
        let replies = replies(on: board)
        #expect(replies.isShared)
        #expect(replies.open(id) { _ in true })
        replies.close(id)
        #expect(await replies.share(id, within: .seconds(1)) == false)
        #expect(board.expected == 0)
    }

    @Test("A reply that cannot be handed over is not accepted, and the fault is noted")
    func notHandedOver() async {
        let replies = replies(on: ReplyBoard(isBroken: true))
        #expect(await replies.hand(DeviceReply([]), for: id) == false)
        #expect(faults.withLock { $0 } == [.busy])
    }

    @Test("When replies from other instances cannot be read, they are read again after a second")
    func readingAgain() async throws {
        let replies = replies(on: ReplyBoard(isBroken: true))
        let reading = Task { await replies.run() }
        try await time.waitForSleepers(1)
        time.advance(by: .milliseconds(999))
        #expect(time.sleepers == 1 && faults.withLock { $0 } == [.busy])
        time.advance(by: .milliseconds(1))
        try await eventually { faults.withLock { $0 } == [.busy, .busy] }
        reading.cancel()
        await reading.value
    }
}
