import Devices
import LightningCoding
import Testing

@Suite("What becomes of a push, answer by answer", .timeLimit(.minutes(5)))
struct PushAttemptTests {
    @Test(
        "An answer that ends it does so at once",
        arguments: [
            (.accepted(id: "x"), [.end(.accepted(id: "x"))]),
            (.badToken, [.end(.gone)]),
            (.gone(since: nil), [.end(.gone)]),
            (.misconfigured("BadTopic"), [.alarm(.misconfigured("BadTopic")), .end(.parked("BadTopic"))]),
            (
                .foreign("SENDER_ID_MISMATCH"),
                [.alarm(.misconfigured("SENDER_ID_MISMATCH")), .end(.refused("SENDER_ID_MISMATCH"))]
            ),
            (.invalidRequest("BadPriority"), [.alarm(.defect("BadPriority")), .end(.refused("BadPriority"))]),
            (.refused("status 400"), [.end(.refused("status 400"))]),
            (.unauthorized("status 401"), [.end(.later(seconds: 60, "status 401"))]),
            (
                .quotaExceeded(retryAfter: 7),
                [
                    .pauseProvider(seconds: 7),
                    .end(.later(seconds: 7, "the provider limits the rate of this project")),
                ]
            ),
            (.tooLarge, [.end(.tooLarge)]),
            (
                .credentialRefused("Forbidden", mayBeTheConnection: false),
                [.alarm(.credential("Forbidden")), .pauseCredential, .end(.later(seconds: 60, "Forbidden"))]
            ),
            (.withdrawn("canceled"), [.end(.later(seconds: 10, "canceled"))]),
            (.unanswered("no answer in time"), [.reconnect, .end(.later(seconds: 10, "no answer in time"))]),
            (
                .untrusted("not trusted"),
                [.alarm(.untrusted("not trusted")), .reconnect, .end(.later(seconds: 60, "not trusted"))]
            ),
            (.deviceBusy(retryAfter: nil), [.end(.later(seconds: 60, "too many messages for this device"))]),
            (.deviceBusy(retryAfter: 7), [.end(.later(seconds: 7, "too many messages for this device"))]),
        ] as [(PushVerdict, [PushStep])])
    func ends(verdict: PushVerdict, steps: [PushStep]) {
        for priority in PushPriority.allCases {
            var attempt = PushAttempt(priority)
            #expect(attempt.on(verdict) == steps)
        }
    }

    @Test("A token of an unknown environment is tried at the other server, once")
    func otherEnvironment() {
        var attempt = PushAttempt(.alert, isEnvironmentKnown: false)
        #expect(attempt.on(.badToken) == [.sendToOtherEnvironment])
        #expect(attempt.on(.badToken) == [.end(.gone)])
    }

