import LightningCoding
import Testing
@testable import ResponderCore

@Suite("When work is taken from the outbox", .timeLimit(.minutes(5)))
struct OutboxAgendaTests {
    private let now = UnixTime(1_000)

    private func agenda(concurrency: Int = 2) -> OutboxAgenda { OutboxAgenda(concurrency: concurrency, interval: 60) }

    @Test("A wake-up claims as much as there are free slots; then the next due time is awaited")
    func wakes() {
        var agenda = agenda()
        #expect(agenda.on(.woke, at: now) == .claim(limit: 2))
        #expect(agenda.on(.claimed(0, nextDue: UnixTime(1_010)), at: now) == .wait(until: UnixTime(1_010)))
        #expect(agenda.on(.woke, at: UnixTime(1_010)) == .claim(limit: 2))
        #expect(agenda.on(.claimed(1, nextDue: nil), at: UnixTime(1_010)) == .wait(until: UnixTime(1_070)))
        #expect(agenda.inHand == 1)
    }

    @Test("Work of other processes is polled for after the interval, however late the next due time is")
    func interval() {
        var agenda = agenda()
        _ = agenda.on(.woke, at: now)
        #expect(agenda.on(.claimed(0, nextDue: UnixTime(9_000)), at: now) == .wait(until: UnixTime(1_060)))
    }

    @Test("No more work is claimed than there are slots; finished work frees its slot")
    func bounded() {
        var agenda = agenda()
        _ = agenda.on(.woke, at: now)
        #expect(agenda.on(.claimed(2, nextDue: now), at: now) == nil)
        #expect(agenda.on(.woke, at: now) == nil)
        #expect(agenda.on(.finished, at: now) == .claim(limit: 1))
        #expect(agenda.on(.claimed(1, nextDue: nil), at: now) == nil)
        #expect(agenda.inHand == 2)
    }

    @Test("A wake-up during a claim causes one more claim afterwards")
    func wokenMeanwhile() {
        var agenda = agenda()
        _ = agenda.on(.woke, at: now)
        #expect(agenda.on(.woke, at: now) == nil)
        #expect(agenda.on(.woke, at: now) == nil)
        #expect(agenda.on(.claimed(0, nextDue: nil), at: now) == .claim(limit: 2))
        #expect(agenda.on(.claimed(0, nextDue: nil), at: now) == .wait(until: UnixTime(1_060)))
    }

    @Test("After a ledger fault the next claim waits for the interval")
    func failing() {
        var agenda = agenda()
        _ = agenda.on(.woke, at: now)
        _ = agenda.on(.woke, at: now)
        #expect(agenda.on(.failed, at: now) == .wait(until: UnixTime(1_060)))
    }
}
