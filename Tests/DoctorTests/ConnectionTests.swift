import Doctor
import LNURL
import LightningCoding
import LoopbackServer
import OutboundHTTP
import Testing

@Suite("The doctor without an answer", .timeLimit(.minutes(5)))
struct ConnectionTests {
    @Test("A server that nobody reaches is reported once, and not asked on")
    func unreachable() async throws {
        let closed = try ClosedPort()
        let report = try await Examiner.report(on: .address(.init("alice@127.0.0.1:\(closed.port)")))
        #expect(report.names(.failed, .warning) == ["reachable"])
        #expect(!report.isAnswered)
        #expect(Set(report.evidence.exchanges.keys) == [.info])
    }

    @Test("A service that stops answering is asked no more after three requests and the first one again")
    func outage() async throws {
        let report = try await Examiner.report(
            on: .with { $0.after = { request, answer in if request.number >= 12 { answer.isSent = false } } })
        #expect(report.names(.failed, .warning) == ["answered"])
        #expect(!report.isAnswered)
        #expect(report.evidence.exchanges.filter { $0.key != .dnsName }.count == 12 - 1 + 3)
        let finding = try #require(report.findings.first { $0.check.name == "answered" })
        #expect(
            finding.detail == "stopped, since 3 requests were not answered, nor the first one again: "
                + "the connection was lost")
    }

    @Test("A first answer of 503 is no answer")
    func unavailable() async throws {
        let report = try await Examiner.report(on: .with { $0.after = { _, answer in answer.status = 503 } })
        #expect(report.names(.failed, .warning) == ["reachable"])
        #expect(!report.isAnswered)
        #expect(Set(report.evidence.exchanges.keys) == [.info])
    }

    @Test(
        "A certificate that nobody trusts is reported, and one that is trusted passes",
        .enabled(if: SecureFileServer.isAvailable), arguments: [false, true])
    func certificate(isTrusted: Bool) async throws {
        let identity = try await ServerIdentity(for: "IP:127.0.0.1")
        let server = try await SecureFileServer(identity, answers: ["/lnurlp": LoopbackAnswer("{}")])
        let report = try await Examiner.report(
            on: .web(HTTPURL("https://127.0.0.1:\(server.port)/lnurlp")),
            checks: ServiceCheck.all.filter { ["reachable", "certificate"].contains($0.name) },
            authorities: isTrusted ? identity.certificate : nil)
        #expect(report.names(.failed) == (isTrusted ? [] : ["certificate"]))
        #expect(report.names(.passed) == (isTrusted ? ["reachable", "certificate"] : []))
    }

    @Test("Slow answers are a warning, by the time that nine of ten take")
    func latency() throws {
        let check = try #require(ServiceCheck.all.first { $0.name == "latency" })
        let service = try #require(ExaminedService(.address(.init("alice@127.0.0.1:1"))))
        func verdict(slow count: Int) -> Verdict {
            var evidence = Evidence(service, now: ExaminedServer.now)
            for (index, probe) in Probe.allCases.filter({ $0 != .dnsName }).prefix(10).enumerated() {
                let timing = HTTPTiming(total: index < count ? .seconds(6) : .milliseconds(20))
                let answer = HTTPResponse(status: 200, headers: [], body: [], timing: timing)
                evidence.record(
                    HTTPExchange(request: HTTPRequest(.get, service.url), outcome: .success(answer)), of: probe)
            }
            return check.finding(in: evidence).verdict
        }
        #expect(verdict(slow: 1) == .passed)
        #expect(verdict(slow: 2) == .warning)
    }
}
