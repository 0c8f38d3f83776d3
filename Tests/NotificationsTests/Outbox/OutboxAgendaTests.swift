import LightningCoding
import Testing

@testable import Notifications

@Suite("When work is taken from the outbox", .timeLimit(.minutes(1)))
struct OutboxAgendaTests {
    private let now = UnixTime(1_000)

    private func agenda(places: Int = 2) -> OutboxAgenda { OutboxAgenda(places: places, interval: 60) }

    @Test("A wake asks for as much as there are places; then the next due time is waited for")
    func wakes() {
        var agenda = agenda()
        #expect(agenda.on(.woke, at: now) == .claim(limit: 2))
        #expect(agenda.on(.claimed(0, nextDue: UnixTime(1_010)), at: now) == .wait(until: UnixTime(1_010)))
        #expect(agenda.on(.woke, at: UnixTime(1_010)) == .claim(limit: 2))
        #expect(agenda.on(.claimed(1, nextDue: nil), at: UnixTime(1_010)) == .wait(until: UnixTime(1_070)))
        #expect(agenda.inHand == 1)
    }

    @Test("Work of other processes is looked for after the interval, however far away the next due time is")
    func interval() {
        var agenda = agenda()
        _ = agenda.on(.woke, at: now)
        #expect(agenda.on(.claimed(0, nextDue: UnixTime(9_000)), at: now) == .wait(until: UnixTime(1_060)))
    }

    @Test("As much as there are places is in hand and no more; what ends makes room for the next")
    func bounded() {
        var agenda = agenda()
        _ = agenda.on(.woke, at: now)
        #expect(agenda.on(.claimed(2, nextDue: now), at: now) == nil)
        #expect(agenda.on(.woke, at: now) == nil)
        #expect(agenda.on(.finished, at: now) == .claim(limit: 1))
        #expect(agenda.on(.claimed(1, nextDue: nil), at: now) == nil)
        #expect(agenda.inHand == 2)
    }

    @Test("A wake while work is asked for asks again afterwards, once")
    func wokenMeanwhile() {
        var agenda = agenda()
        _ = agenda.on(.woke, at: now)
        #expect(agenda.on(.woke, at: now) == nil)
        #expect(agenda.on(.woke, at: now) == nil)
        #expect(agenda.on(.claimed(0, nextDue: nil), at: now) == .claim(limit: 2))
        #expect(agenda.on(.claimed(0, nextDue: nil), at: now) == .wait(until: UnixTime(1_060)))
    }

    @Test("A ledger that gives nothing is asked again after the interval, not at once")
    func failing() {
        var agenda = agenda()
        _ = agenda.on(.woke, at: now)
        _ = agenda.on(.woke, at: now)
        #expect(agenda.on(.failed, at: now) == .wait(until: UnixTime(1_060)))
    }
}
