import HTTPTypes
import LNURL
import LightningCoding
import Platform
import ResponderModel
import Testing
import Waiting
@testable import HTTPService

@Suite("Rate limits", .timeLimit(.minutes(5)))
struct RateTests {
    /// Whether a client address is admitted, connected from another one.
    private func isLetIn(
        _ admission: Admission, from peer: String, forwardedFor: [String] = [], _ purpose: Admission.Purpose = .invoice
    ) throws -> Bool {
        let address: IPAddress = try #require(IPAddress(peer))
        return admission.wait(for: purpose, peer: address, forwardedFor: forwardedFor) == nil
    }

    private func admission(trusting proxies: [String] = []) -> Admission {
        Admission(
            ServiceRates([.invoice: RateLimit(perMinute: 1)], trustedProxies: proxies.compactMap { NetworkPrefix($0) }),
            metrics: PrometheusMetrics(), clock: ManualClock().clock)
    }

    @Test("An IPv4 address is counted individually, an IPv6 address by its /64")
    func networks() throws {
        let admission = admission()
        #expect(try isLetIn(admission, from: "192.0.2.1"))
        #expect(try !isLetIn(admission, from: "192.0.2.1"))
        #expect(try isLetIn(admission, from: "192.0.2.2"))
        #expect(try !isLetIn(admission, from: "::ffff:192.0.2.2"))
        #expect(try isLetIn(admission, from: "2001:db8::1"))
        #expect(try !isLetIn(admission, from: "2001:db8::ffff:2"))
        #expect(try isLetIn(admission, from: "2001:db8:0:1::1"))
        #expect(try isLetIn(admission, from: "192.0.2.1", .notification))
    }

    @Test("A /56 may ask four times as much as a /64, and a /48 four times as much as that")
    func nestedNetworks() throws {
        let admission = admission()
        func letIn(_ count: Int, _ addresses: [String]) throws -> Bool {
            try addresses.reduce(0) { try $0 + (isLetIn(admission, from: $1) ? 1 : 0) } == count
        }
        #expect(try letIn(4, (0..<8).map { "2001:db8:0:\(String($0, radix: 16))::1" }))
        #expect(try letIn(12, (1..<20).map { "2001:db8:0:\(String($0 << 8, radix: 16))::1" }))
        #expect(try letIn(1, ["2001:db8:1::1"]))
    }

    @Test("Of each network that has guessed too often one guess is looked at at a time, and four of all")
    func guesses() async {
        let admission = admission()
        func looking(from numbers: ArraySlice<UInt32>) async -> Int {
            guard let number = numbers.first else { return 0 }
            let deeper: Int? = await admission.afterGuesses(from: ClientNetwork(.v4(number))) {
                await looking(from: numbers.dropFirst()) + 1
            }
            return deeper ?? 0
        }
        #expect(await looking(from: [1, 1]) == 1)
        #expect(await looking(from: [1, 2, 3, 4, 5]) == 4)
        #expect(await looking(from: [1, 2]) == 2)
    }

    @Test("Clients whose address is unknown share one limit")
    func unknown() {
        let admission = admission()
        #expect(admission.wait(for: .invoice, peer: nil, forwardedFor: []) == nil)
        #expect(admission.wait(for: .invoice, peer: nil, forwardedFor: ["192.0.2.1"]) == 60)
    }

