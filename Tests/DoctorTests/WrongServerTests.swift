import Doctor
import Testing

@Suite("The doctor at wrong servers", .timeLimit(.minutes(4)))
struct WrongServerTests {
    @Test("One fault is caught by the check that names it, and by no other", arguments: WrongServer.all)
    func caught(server: WrongServer) async throws {
        let report = try await Examiner.report(on: server.fault)
        let broken = report.findings.filter { $0.verdict >= .warning }
        #expect(broken.map(\.check.name) == [server.check], "\(broken.map(\.detail))")
    }

    @Test("Every check has a server that breaks its rule")
    func complete() {
        // Those have tests of their own.
        let others: Set = ["reachable", "certificate", "latency"]
        #expect(Set(WrongServer.all.map(\.check)).union(others) == Set(ServiceCheck.all.map(\.name)))
    }
}
