import Testing

@testable import AddressService

@Suite("File descriptors", .timeLimit(.minutes(2)))
struct DescriptorLimitTests {
    @Test("The limit is raised as far as wanted, never lowered, and never above what the system allows")
    func raise() throws {
        let before = try #require(DescriptorLimit.raise(to: 0))
        #expect(DescriptorLimit.raise(to: before - 1) == before)
        let most = try #require(DescriptorLimit.raise(to: .max))
        #expect(most >= before)
        #expect(DescriptorLimit.raise(to: 0) == most)
    }

    @Test("Both doors and everything else are counted, whatever is configured", arguments: [(1, 130), (4096, 8320)])
    func needed(connections: Int, descriptors: Int) {
        #expect(ServiceLimits(connections: connections).descriptors == descriptors)
        #expect(ServiceLimits(connections: .max).descriptors == .max)
        #expect(ServiceLimits(connections: .max / 2).descriptors == .max)
    }
}
