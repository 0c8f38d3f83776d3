import Platform
import ResponderModel
import Testing
@testable import ResponderCore

@Suite("When to renew a lease and when to work under it", .timeLimit(.minutes(5)))
struct LeaseAgendaTests {
    private let first = Lease(name: .outbox, epoch: 1)
    private let second = Lease(name: .outbox, epoch: 2)

    private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(sinceStart: .seconds(seconds)) }

    private func agenda() -> LeaseAgenda { LeaseAgenda(.shared, at: at(0)) }

    /// One that holds the first lease since 0 s.
    private func holding() -> LeaseAgenda {
        var agenda = agenda()
        #expect(agenda.on(.woke, at: at(0)) == [.ask])
        #expect(agenda.on(.answered(first, askedAt: at(0)), at: at(0.1)) == [.start(first, run: 1)])
        return agenda
    }

    @Test("It asks at once, works when the lease is its own, and asks again every three seconds")
    func holds() {
        var agenda = holding()
        #expect(agenda.held == first)
        #expect(agenda.nextWake == at(3))
        #expect(agenda.on(.woke, at: at(2.9)) == [])
        #expect(agenda.on(.woke, at: at(3)) == [.ask])
        #expect(agenda.on(.answered(first, askedAt: at(3)), at: at(3.1)) == [])
        #expect(agenda.nextWake == at(6))
        #expect(agenda.held == first)
    }

    @Test("While another instance holds the lease it does nothing but ask")
    func waits() {
        var agenda = agenda()
        #expect(agenda.on(.woke, at: at(0)) == [.ask])
        #expect(agenda.on(.answered(nil, askedAt: at(0)), at: at(0.1)) == [])
        #expect(agenda.held == nil)
        #expect(agenda.nextWake == at(3))
        #expect(agenda.on(.woke, at: at(3)) == [.ask])
        #expect(agenda.on(.answered(second, askedAt: at(3)), at: at(3.1)) == [.start(second, run: 1)])
    }

    @Test("It stops eight seconds after the beginning of its last success, though the ledger does not answer")
    func hangs() {
        var agenda = holding()
        #expect(agenda.on(.woke, at: at(3)) == [.ask])
        // No question is asked while another is open.
        #expect(agenda.nextWake == at(8))
        #expect(agenda.on(.woke, at: at(7.9)) == [])
        #expect(agenda.held == first)
        #expect(agenda.on(.woke, at: at(8)) == [.stop])
        #expect(agenda.held == nil)
        #expect(agenda.nextWake == nil)
        // The late answer counts from when it was asked for.
        #expect(agenda.on(.answered(first, askedAt: at(3)), at: at(10)) == [.start(first, run: 2), .ask])
        #expect(agenda.on(.woke, at: at(11)) == [.stop])
    }

    @Test("A success that comes too late is none")
    func late() {
        var agenda = agenda()
        #expect(agenda.on(.woke, at: at(0)) == [.ask])
        #expect(agenda.on(.answered(first, askedAt: at(0)), at: at(8)) == [.ask])
        #expect(agenda.held == nil)
    }

    @Test("A ledger that fails is asked again after a second, and the work goes on until its time is over")
    func fails() {
        var agenda = holding()
        for second in 3...7 {
            #expect(agenda.on(.woke, at: at(Double(second))) == [.ask])
            #expect(agenda.on(.failed, at: at(Double(second))) == [])
            #expect(agenda.held == first)
        }
        #expect(agenda.on(.woke, at: at(8)) == [.stop, .ask])
        #expect(agenda.on(.answered(first, askedAt: at(8)), at: at(8)) == [.start(first, run: 2)])
    }

    @Test("When another instance has taken over, it stops at once; under a new epoch it begins anew")
    func takenOver() {
        var agenda = holding()
        #expect(agenda.on(.woke, at: at(3)) == [.ask])
        #expect(agenda.on(.answered(nil, askedAt: at(3)), at: at(3)) == [.stop])
        agenda = holding()
        #expect(agenda.on(.woke, at: at(3)) == [.ask])
        #expect(agenda.on(.answered(second, askedAt: at(3)), at: at(3)) == [.stop, .start(second, run: 2)])
    }

    @Test("A process that was stopped does nothing before it has asked again")
    func stopped() {
        var agenda = holding()
        #expect(agenda.on(.woke, at: at(3)) == [.ask])
        // Stopped for a minute; the answer had arrived before.
        #expect(agenda.on(.answered(first, askedAt: at(3)), at: at(63)) == [.stop, .ask])
        #expect(agenda.held == nil)
    }

    @Test("Work that ended by itself is begun again with the next renewal, a second later at the earliest")
    func ended() {
        var agenda = holding()
        #expect(agenda.on(.ended(run: 1), at: at(0.5)) == [])
        #expect(agenda.held == nil)
        #expect(agenda.nextWake == at(1.5))
        #expect(agenda.on(.woke, at: at(1.5)) == [.ask])
        #expect(agenda.on(.answered(first, askedAt: at(1.5)), at: at(1.5)) == [.start(first, run: 2)])
        // The end of earlier work says nothing about this.
        #expect(agenda.on(.ended(run: 1), at: at(1.6)) == [])
        #expect(agenda.held == first)
    }

    @Test("Where instances share a ledger, another one takes over within ten seconds")
    func takeover() { #expect(LeaseTerms.shared.length <= 10) }

    @Test(
        "A lease is renewed three times before it runs out, and the work goes on without the third",
        arguments: [LeaseTerms.shared, .alone])
    func renewals(terms: LeaseTerms) {
        let length = Duration.seconds(terms.length)
        #expect(terms.renewal * 3 <= length)
        #expect(terms.renewal * 2 < terms.hold && terms.hold < length - .seconds(1))
    }

    @Test(
        "An instance is known for the time of five heartbeats, and one heartbeat that failed is no gap",
        arguments: [LeaseTerms.shared, .alone])
    func heartbeats(terms: LeaseTerms) {
        let lifetime = Duration.seconds(terms.lifetime)
        #expect(terms.heartbeat * 5 == lifetime)
        #expect(terms.longestGap >= terms.heartbeat + LeaseTerms.retry)
        #expect(terms.longestGap * 2 < lifetime - terms.heartbeat)
    }
}
