import Platform
import LightningCrypto
import OutboundHTTP
@testable import ResponderCore
import Testing

@Suite("The attempts to deliver one reply", .timeLimit(.minutes(5)))
struct DeliveryTests {
    private let start = MonotonicTime.now
    private let plain = DeliverySchedule(
        moments: [.zero, .seconds(1), .seconds(3), .seconds(7)], hardStop: .seconds(12), attemptTime: .seconds(5))

    private func at(_ seconds: Double) -> MonotonicTime { start + .milliseconds(Int(seconds * 1000)) }

    private func delivery(deadline: Double = 20) -> Delivery { Delivery(plain, at: start, deadline: at(deadline)) }

    @Test("Jitter is up to a quarter of each pause, exactly as drawn, and absent without random numbers")
    func jitter() {
        func moments(_ bytes: [UInt8]) -> [Duration] {
            DeliverySchedule { count throws(CryptoFault) in
                #expect(count == 6)
                return bytes
            }.moments
        }
        #expect(moments([0, 0, 0, 0, 0, 0]) == plain.moments)
        #expect(
            moments([0x80, 0, 0x40, 0, 0, 1]) == [
                .zero, .milliseconds(1_125), .milliseconds(3_125), .seconds(7) + .seconds(1) / 65_536,
            ])
        let latest = moments([UInt8](repeating: 0xFF, count: 6))
        for (moment, bound) in zip(latest.dropFirst(), [1.25, 3.5, 8.0]) {
            #expect(moment < .seconds(bound))
            #expect(moment > .seconds(bound) - .milliseconds(1))
        }
        let none = DeliverySchedule { _ throws(CryptoFault) in throw .entropyUnavailable }
        #expect(none.moments == plain.moments)
        #expect(none.hardStop == .seconds(12))
        #expect(none.attemptTime == .seconds(5))
    }

    @Test(
        "Exactly 200 is success",
        arguments: [(200, DeliveryOutcome.taken)] + [201, 202, 204, 206].map { ($0, .refused(status: $0)) })
    func success(status: Int, outcome: DeliveryOutcome) {
        var delivery = delivery()
        #expect(delivery.on(.began, at: start) == .post(timeout: .seconds(5)))
        #expect(delivery.on(.answered(status: status), at: at(0.1)) == .finish(outcome))
        #expect(delivery.attempts == 1)
    }

    @Test("These statuses are retried, 1 s, 3 s and 7 s after the start", arguments: [429, 502, 503, 504])
    func transient(status: Int) {
        var delivery = delivery()
        #expect(delivery.on(.began, at: start) == .post(timeout: .seconds(5)))
        for moment in [1.0, 3, 7] {
            #expect(delivery.on(.answered(status: status), at: at(moment - 0.9)) == .wait(until: at(moment)))
            #expect(delivery.on(.woke, at: at(moment)) == .post(timeout: .seconds(5)))
        }
        #expect(delivery.on(.answered(status: status), at: at(7.1)) == .finish(.refused(status: status)))
        #expect(delivery.attempts == 4)
    }

    @Test(
        "Every other status is final",
        arguments: [100, 301, 302, 307, 308, 400, 401, 404, 408, 410, 425, 500, 501, 505])
    func final(status: Int) {
        var delivery = delivery()
        _ = delivery.on(.began, at: start)
        #expect(delivery.on(.answered(status: status), at: at(0.1)) == .finish(.refused(status: status)))
    }

    @Test(
        "Attempts that never reached the receiver are retried",
        arguments: [
            OutboundFault.connect, .resolve, .proxy, .timeout(requestSent: false), .connectionLost(requestSent: false),
        ])
    func connectFaults(fault: OutboundFault) {
        var delivery = delivery()
        _ = delivery.on(.began, at: start)
        #expect(delivery.on(.failed(fault), at: at(0.1)) == .wait(until: at(1)))
        _ = delivery.on(.woke, at: at(1))
        #expect(delivery.on(.answered(status: 200), at: at(1.1)) == .finish(.taken))
        for moment in [1.0, 3, 7] {
            _ = (delivery.on(.failed(fault), at: at(moment)), delivery.on(.woke, at: at(moment)))
        }
    }

    @Test("If no attempt reaches the receiver, the outcome is unreachable, with the last fault")
    func unreachable() {
        var delivery = delivery()
        _ = delivery.on(.began, at: start)
        for moment in [1.0, 3, 7] {
            #expect(
                delivery.on(.failed(moment == 3 ? .handshake : .resolve), at: at(moment - 0.5))
                    == .wait(until: at(moment)))
            _ = delivery.on(.woke, at: at(moment))
        }
        #expect(delivery.on(.failed(.connect), at: at(7.1)) == .finish(.unreachable(.connect)))
    }

    @Test("Invalid certificates are not retried", arguments: [OutboundFault.tls(.expired), .onionWithoutProxy])
    func finalFaults(fault: OutboundFault) {
        var delivery = delivery()
        _ = delivery.on(.began, at: start)
        #expect(delivery.on(.failed(fault), at: at(0.1)) == .finish(.unreachable(fault)))
    }

    @Test(
        "An attempt sent without a response is uncertain, and retried only after a timeout",
        arguments: [
            OutboundFault.connectionLost(requestSent: true), .malformedResponse, .headersTooLarge, .canceled, .closed,
            .other(code: 1),
        ])
    func uncertain(fault: OutboundFault) {
        var delivery = delivery()
        _ = delivery.on(.began, at: start)
        #expect(delivery.on(.failed(fault), at: at(0.1)) == .finish(.uncertain))
    }

    @Test("A timeout after sending is retried; a later 500 is then uncertain, and so is any end without a response")
    func answeredUnread() {
        let ends: [(Delivery.Event, DeliveryOutcome)] = [
            (.answered(status: 200), .taken), (.answered(status: 500), .uncertain),
            (.answered(status: 404), .refused(status: 404)), (.failed(.tls(.otherName)), .uncertain),
            (.canceled, .uncertain),
            (.failed(.refusedAddress), .uncertain),
        ]
        for (event, outcome) in ends {
            var delivery = delivery()
            _ = delivery.on(.began, at: start)
            #expect(delivery.on(.failed(.timeout(requestSent: true)), at: at(0.5)) == .wait(until: at(1)))
            _ = delivery.on(.woke, at: at(1))
            #expect(delivery.on(event, at: at(1.1)) == .finish(outcome))
        }
    }

    @Test("An attempt that outlasts the next pause is followed by the next one at once, and all end at 12 s")
    func hardStop() {
        var delivery = delivery()
        let late = OutboundFault.timeout(requestSent: false)
        #expect(delivery.on(.began, at: start) == .post(timeout: .seconds(5)))
        #expect(delivery.on(.failed(late), at: at(5)) == .wait(until: at(5)))
        #expect(delivery.on(.woke, at: at(5)) == .post(timeout: .seconds(5)))
        #expect(delivery.on(.failed(late), at: at(10)) == .wait(until: at(10)))
        #expect(delivery.on(.woke, at: at(10)) == .post(timeout: .seconds(2)))
        #expect(delivery.on(.failed(late), at: at(12)) == .finish(.unreachable(late)))
    }

    @Test("Nothing is in flight after the deadline, and an attempt that would start after it is not awaited")
    func deadline() {
        var delivery = delivery(deadline: 3)
        #expect(delivery.on(.began, at: start) == .post(timeout: .seconds(3)))
        #expect(delivery.on(.answered(status: 503), at: at(0.5)) == .wait(until: at(1)))
        #expect(delivery.on(.woke, at: at(1)) == .post(timeout: .seconds(2)))
        #expect(delivery.on(.answered(status: 503), at: at(1.5)) == .finish(.refused(status: 503)))
        // If the wake-up is late, nothing more is posted.
        var woken = self.delivery(deadline: 2)
        _ = woken.on(.began, at: start)
        _ = woken.on(.failed(.connect), at: at(0.5))
        #expect(woken.on(.woke, at: at(2)) == .finish(.unreachable(.connect)))
    }

    @Test("When the deadline passed before the start, or the delivery was canceled, nothing was sent")
    func outOfTime() {
        var late = Delivery(plain, at: start, deadline: start)
        #expect(late.on(.began, at: start) == .finish(.outOfTime))
        #expect(late.attempts == 0)
        var refused = delivery()
        _ = refused.on(.began, at: start)
        _ = refused.on(.answered(status: 503), at: at(0.1))
        #expect(refused.on(.canceled, at: at(0.5)) == .finish(.refused(status: 503)))
    }

    @Test("A forbidden address ends it, whatever happened before")
    func forbidden() {
        var delivery = delivery()
        _ = delivery.on(.began, at: start)
        #expect(delivery.on(.failed(.refusedAddress), at: at(0.1)) == .finish(.forbidden(.resolvedAddress)))
        // The name may resolve differently at the second attempt.
        var rebound = self.delivery()
        _ = rebound.on(.began, at: start)
        _ = rebound.on(.answered(status: 503), at: at(0.1))
        _ = rebound.on(.woke, at: at(1))
        #expect(rebound.on(.failed(.refusedAddress), at: at(1.1)) == .finish(.forbidden(.resolvedAddress)))
    }
}
