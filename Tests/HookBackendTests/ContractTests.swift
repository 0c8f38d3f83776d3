import BackendContract
import Testing

@Suite("What every backend promises", .timeLimit(.minutes(1)), .enabled(if: ExampleBench.isPossible))
struct ContractTests {
    @Test("The example hook keeps a backend's promises as a service", arguments: BackendPromise.all)
    func service(_ promise: BackendPromise) async throws {
        try await promise.check(ExampleBench(.service))
    }

    @Test("The example hook keeps a backend's promises as a program", arguments: BackendPromise.all)
    func program(_ promise: BackendPromise) async throws {
        try await promise.check(ExampleBench(.program))
    }
}
