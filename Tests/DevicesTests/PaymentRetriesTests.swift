import LightningCoding
import ResponderModel
import Testing
@testable import Devices

@Suite("Retries of a payment to a phone", .timeLimit(.minutes(5)))
struct PaymentRetriesTests {
    private func steps(_ hint: ForwardingHint? = nil, chance: UInt16 = 0) -> [PaymentRetries.Step] {
        var retries = PaymentRetries()
        var steps: [PaymentRetries.Step] = []
        var elapsed = Duration.milliseconds(200)
        while true {
            let step = retries.onFailure(.recipientAsleep, hint: hint, after: elapsed, chance: chance)
            steps.append(step)
            guard case .retry(let moment) = step else { return steps }
            elapsed = moment + .milliseconds(200)
        }
    }

    @Test("Without a hint, attempts start after 0, 1, 3 and 7 seconds")
    func schedule() {
        #expect(
            steps() == [
                .retry(at: .seconds(1)), .retry(at: .seconds(3)), .retry(at: .seconds(7)), .giveUp(.exhausted),
            ])
    }

    @Test("Chance adds up to half a second")
    func jitter() {
        #expect(
            steps(chance: .max) == [
                .retry(at: .milliseconds(1500)), .retry(at: .milliseconds(3500)), .retry(at: .milliseconds(7500)),
                .giveUp(.exhausted),
            ])
    }

    @Test("An attempt that failed slowly is followed by the next one after a short pause")
    func slowFailure() {
        var retries = PaymentRetries()
        #expect(
            retries.onFailure(.recipientAsleep, hint: nil, after: .seconds(5), chance: 0)
                == .retry(at: .milliseconds(5100)))
    }

    @Test("After fifteen seconds no attempt starts")
    func limit() {
        var retries = PaymentRetries()
        let late = ForwardingHint(.retryLater, because: .disconnected, delay: 5000)
        #expect(
            retries.onFailure(.recipientAsleep, hint: late, after: .milliseconds(9999), chance: 0)
                == .retry(at: .milliseconds(14_999)))
        #expect(
            retries.onFailure(.recipientAsleep, hint: late, after: .seconds(10), chance: 0) == .giveUp(.outOfTime))
        #expect(
            retries.onFailure(.recipientAsleep, hint: nil, after: .milliseconds(14_900), chance: 0)
                == .giveUp(.outOfTime))
    }

    @Test("A hint is obeyed: at once, after its delay, or not at all")
    func hints() {
        var retries = PaymentRetries()
        #expect(
            retries.onFailure(
                .recipientAsleep, hint: ForwardingHint(.retryNow, because: .unknown), after: .seconds(2), chance: .max)
                == .retry(at: .milliseconds(2100)))
        #expect(
            retries.onFailure(
                .route, hint: ForwardingHint(.retryLater, because: .disconnected, delay: 2000), after: .seconds(3),
                chance: 0) == .retry(at: .seconds(5)))
        #expect(
            retries.onFailure(
                .recipientAsleep, hint: ForwardingHint(.doNotRetry, because: .insufficientLiquidity),
                after: .seconds(5), chance: 0) == .giveUp(.advised(.insufficientLiquidity)))
    }

    @Test("A peer that always says at once is asked eight times")
    func endlessHint() {
        #expect(steps(ForwardingHint(.retryNow, because: .unknown)).count == 8)
    }

    @Test("A final failure is never tried again")
    func final() {
        var retries = PaymentRetries()
        #expect(
            retries.onFailure(
                .final, hint: ForwardingHint(.retryNow, because: .unknown), after: .zero, chance: 0) == .giveUp(.final))
        #expect(retries.attempts == 1)
    }

    @Test(
        "A failure of the recipient's peer may be a phone that sleeps, one of the recipient is final, any other the route's",
        arguments: [
            (0x400A, .recipientsPeer, .recipientAsleep), (0x1007, .recipientsPeer, .recipientAsleep),
            (0x1014, .recipientsPeer, .recipientAsleep), (0x100C, .recipientsPeer, .route),
            (0x400F, .recipient, .final), (0x0017, .recipient, .final), (0x2002, .recipient, .route),
            (0x400A, .another, .route), (0x1007, .another, .route), (0x400F, .another, .route),
        ] as [(UInt16, PaymentFailure.Origin, PaymentFailure)])
    func classes(code: UInt16, origin: PaymentFailure.Origin, failure: PaymentFailure) {
        #expect(PaymentFailure(code: code, from: origin) == failure)
    }
}

@Suite("The forwarding hint", .timeLimit(.minutes(5)))
struct ForwardingHintTests {
    private let amount = Millisatoshi(1000)

    private func hint(_ isConnected: Bool, _ channels: [(isEnabled: Bool, sendable: UInt64)]) -> ForwardingHint {
        ForwardingHint(
            forwarding: amount,
            to: ForwardingPeer(
                isConnected: isConnected,
                channels: channels.map { .init(isEnabled: $0.isEnabled, sendable: Millisatoshi($0.sendable)) }))
    }

    @Test("A node tells what keeps it from forwarding")
    func reasons() {
        #expect(ForwardingHint(forwarding: amount, to: nil) == ForwardingHint(.doNotRetry, because: .unknown))
        #expect(hint(true, []) == ForwardingHint(.doNotRetry, because: .unknown))
        #expect(hint(false, [(true, 999)]) == ForwardingHint(.doNotRetry, because: .insufficientLiquidity))
        #expect(hint(false, [(true, 1000)]) == ForwardingHint(.retryLater, because: .disconnected, delay: 1000))
        #expect(
            hint(true, [(false, 1000), (true, 999)])
                == ForwardingHint(.retryLater, because: .recipientChannelDisabled, delay: 1000))
        #expect(hint(true, [(false, 0), (true, 1000)]) == ForwardingHint(.retryNow, because: .unknown))
    }

    @Test("It is read as it is written")
    func roundTrip() {
        for advice in ForwardingHint.Advice.allCases {
            for reason in ForwardingHint.Reason.allCases {
                let hint = ForwardingHint(advice, because: reason, delay: 1500)
                #expect(ForwardingHint(JSONValue.object(hint.json).serializedBytes()) == hint)
            }
        }
    }

    @Test("What cannot be understood is no hint; a new reason is, and a delay of more than a minute counts as one")
    func strange() {
        for body in ["", "[]", "{}", #"{"hint":"wait"}"#, #"{"hint":1}"#] {
            #expect(ForwardingHint(Array(body.utf8)) == nil)
        }
        #expect(
            ForwardingHint(
                Array(#"{"hint":"retry_later","reason":"moon","recommended_delay_ms":18446744073709551615}"#.utf8))
                == ForwardingHint(.retryLater, because: .unknown, delay: 60_000))
    }
}