    @Test("Requests of connections that were reset count like all others")
    func resets() async throws {
        let rates = ServiceRates([.invoice: RateLimit(perMinute: 1)])
        try await RunningService.with(rates: rates) { _, payers, admin, _ in
            for _ in 0..<60 {
                let connection = try RawConnection(to: payers)
                connection.send("GET /lnurlpay/alice/invoice?amount=1000 HTTP/1.1\r\nHost: example.com\r\n\r\n")
                connection.reset()
            }
            func count(_ outcome: String) async throws -> Int {
                let connection = try RawConnection(to: admin)
                connection.send("GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                let name = #"responder_requests_total{route="/lnurlpay/{name}/invoice",outcome="\#(outcome)"} "#
                let line = try await connection.readToEnd().split(whereSeparator: \.isNewline).first {
                    $0.hasPrefix(name)
                }
                return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
            }
            try await eventually { try await count("answered") + count("refused") >= 20 }
            // One of the address, and one of those that were gone before they were accepted.
            #expect(try await count("answered") <= 2)
        }
    }

    @Test("X-Forwarded-For is used from a trusted proxy, and ignored from anyone else")
    func proxies() throws {
        let admission = admission(trusting: ["127.0.0.0/8"])
        #expect(try isLetIn(admission, from: "127.0.0.1", forwardedFor: ["192.0.2.1"]))
        #expect(try isLetIn(admission, from: "127.0.0.1", forwardedFor: ["192.0.2.2"]))
        #expect(try !isLetIn(admission, from: "127.0.0.1", forwardedFor: ["192.0.2.2"]))
        #expect(try !isLetIn(admission, from: "127.0.0.1", forwardedFor: ["198.51.100.7, 192.0.2.2"]))
        #expect(try !isLetIn(admission, from: "192.0.2.1", forwardedFor: ["203.0.113.5"]))
        #expect(try isLetIn(admission, from: "203.0.113.9", forwardedFor: ["192.0.2.1"]))
        #expect(try !isLetIn(admission, from: "203.0.113.9", forwardedFor: ["192.0.2.77"]))
    }

    @Test("Payers do not use up the share of an account's notifiers, nor the reverse")
    func callers() async throws {
        let admission = Admission(
            ServiceRates(account: RateLimit(perMinute: 1)), metrics: PrometheusMetrics(), clock: ManualClock().clock)
        let alice = try AccountID("alice@example.com")
        for caller in [Admission.Caller.anybody, .notifier, .stranger] {
            #expect(await admission.wait(for: alice, by: caller) == nil)
            #expect(await admission.wait(for: alice, by: caller) == 60)
        }
    }

    @Test("Where instances share a ledger that does not count for them, each has its part of a limit")
    func parts() async throws {
        let clock = ManualClock()
        let count = Guarded(3)
        let admission = Admission(
            ServiceRates([.invoice: RateLimit(perMinute: 6)], account: RateLimit(perMinute: 6)),
            instances: { count.withLock { $0 } }, metrics: PrometheusMetrics(), clock: clock.clock)
        let alice = try AccountID("alice@example.com")
        for caller in [Admission.Caller.anybody, .notifier] {
            for _ in 0..<2 { #expect(await admission.wait(for: alice, by: caller) == nil) }
            #expect(await admission.wait(for: alice, by: caller) == 30)
        }
        for _ in 0..<2 { #expect(try isLetIn(admission, from: "192.0.2.1")) }
        #expect(try !isLetIn(admission, from: "192.0.2.1"))
        // The others have gone: the whole limit is ours.
        count.withLock { $0 = 1 }
        clock.advance(by: .seconds(60))
        for _ in 0..<6 { #expect(try isLetIn(admission, from: "192.0.2.1")) }
        #expect(try !isLetIn(admission, from: "192.0.2.1"))
    }

    @Test("The ledger counts what anybody asks of an account, for all instances, and gives mistakes back")
    func shared() async throws {
        let shared = FakeRates()
        let alice = try AccountID("alice@example.com")
        let admissions = (0..<2).map { _ in
            Admission(
                ServiceRates(account: RateLimit(perMinute: 2)), shared: shared, instances: { 2 },
                metrics: PrometheusMetrics(), clock: ManualClock().clock)
        }
        for admission in admissions { #expect(await admission.wait(for: alice, by: .anybody) == nil) }
        #expect(await admissions[0].wait(for: alice, by: .anybody) == 30)
        await admissions[1].forgive(alice)
        #expect(await admissions[0].wait(for: alice, by: .anybody) == nil)
        // Notifications are counted by each instance.
        for admission in admissions { #expect(await admission.wait(for: alice, by: .notifier) == nil) }
        #expect(shared.asked.withLock { $0 } == 4)
    }

    @Test("While the ledger fails, an account's limit is divided among the instances")
    func fallback() async throws {
        let shared = FakeRates()
        shared.fault.withLock { $0 = .unreachable("connection refused") }
        let admission = Admission(
            ServiceRates(account: RateLimit(perMinute: 4)), shared: shared, instances: { 2 },
            metrics: PrometheusMetrics(), clock: ManualClock().clock)
        for _ in 0..<2 { #expect(try await admission.wait(for: AccountID("alice@example.com"), by: .anybody) == nil) }
        #expect(try await admission.wait(for: AccountID("alice@example.com"), by: .anybody) == 30)
    }

    @Test("A payer above the rate limit gets an ERROR with status 200, and a retry time")
    func payers() async throws {
        let rates = ServiceRates(account: RateLimit(burst: 2, interval: .seconds(7)))
        let service = try await TestService(rates: rates)
        for _ in 0..<2 { #expect(try await service.invoice()["pr"] != nil) }
        let answer = try await service.ask("/lnurlpay/alice/invoice?amount=21000")
        #expect(answer.status == 200)
        #expect(answer.reason == "Too many requests; please try again later")
        #expect(answer.headers[.retryAfter] == "7")
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(try await service.ask("/lnurlp/alice").reason == nil)
        #expect(service.metrics.page().contains("responder_rate_limited_total 1"))
    }

    @Test("Requests that no invoice can answer do not count against an account's rate")
    func mistakes() async throws {
        let rates = ServiceRates(account: RateLimit(burst: 1, interval: .seconds(7)))
        let service = try await TestService(rates: rates)
        let queries = [
            "", "amount=", "amount=abc", "amount=1&amount=1", "amount=0", "%ff", "amount=10000000001",
            "amount=99999999999999999",
            "amount=21000&comment=\(String(repeating: "x", count: 256))",
        ]
        for query in queries {
            let answer = try await service.ask("/lnurlpay/alice/invoice?\(query)")
            #expect(answer.reason != nil && answer.headers[.retryAfter] == nil, "\(query)")
        }
        #expect(try await service.ask("/lnurlpay/alice/v77/invoice?amount=21000").headers[.retryAfter] == nil)
        let body = try await service.ask("/lnurlpay/alice/invoice", method: .post, body: "[]")
        #expect(body.reason != nil && body.headers[.retryAfter] == nil)
        #expect(try await service.invoice()["pr"] != nil)
        #expect(try await service.ask("/lnurlpay/alice/invoice?amount=21000").headers[.retryAfter] == "7")
    }

    @Test("A challenge that was used is not forgiven: it may have cost an invoice of the node")
    func usedChallenge() {
        #expect(Refusal.challenge(.forged).isClientError)
        #expect(!Refusal.challenge(.used).isClientError)
    }

    @Test("Notifications whose reply may go nowhere use up nothing of an account's rate")
    func forbiddenReplies() async throws {
        let service = try await TestService(rates: ServiceRates(account: RateLimit(burst: 1, interval: .seconds(7))))
        let forwarder = Forwarder(service: service)
        let forbidden = #"{"template":"lnurlpay_info","data":{"callback_url":"c","reply_url":"http://example.com/"}}"#
        for _ in 0..<3 { #expect(try await forwarder.post(forbidden).status == 400) }
        let offered = #"{"event":"invoice.request","data":{"invoiceRequest":"00"}}"#
        #expect(try await forwarder.post(offered).status == 200)
        #expect(try await forwarder.post(offered).status == 429)
    }

    @Test("Each kind of request has its own limit per client network")
    func purposes() throws {
        let one = RateLimit(perMinute: 1)
        let admission = Admission(
            ServiceRates([.invoice: one, .info: one, .verify: one, .notification: one]), metrics: PrometheusMetrics(),
            clock: ManualClock().clock)
        for purpose in [Admission.Purpose.invoice, .info, .verify, .notification] {
            #expect(try isLetIn(admission, from: "192.0.2.1", purpose))
            #expect(try !isLetIn(admission, from: "192.0.2.1", purpose))
            #expect(try isLetIn(admission, from: "192.0.2.2", purpose))
        }
    }

    @Test("payRequest and verify queries above the limit get a retry time")
    func infoAndVerify() async throws {
        let one = RateLimit(burst: 1, interval: .seconds(7))
        let verify = "/lnurlpay/alice/" + String(repeating: "00", count: 32)
        try await RunningService.with(rates: ServiceRates([.info: one, .verify: one])) { _, payers, _, _ in
            for path in ["/lnurlp/alice", verify] {
                let connection = try RawConnection(to: payers)
                connection.send("GET \(path) HTTP/1.1\r\nHost: example.com\r\n\r\n")
                #expect(try await !connection.read(until: "}").contains("Too many requests"))
                connection.send("GET \(path) HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n")
                let second = try await connection.readToEnd()
                #expect(second.contains("Too many requests") && second.lowercased().contains("retry-after:"))
            }
        }
    }

    @Test("A notification above the limit gets 429 in its family's format")
    func notifications() async throws {
        let rates = ServiceRates(account: RateLimit(burst: 1, interval: .seconds(7)))
        let service = try await TestService(rates: rates)
        let forwarder = Forwarder(service: service)
        let offered = #"{"event":"invoice.request","data":{"invoiceRequest":"00"}}"#
        #expect(try await forwarder.post(offered).status == 200)
        let second = try await forwarder.post(offered)
        #expect(second.status == 429)
        #expect(second.headers[.retryAfter] == "7")
        #expect(second.body == #"{"error":"Too many requests; please try again later"}"#)
        let third = try await forwarder.post(
            #"{"template":"lnurlpay_info","data":{"callback_url":"c","reply_url":"http://127.0.0.1:1/"}}"#)
        #expect(third.status == 429)
        #expect(third.body == #"{"status":"ERROR","reason":"Too many requests; please try again later"}"#)
    }

    @Test("An account at its limit of open invoices gets no more by any route, until one expires")
    func openInvoices() async throws {
        let service = try await TestService({ $0.invoiceExpiry = 60 }, openInvoices: 2)
        for _ in 0..<2 { #expect(try await service.invoice()["pr"] != nil) }
        let answer = try await service.ask("/lnurlpay/alice/invoice?amount=21000")
        #expect(answer.status == 200)
        #expect(answer.reason != nil)
        #expect(answer.headers[.retryAfter].flatMap { UInt64($0) }.map { (1...60).contains($0) } == true)
        let forwarder = Forwarder(service: service)
        let offer = try await forwarder.offer()
        let offered = try await forwarder.forward(try forwarder.request(offer), for: offer)
        #expect(offered.status == 503)
        #expect(offered.invoiceError != nil)
        service.clock.advance(seconds: 61)
        #expect(try await service.invoice()["pr"] != nil)
    }
}

/// Counts without time, and says how long each interval is.
private final class FakeRates: SharedRates {
    let taken = Guarded<[[UInt8]: Int]>([:])
    let asked = Guarded(0)
    let fault = Guarded<LedgerFault?>(nil)

    func take(_ key: [UInt8], every interval: Duration, burst: Int) async throws(LedgerFault) -> Duration? {
        if let fault = fault.withLock({ $0 }) { throw fault }
        asked.withLock { $0 += 1 }
        let isFree = taken.withLock { taken in
            guard taken[key, default: 0] < burst else { return false }
            taken[key, default: 0] += 1
            return true
        }
        return isFree ? nil : interval
    }

    func putBack(_ key: [UInt8], every interval: Duration) async throws(LedgerFault) {
        taken.withLock { $0[key, default: 0] -= 1 }
    }
}
