import Doctor
import Testing

@Suite("The doctor at wrong servers", .timeLimit(.minutes(5)))
struct WrongServerTests {
    @Test("A fault is caught by the check that names it, and by no other", arguments: WrongServer.all)
    func caught(server: WrongServer) async throws {
        let report = try await Examiner.report(on: server.fault)
        let broken = report.findings.filter { $0.verdict >= .warning }
        #expect(broken.map(\.check.name) == [server.check], "\(broken.map(\.detail))")
    }

    @Test("Where a callback refuses everything, a refusal proves nothing")
    func refusesAll() async throws {
        let report = try await Examiner.report(on: .refusing { $0.isCallback })
        #expect(report.names(.failed, .warning) == ["invoice-answered"])
        #expect(Set(report.names(.passed)).isDisjoint(with: WrongServer.refusals.dropFirst()))
    }

    @Test("Every check has a server that breaks its rule")
    func complete() {
        // Those have tests of their own.
        let others: Set = ["reachable", "certificate", "latency"]
        #expect(Set(WrongServer.all.map(\.check)).union(others) == Set(ServiceCheck.all.map(\.name)))
    }
}
