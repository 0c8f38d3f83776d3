import Doctor
import LNURL
import LightningCoding
import OutboundHTTP
import Platform
import Testing

@Suite("The doctor at a right server", .timeLimit(.minutes(5)))
struct RightServerTests {
    @Test("A server that follows every rule passes every check that can be made")
    func allPass() async throws {
        let report = try await Examiner.report()
        #expect(report.names(.failed, .warning) == [])
        #expect(
            report.names(.skipped) == [
                "certificate", "callback-https", "withdraw-link", "metadata-long-description", "success-action-form",
                "success-action-aes", "success-action-host", "dns-name-lifetime",
            ])
        #expect(report.worst == .passed)
    }

    @Test("Asked for its name at another host, it passes as well")
    func standIn() async throws {
        let report = try await Examiner.report(on: .with { $0.domain = "pay.example" })
        #expect(report.names(.failed, .warning) == [])
    }

    @Test("Invoices at the limits are requested only when asked for")
    func shallow() async throws {
        let report = try await Examiner.report(isDeep: false)
        #expect(report.evidence.exchanges[.amountMinimum] == nil)
        #expect(report.names(.skipped).contains("amount-minimum"))
        #expect(report.names(.failed, .warning) == [])
    }

    @Test(
        "A server that limits how often it is asked breaks no rule, and what cannot be told is skipped",
        arguments: Limit.all)
    func limited(by limit: Limit) async throws {
        let report = try await Examiner.report(
            on: .with { $0.after = { request, answer in if request.number > 20 { limit.refuse(&answer) } } })
        #expect(report.names(.failed, .warning) == [])
        #expect(Set(report.names(.skipped)).isSuperset(of: ["amount-negative", "amount-repeated", "verify-unknown"]))
    }

    @Test("A server that refuses another host, and says which, does not follow it")
    func otherHost() async throws {
        let report = try await Examiner.report(
            on: .with {
                $0.after = { request, answer in
                    if request.host == "other.example" { answer = .error("other.example is not served here") }
                }
            })
        #expect(report.names(.failed, .warning) == [])
    }

    @Test("What a careful server may do besides is no finding", arguments: Harmless.all)
    func harmless(server: Harmless) async throws {
        let report = try await Examiner.report(on: server.fault)
        #expect(report.names(.failed, .warning) == [])
    }

    @Test("Only the question about the DNS name goes to the resolver, even when the service is at the same server")
    func resolver() async throws {
        let report = try await Examiner.report()
        let asked = report.evidence.exchanges.filter { $0.value.request.url.path == "/dns-query" }
        #expect(Array(asked.keys) == [.dnsName])
    }

    @Test("Only the requests that the chosen checks read are sent")
    func only() async throws {
        let server = try ExaminedServer()
        let checks = ServiceCheck.all.filter { $0.name == "amount-zero" }
        let report = try await Examiner.report(
            on: .address(.init("alice@127.0.0.1:\(server.port)")), checks: checks)
        #expect(Set(report.evidence.exchanges.keys) == [.info, .invoice, .amountZero])
        #expect(report.findings.map(\.verdict) == [.passed])
    }

    @Test("A pause is made between any two requests, and none before the first")
    func pauses() async throws {
        let server = try ExaminedServer()
        let pauses = Pauses()
        let client = try HTTPClient()
        let service = try #require(ExaminedService(.address(.init("alice@127.0.0.1:\(server.port)"))))
        let report = try await Examination(
            of: service, pause: .milliseconds(250), seed: ProbeSeed(now: ExaminedServer.now), sleep: { pauses.add($0) }
        ).run { _, request in
            do throws(OutboundFault) { return .success(try await client.send(request)) } catch {
                return .failure(error)
            }
        }
        #expect(pauses.all == Array(repeating: .milliseconds(250), count: report.evidence.exchanges.count - 1))
    }
}

/// Something that no rule forbids.
struct Harmless: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fault: ServedFault

    static let all = [
        Harmless(
            testDescription: "404 in HTML at paths that it gave to nobody",
            fault: .with {
                $0.after = { request, answer in
                    guard request.isVerify, answer.isError else { return }
                    guard request.name.utf8.count < 64 || !request.path.hasPrefix("/verify/alice/") else { return }
                    answer = ServedAnswer(status: 404, headers: ["Content-Type: text/html"], body: [:])
                    answer.raw = Array("<h1>Not found</h1>".utf8)
                }
            }),
        Harmless(
            testDescription: "a verify answer with the invoice in capital letters",
            fault: .verify { $0["pr"] = $0["pr"]?.string.map { .string($0.uppercased()) } }),
        Harmless(
            testDescription: "a message for after the payment",
            fault: .invoice { $0["successAction"] = ["tag": "message", "message": "Thank you"] }),
        Harmless(
            testDescription: "Content-Encoding: identity",
            fault: .with { $0.after = { _, answer in answer.headers.append("Content-Encoding: identity") } }),
        Harmless(
            testDescription: "no connection for another host",
            fault: .with {
                $0.after = { request, answer in if request.host == "other.example" { answer.isSent = false } }
            }),
    ]
}

/// A way to say that the server was asked too often.
struct Limit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let refuse: @Sendable (inout ServedAnswer) -> Void

    static let all = [
        Limit(testDescription: "status 429") { $0.status = 429 },
        Limit(testDescription: "Retry-After") { answer in
            answer.status = 503
            answer.headers.append("Retry-After: 60")
        },
        Limit(testDescription: "an ERROR") { $0 = .error("slow down") },
    ]
}

private final class Pauses: Sendable {
    private let made = Guarded<[Duration]>([])
    var all: [Duration] { made.withLock { $0 } }
    func add(_ pause: Duration) { made.withLock { $0.append(pause) } }
}
