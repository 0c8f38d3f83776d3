import CoreMetrics
import HTTPTypes
import ResponderModel
import Testing
@testable import HTTPService

@Suite("Metrics", .timeLimit(.minutes(5)))
struct MetricsTests {
    @Test("Requests are counted by route and outcome, never by path")
    func requests() async throws {
        let service = try await TestService()
        _ = try await service.ask("/lnurlp/alice")
        _ = try await service.ask("/lnurlp/bob")
        _ = try await service.invoice()
        let page = service.metrics.page()
        for line in [
            #"responder_requests_total{route="/lnurlp/{name}",outcome="answered"} 1"#,
            #"responder_requests_total{route="/lnurlp/{name}",outcome="refused"} 1"#,
            #"responder_request_seconds_count{route="/lnurlp/{name}"} 2"#,
            #"responder_invoices_issued_total{domain="example.com"} 1"#,
        ] {
            #expect(page.split(separator: "\n").contains(Substring(line)), "\(line)")
        }
        #expect(!page.contains("alice"))
        #expect(!page.contains("bob"))
    }

    @Test("The page contains the ledger's write statistics")
    func ledger() async throws {
        let page = try await TestService().administer("/metrics", token: nil)
        #expect(page.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(
            page.body.contains(
                """
                # HELP responder_ledger_commits_total Commits of the ledger.
                # TYPE responder_ledger_commits_total counter
                responder_ledger_commits_total
                """))
        let statistics = LedgerStatistics(
            commits: 3, writes: 5, time: .milliseconds(500), longest: .milliseconds(250))
        for line in [
            "commit_longest_seconds 0.25", "commit_seconds_total 0.5", "commits_total 3", "writes_total 5",
        ] {
            #expect(statistics.page.contains("\nresponder_ledger_\(line)\n"))
        }
    }

    @Test("Counters, gauges and histograms are written in Prometheus' format")
    func format() {
        let metrics = PrometheusMetrics()
        Counter(label: "b_total", dimensions: [("x", "a\"\\\n")], factory: metrics).increment(by: 2)
        Meter(label: "c", factory: metrics).set(1.5)
        Timer(label: "a_seconds", factory: metrics).recordNanoseconds(2_000_000)
        let lines = metrics.page().split(separator: "\n").map { String($0) }
        #expect(lines.first == "# TYPE a_seconds histogram")
        #expect(lines.contains(#"a_seconds_bucket{le="0.001"} 0"#))
        #expect(lines.contains(#"a_seconds_bucket{le="0.0025"} 1"#))
        #expect(lines.contains(#"a_seconds_bucket{le="+Inf"} 1"#))
        #expect(lines.contains("a_seconds_sum 0.002"))
        #expect(lines.contains("a_seconds_count 1"))
        #expect(lines.suffix(4) == ["# TYPE b_total counter", #"b_total{x="a\"\\\n"} 2"#, "# TYPE c gauge", "c 1.5"])
    }

    @Test("A histogram that has counted nothing is left out")
    func emptyHistogram() {
        let metrics = PrometheusMetrics()
        _ = Timer(label: "a_seconds", factory: metrics)
        _ = Counter(label: "b_total", factory: metrics)
        #expect(metrics.page() == "# TYPE b_total counter\nb_total 0\n")
    }

    @Test("Every metric that is served has a line of help, before its type")
    func help() async throws {
        let service = try await TestService()
        _ = try await service.invoice()
        let lines = try await service.administer("/metrics", token: nil).body.split(separator: "\n")
        for (line, next) in zip(lines, lines.dropFirst()) where next.hasPrefix("# TYPE ") {
            #expect(line.hasPrefix("# HELP \(next.split(separator: " ")[2]) "))
        }
        #expect(lines.first?.hasPrefix("# HELP ") == true)
    }

    @Test("The same name gives the same series")
    func sameSeries() {
        let metrics = PrometheusMetrics()
        for _ in 0..<2 { Counter(label: "a_total", factory: metrics).increment() }
        #expect(metrics.page() == "# TYPE a_total counter\na_total 2\n")
    }
}
