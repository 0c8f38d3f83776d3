import LightningCoding
import ResponderModel
import Testing
@testable import Devices

@Suite("Catching up", .timeLimit(.minutes(5)))
struct CatchUpTests {
    private static let start = UnixTime(1_790_000_000)

    private func at(_ seconds: UInt64) -> UnixTime { Self.start.adding(seconds: seconds) }

    /// Alerts 1 to 3 were accepted for a day; the device shows the last one after an hour.
    private func reported() -> CatchUp {
        var machine = CatchUp()
        for sequence in 1...3 as ClosedRange<UInt64> {
            let alert = CatchUpState.StoredAlert(sequence: sequence, expires: at(86_400))
            #expect(machine.on(.accepted(alert), isPending: true, at: at(sequence)) == nil)
        }
        #expect(machine.on(.delivered(sequence: 3), isPending: true, at: at(3600)) == nil)
        return machine
    }

    @Test("A device that reports one alert of several is woken half a minute later, once")
    func wake() {
        var machine = reported()
        #expect(machine.state.wakeDue == at(3630))
        #expect(machine.on(.time, isPending: true, at: at(3629)) == nil)
        #expect(machine.on(.time, isPending: true, at: at(3630)) == .wake)
        #expect(machine.on(.time, isPending: true, at: at(3631)) == nil)
        #expect(machine.state.lastWake == at(3630))
    }

    @Test("A further report changes nothing of the due time, and another wake waits half an hour")
    func interval() {
        var machine = reported()
        _ = machine.on(.delivered(sequence: 3), isPending: true, at: at(3620))
        #expect(machine.state.wakeDue == at(3630))
        _ = machine.on(.time, isPending: true, at: at(3630))
        _ = machine.on(.delivered(sequence: 3), isPending: true, at: at(3700))
        #expect(machine.state.wakeDue == at(3630 + 1800))
    }

    @Test("With nothing pending there is no wake")
    func nothingPending() {
        var machine = CatchUp()
        _ = machine.on(.accepted(.init(sequence: 1, expires: at(60))), isPending: true, at: at(0))
        _ = machine.on(.delivered(sequence: 1), isPending: false, at: at(1))
        #expect(machine.state.wakeDue == nil)
        machine = reported()
        #expect(machine.on(.time, isPending: false, at: at(3630)) == nil)
        #expect(machine.state.wakeDue == nil)
    }

    @Test("A fetch cancels the wake")
    func fetch() {
        var machine = reported()
        _ = machine.on(.fetched, isPending: false, at: at(3610))
        #expect(machine.state.wakeDue == nil)
        #expect(machine.on(.time, isPending: true, at: at(3630)) == nil)
    }

    @Test("While a provider may have stored an alert no wake replaces it")
    func stored() {
        var machine = reported()
        _ = machine.on(.accepted(.init(sequence: 4, expires: at(90_000))), isPending: true, at: at(3620))
        #expect(machine.on(.time, isPending: true, at: at(3630)) == nil)
        #expect(machine.state.wakeDue == at(90_000))
        _ = machine.on(.delivered(sequence: 3), isPending: true, at: at(4000))
        #expect(machine.on(.time, isPending: true, at: at(4100)) == nil)
        _ = machine.on(.delivered(sequence: 4), isPending: true, at: at(5000))
        #expect(machine.state.wakeDue == at(5030))
        #expect(machine.on(.time, isPending: true, at: at(5030)) == .wake)
    }

    @Test("An alert that is never reported is forgotten when it expires, and then the device is woken")
    func unreported() {
        var machine = CatchUp()
        _ = machine.on(.accepted(.init(sequence: 1, expires: at(60))), isPending: true, at: at(0))
        #expect(machine.state.wakeDue == at(60))
        #expect(machine.on(.time, isPending: true, at: at(60)) == .wake)
    }

    @Test("A device for which there is no slot waits its turn: those that are due meanwhile come first")
    func postponed() {
        var machine = reported()
        _ = machine.on(.postponed, isPending: true, at: at(3640))
        #expect(machine.state.wakeDue == at(3670))
        #expect(machine.on(.time, isPending: true, at: at(3669)) == nil)
        #expect(machine.on(.time, isPending: true, at: at(3670)) == .wake)
        var idle = CatchUp()
        _ = idle.on(.postponed, isPending: false, at: at(0))
        #expect(idle.state == CatchUpState())
    }

    @Test("Unanswered wakes become rarer, up to 16 hours, and a fetch ends that")
    func unanswered() throws {
        var machine = reported()
        var now = at(3630)
        var pauses: [UInt64] = []
        for _ in 0..<8 {
            #expect(machine.on(.time, isPending: true, at: now) == .wake)
            _ = machine.on(.woken, isPending: true, at: now)
            pauses.append(machine.state.wakeDue?.seconds(since: now) ?? 0)
            now = machine.state.wakeDue ?? now
        }
        #expect(pauses == [1800, 3600, 7200, 14_400, 28_800, 57_600, 57_600, 57_600])
        let last = try #require(machine.state.lastWake)
        _ = machine.on(.fetched, isPending: true, at: last.adding(seconds: 60))
        #expect(machine.state.wakeDue == last.adding(seconds: 1800))
    }

    @Test("A wake that no provider has accepted was not left unanswered")
    func outage() {
        var machine = reported()
        var now = at(3630)
        for _ in 0..<8 {
            #expect(machine.on(.time, isPending: true, at: now) == .wake)
            now = now.adding(seconds: 1800)
            #expect(machine.state.wakeDue == now)
        }
    }

    @Test("A report ends the growing of pauses like a fetch")
    func reportAfterSilence() throws {
        var machine = reported()
        var now = at(3630)
        for _ in 0..<5 {
            _ = machine.on(.time, isPending: true, at: now)
            _ = machine.on(.woken, isPending: true, at: now)
            now = try #require(machine.state.wakeDue)
        }
        let last = try #require(machine.state.lastWake)
        #expect(now.seconds(since: last) == 28_800)
        _ = machine.on(.delivered(sequence: 3), isPending: true, at: last.adding(seconds: 60))
        #expect(machine.state.wakeDue == last.adding(seconds: 1800))
    }

    @Test("A fetch that comes before the provider's answer leaves nothing to be woken for")
    func earlyFetch() {
        var machine = reported()
        _ = machine.on(.time, isPending: true, at: at(3630))
        _ = machine.on(.fetched, isPending: false, at: at(3631))
        _ = machine.on(.woken, isPending: false, at: at(3632))
        #expect(machine.state.wakeDue == nil)
    }
}
