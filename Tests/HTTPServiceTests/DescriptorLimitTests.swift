import ResponderCore
import Testing

@testable import HTTPService

@Suite("File descriptors", .timeLimit(.minutes(5)))
struct DescriptorLimitTests {
    @Test("The limit is raised as far as wanted, never lowered, and never above the system's limit")
    func raise() throws {
        let before = try #require(DescriptorLimit.raise(to: 0))
        #expect(DescriptorLimit.raise(to: before - 1) == before)
        let most = try #require(DescriptorLimit.raise(to: .max))
        #expect(most >= before)
        #expect(DescriptorLimit.raise(to: 0) == most)
    }

    @Test(
        "Both listeners and everything else are counted, whatever is configured", arguments: [(1, 322), (4096, 8512)])
    func needed(connections: Int, descriptors: Int) {
        #expect(ServiceLimits(connections: connections).descriptors(beside: 0) == descriptors)
        #expect(ServiceLimits(connections: connections).descriptors(beside: 100) == descriptors + 100)
        #expect(ServiceLimits(connections: .max).descriptors(beside: 0) == .max)
        #expect(ServiceLimits(connections: .max / 2).descriptors(beside: 0) == .max)
        #expect(ServiceLimits(connections: 1).descriptors(beside: .max) == .max)
    }

    @Test(
        "Connections are capped to what the system allows, and everything else keeps what it needs",
        arguments: [
            // The configured number fits.
            (4_096, 8_512, 0, 4_096), (4_096, 8_511, 0, 4_095), (4_096, 1_000_000, 0, 4_096),
            (4_096, 1_024, 0, 352), (4_096, 1_024, 356, 256), (10, 1_024, 356, 10),
            // The others need more than half of all descriptors.
            (4_096, 256, 356, 64), (4_096, 100, .max, 25), (4_096, 2, 0, 1), (4_096, 0, 0, 1),
        ])
    func possible(configured: Int, descriptors: Int, others: Int, connections: Int) {
        let limits = ServiceLimits(connections: configured).within(descriptors: descriptors, beside: others)
        #expect(limits == ServiceLimits(connections: connections))
    }

    @Test("Each notification in progress reserves a descriptor for its reply")
    func others() async throws {
        let service = try await TestService(queue: NotificationQueueLimits(atWork: 5))
        #expect(service.notifications(service.responder).descriptors == 5)
    }
}
