import BackendContract
import Testing

@Suite("The rules of every backend", .timeLimit(.minutes(5)))
struct ContractTests {
    @Test("phoenixd keeps its rules", arguments: BackendRule.all)
    func keeps(_ rule: BackendRule) async throws {
        try await rule.check(PhoenixdFixture())
    }
}
