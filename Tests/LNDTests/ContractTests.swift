import BackendContract
import Testing

@Suite("The contract of every backend", .timeLimit(.minutes(1)))
struct ContractTests {
    @Test("LND keeps its rules", arguments: BackendRule.all)
    func keeps(_ rule: BackendRule) async throws {
        try await rule.check(LNDFixture())
    }
}