    @Test("While many tokens are unknown, none is dropped")
    func manyUnknown() {
        var attempt = PushAttempt(.alert)
        #expect(
            attempt.on(.badToken, dropsBadTokens: false) == [
                .end(.refused("the provider does not know the device's token"))
            ])
    }

    @Test("A token that became invalid before the device registered it is kept; the provider counts in milliseconds")
    func reinstalled() {
        let since: UInt64 = 1_700_000_000_999
        for (registered, outcome) in [
            (1_699_999_999, PushOutcome.gone),
            (1_700_000_000, .refused("the token was invalid before the device registered it again")),
        ] as [(UInt64, PushOutcome)] {
            var attempt = PushAttempt(.alert, registeredAt: .init(registered))
            #expect(attempt.on(.gone(since: since)) == [.end(outcome)])
        }
        var unknown = PushAttempt(.alert)
        #expect(unknown.on(.gone(since: since)) == [.end(.gone)])
    }

    @Test("An expired credential is renewed once; then the clock is wrong")
    func expired() {
        var attempt = PushAttempt(.alert)
        #expect(attempt.on(.credentialExpired) == [.renewCredential, .sendAgain])
        let reason = "the provider says that a new token has expired; check the clock"
        #expect(attempt.on(.credentialExpired) == [.alarm(.credential(reason)), .end(.later(seconds: 60, reason))])
    }

    @Test(
        "When the provider wants no new token, the one before goes over another connection, once, and the operator is told"
    )
    func tooNew() {
        var attempt = PushAttempt(.alert)
        let reason = "tokens of this key are renewed too often; another program uses it too"
        #expect(
            attempt.on(.credentialTooNew)
                == [.alarm(.credential(reason)), .keepCredential, .reconnect, .sendAgain])
        #expect(attempt.on(.credentialTooNew) == [.end(.later(seconds: 60, reason))])
    }

    @Test("A key that does not fit the connection is tried on another one, and refused then")
    func otherConnection() {
        var attempt = PushAttempt(.alert)
        let verdict = PushVerdict.credentialRefused("UnrelatedKeyIdInToken", mayBeTheConnection: true)
        #expect(attempt.on(verdict) == [.reconnect, .sendAgain])
        let steps = attempt.on(verdict)
        #expect(steps.last == .end(.later(seconds: 60, "UnrelatedKeyIdInToken")))
        var ended = PushAttempt(.alert)
        #expect(ended.on(.connectionEnded) == [.reconnect, .sendAgain])
        #expect(ended.on(.connectionEnded) == [.end(.later(seconds: 60, "the connection ended twice"))])
    }

    @Test("When APNs fails, another connection is tried once, and then nothing for a quarter of an hour")
    func longOutage() {
        for priority in PushPriority.allCases {
            var attempt = PushAttempt(priority)
            #expect(attempt.on(.outage("Shutdown")) == [.reconnect, .sendAgain])
            #expect(attempt.on(.outage("Shutdown")) == [.end(.later(seconds: 900, "Shutdown"))])
        }
    }

    @Test("When the provider fails, whoever waits gets one retry at once, and everybody else a pause of 10 s or more")
    func outage() {
        let verdict = PushVerdict.unavailable("Shutdown", retryAfter: nil)
        var reply = PushAttempt(.reply)
        #expect(reply.on(verdict) == [.reconnect, .sendAgain])
        #expect(reply.on(verdict) == [.reconnect, .end(.later(seconds: 10, "Shutdown"))])
        for priority in [PushPriority.alert, .catchUp] {
            var attempt = PushAttempt(priority)
            #expect(attempt.on(verdict) == [.reconnect, .end(.later(seconds: 10, "Shutdown"))])
        }
        var patient = PushAttempt(.reply)
        #expect(
            patient.on(.unavailable("UNAVAILABLE", retryAfter: 30)) == [
                .pauseProvider(seconds: 30), .end(.later(seconds: 30, "UNAVAILABLE")),
            ])
    }

    @Test("What is not sent during a provider's pause ends no connection", arguments: PushPriority.allCases)
    func paused(priority: PushPriority) {
        var attempt = PushAttempt(priority)
        #expect(attempt.on(.paused("Shutdown", seconds: 7)) == [.end(.paused(seconds: 7, "Shutdown"))])
    }
}

@Suite("Unknown tokens", .timeLimit(.minutes(5)))
struct BadTokenWatchTests {
    @Test("When more than one token in twenty is unknown, none is dropped")
    func many() {
        var watch = BadTokenWatch()
        for index in 0..<76 { _ = watch.count(.accepted(id: nil), at: at(Double(index) / 10)) }
        for _ in 0..<4 { _ = watch.count(.badToken, at: at(10)) }
        #expect(watch.drops)
        _ = watch.count(.badToken, at: at(10))
        #expect(!watch.drops)
    }

    @Test(
        "It is an alarm, told once, unless the server has accepted a token within an hour: anybody can make tokens up")
    func alarm() {
        func told(_ watch: inout BadTokenWatch, at time: Double) -> [Bool] {
            (0..<7).map { _ in watch.count(.badToken, at: at(time)) }
        }
        var wrong = BadTokenWatch()
        #expect(told(&wrong, at: 0) == [false, false, false, false, true, false, false])
        #expect(told(&wrong, at: 61) == Array(repeating: false, count: 7))
        var right = BadTokenWatch()
        _ = right.count(.accepted(id: nil), at: at(0))
        #expect(!told(&right, at: 1).contains(true))
        #expect(!told(&right, at: 3599).contains(true))
        #expect(told(&right, at: 3661).filter { $0 }.count == 1)
    }

    @Test("Few unknown tokens say nothing, whatever their share")
    func few() {
        var watch = BadTokenWatch()
        for _ in 0..<4 {
            let told = watch.count(.badToken, at: at(0))
            #expect(!told)
        }
        #expect(watch.drops)
    }

    @Test("Exactly one in twenty is tolerated")
    func edge() {
        var watch = BadTokenWatch()
        for _ in 0..<95 { _ = watch.count(.accepted(id: nil), at: at(0)) }
        for _ in 0..<5 {
            let told = watch.count(.badToken, at: at(1))
            #expect(!told)
        }
        #expect(watch.drops)
        _ = watch.count(.badToken, at: at(2))
        #expect(!watch.drops)
    }

    @Test("After a minute without many, unknown tokens are dropped again")
    func recovery() {
        var watch = BadTokenWatch()
        for _ in 0..<5 { _ = watch.count(.badToken, at: at(0)) }
        #expect(!watch.drops)
        _ = watch.count(.accepted(id: nil), at: at(60))
        #expect(!watch.drops)
        _ = watch.count(.accepted(id: nil), at: at(120))
        #expect(watch.drops)
    }
}
