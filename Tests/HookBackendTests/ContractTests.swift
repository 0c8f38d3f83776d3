import BackendContract
import Testing

@Suite("The rules of every backend", .timeLimit(.minutes(5)), .enabled(if: ExampleFixture.isPossible))
struct ContractTests {
    @Test("The example hook keeps a backend's rules as a service", arguments: BackendRule.all)
    func service(_ rule: BackendRule) async throws {
        try await rule.check(ExampleFixture(.service))
    }

    @Test("The example hook keeps a backend's rules as a program", arguments: BackendRule.all)
    func program(_ rule: BackendRule) async throws {
        try await rule.check(ExampleFixture(.program))
    }
}
