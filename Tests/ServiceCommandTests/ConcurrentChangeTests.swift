import ArgumentParser
import ServiceSetup
import LightningCoding
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite("Changes by several administrators at the same time", .timeLimit(.minutes(5)))
struct ConcurrentChangeTests: CommandFixture {
    let temporary = TemporaryFolder()

    @Test("Commands that change different settings of an account at the same time are all kept")
    func changesAtOnce() async throws {
        for round in 1...5 {
            try await run(AccountAdd.self, "alice")
            async let first = run(AccountSet.self, "alice", "--description", "Tea \(round)")
            async let second = run(AccountSet.self, "alice", "--max", "5sat")
            async let third = run(AccountSet.self, "alice", "--comment-allowed", "7")
            _ = try await (first, second, third)
            let shown = try await run(AccountShow.self, "alice").json
            #expect(shown["description"]?.string == "Tea \(round)")
            #expect(shown["maxSendable"] == 5_000)
            #expect(shown["commentAllowed"] == 7)
            try await run(AccountRemove.self, "alice")
        }
    }

    @Test("A name that two commands add at the same time is added by one, and the other fails")
    func addedAtOnce() async throws {
        for round in 1...5 {
            async let first = failure(AccountAdd.self, "bob\(round)", "--description", "First")
            async let second = failure(AccountAdd.self, "bob\(round)", "--description", "Second")
            let failures = try await [first, second]
            #expect(failures.compactMap { $0?.status } == [.no])
            let shown = try await run(AccountShow.self, "bob\(round)").json
            #expect(shown["description"]?.string == (failures[0] == nil ? "First" : "Second"))
            #expect(shown["version"] == 1)
        }
    }

    @Test("Domains that are added at the same time are added once, and changes at the same time are all kept")
    func atOnce() async throws {
        try await run(AccountAdd.self, "alice")
        for round in 1...5 {
            let name = "d\(round).example"
            async let first = failure(DomainAdd.self, name, "--min", "1sat")
            async let second = failure(DomainAdd.self, name, "--min", "2sat")
            #expect(try await [first, second].compactMap { $0?.status } == [.no])
            async let third = run(DomainSet.self, name, "--max", "9sat")
            async let fourth = run(DomainSet.self, name, "--description", "Tip {address}")
            _ = try await (third, fourth)
            let shown = try await run(DomainShow.self, name).json
            #expect(shown["maxSendable"] == 9_000 && shown["description"] == "Tip {address}")
        }
    }
}
