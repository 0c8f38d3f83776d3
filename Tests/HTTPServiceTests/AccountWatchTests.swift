import LedgerRecords
import Platform
import ResponderCore
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite("Watching accounts and imported keys", .timeLimit(.minutes(5)))
struct AccountWatchTests {
    private struct Unreadable: Error {}

    @Test("Imported keys are read whenever the ledger tells of a change by another process, and again after a failure")
    func imports() async throws {
        let service = try await TestService()
        let (looks, looked) = AsyncStream.makeStream(of: Void.self)
        let pauses = Guarded(0)
        let watch = AccountWatch(
            accounts: service.responder.accounts,
            noticeImports: {
                looked.yield()
                if pauses.withLock({ $0 }) == 0 { throw Unreadable() }
            }, pause: { pauses.withLock { $0 += 1 } }, noteFault: { _ in })
        let running = Task { await watch.run() }
        var iterator = looks.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        #expect(await iterator.next() != nil)
        let other = try await LedgerDatabase.open(at: service.folder.path + "/ledger.sqlite")
        _ = try await other.removeAccount(named: AccountID("alice@example.com"))
        #expect(await iterator.next() != nil)
        #expect(try await service.responder.accounts.account(named: AccountID("alice@example.com")) == nil)
        #expect(pauses.withLock { $0 } == 1)
        running.cancel()
        await running.value
    }

    @Test("Keys that were put back are noticed after a while, without a change in the ledger")
    func keysPutBack() async throws {
        let service = try await TestService()
        let (looks, looked) = AsyncStream.makeStream(of: Void.self)
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self)
        let watch = AccountWatch(
            accounts: service.responder.accounts, noticeImports: { looked.yield() },
            interval: {
                for await _ in ticks { return }
                throw CancellationError()
            }, noteFault: { _ in })
        let running = Task { await watch.run() }
        var iterator = looks.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        for _ in 0..<2 {
            tick.yield()
            #expect(await iterator.next() != nil)
        }
        running.cancel()
        await running.value
    }
}
