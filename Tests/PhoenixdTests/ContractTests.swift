import BackendContract
import Testing

@Suite("What every backend rules", .timeLimit(.minutes(1)))
struct ContractTests {
    @Test("phoenixd keeps its rules", arguments: BackendRule.all)
    func keeps(_ rule: BackendRule) async throws {
        try await rule.check(PhoenixdFixture())
    }
}
