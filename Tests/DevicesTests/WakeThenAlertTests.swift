import LightningCoding
import Testing

@testable import Devices

@Suite("Wake, then alert", .timeLimit(.minutes(1)))
struct WakeThenAlertTests {
    private static let start = UnixTime(1_790_000_000)

    private func at(_ seconds: UInt64) -> UnixTime { Self.start.adding(seconds: seconds) }

    private func waking(deadline seconds: UInt64 = 60) -> WakeThenAlert {
        WakeThenAlert(deadline: at(seconds), at: Self.start)
    }

    @Test("A wake handled in time gets no alert")
    func handled() {
        var machine = waking()
        #expect(machine.on(.accepted(.wake), at: at(1)) == nil)
        #expect(machine.on(.acknowledged(.handled), at: at(7)) == nil)
        #expect(machine.state == .finished(.handled))
        #expect(machine.due == nil)
        #expect(machine.on(.time, at: at(8)) == nil)
    }

    @Test("Acceptance by a provider is no acknowledgement: after eight seconds the alert goes")
    func unacknowledged() {
        var machine = waking()
        _ = machine.on(.accepted(.wake), at: at(1))
        #expect(machine.due == at(8))
        #expect(machine.on(.time, at: at(7)) == nil)
        #expect(machine.on(.time, at: at(8)) == .alert)
        #expect(machine.on(.accepted(.alert), at: at(9)) == nil)
        #expect(machine.state == .finished(.alerted))
    }

    @Test(
        "Only handled cancels the alert: any other outcome sends it at once",
        arguments: [
            WakeAcknowledgement.Outcome.noHandler, .failed,
        ])
    func notHandled(outcome: WakeAcknowledgement.Outcome) {
        var machine = waking()
        #expect(machine.on(.acknowledged(outcome), at: at(2)) == .alert)
        #expect(machine.on(.acknowledged(outcome), at: at(3)) == nil)
    }

    @Test("When no provider takes the wake, the alert goes at once; when none takes that either, it ends")
    func refused() {
        var machine = waking()
        #expect(machine.on(.refused(.wake), at: at(1)) == .alert)
        #expect(machine.on(.refused(.alert), at: at(2)) == nil)
        #expect(machine.state == .finished(.unreachable))
    }

    @Test("Near its deadline the alert leaves the person twenty seconds, and after it nothing is sent")
    func deadlines() {
        #expect(waking(deadline: 24).due == at(4))
        #expect(waking(deadline: 20).due == Self.start)
        var machine = waking(deadline: 5)
        #expect(machine.on(.time, at: at(5)) == nil)
        #expect(machine.state == .finished(.expired))
        machine = waking(deadline: 30)
        _ = machine.on(.time, at: at(8))
        #expect(machine.due == at(30))
        #expect(machine.on(.resumed, at: at(30)) == nil)
        #expect(machine.state == .finished(.expired))
    }

    @Test("What handled it after the alert is recorded, also while the alert is being sent")
    func late() {
        var machine = waking()
        _ = machine.on(.time, at: at(8))
        #expect(machine.on(.acknowledged(.handled), at: at(9)) == nil)
        #expect(machine.state == .finished(.handled))
        machine = waking()
        _ = machine.on(.time, at: at(8))
        _ = machine.on(.accepted(.alert), at: at(9))
        #expect(machine.on(.acknowledged(.failed), at: at(10)) == nil)
        #expect(machine.state == .finished(.alerted))
        #expect(machine.on(.acknowledged(.handled), at: at(70)) == nil)
        #expect(machine.state == .finished(.handled))
    }

    @Test("After a restart the same push message goes again, or the alert whose time has come")
    func restart() {
        var machine = waking()
        #expect(machine.on(.resumed, at: at(3)) == .wake)
        #expect(machine.on(.resumed, at: at(8)) == .alert)
        #expect(machine.on(.resumed, at: at(9)) == .alert)
        var again = WakeThenAlert(deadline: machine.deadline, state: machine.state)
        #expect(again.on(.accepted(.alert), at: at(10)) == nil)
        #expect(again.on(.resumed, at: at(11)) == nil)
        #expect(again.state == .finished(.alerted))
    }

    @Test("Whatever happens in whatever order, at most one alert is sent without a restart, and none once handled")
    func anyOrder() {
        let events: [WakeThenAlert.Event] = [
            .accepted(.wake), .accepted(.alert), .refused(.wake), .refused(.alert), .acknowledged(.handled),
            .acknowledged(.failed), .acknowledged(.noHandler), .time,
        ]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var machine = waking()
            var alerts = 0
            var wasHandled = false
            for second in 1...30 {
                let event = events.randomElement(using: &generator) ?? .time
                let push = machine.on(event, at: at(UInt64(second) * 3))
                if push == .alert { alerts += 1 }
                #expect(push != .wake)
                if wasHandled { #expect(push == nil) }
                wasHandled = machine.state == .finished(.handled)
            }
            #expect(alerts <= 1)
            #expect(machine.due == nil)
        }
    }
}
