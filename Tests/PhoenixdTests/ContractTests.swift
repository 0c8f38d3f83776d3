import BackendContract
import Testing

@Suite("What every backend promises", .timeLimit(.minutes(1)))
struct ContractTests {
    @Test("phoenixd keeps its promises", arguments: BackendPromise.all)
    func keeps(_ promise: BackendPromise) async throws {
        try await promise.check(PhoenixdBench())
    }
}
