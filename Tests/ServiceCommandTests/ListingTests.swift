import ServiceSetup
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite("A list of one account", .timeLimit(.minutes(5)))
struct ListingTests: CommandFixture {
    let temporary = TemporaryFolder()

    @Test("A name that no account can have is refused before a ledger is looked for")
    func impossibleNames() async throws {
        #expect(try await failure(Events.self, "--account", "Ä!")?.status == .usage)
        #expect(try await failure(Invoices.self, "--account", "Ä!")?.status == .usage)
        #expect(try await failure(OutboxList.self, "--account", "Ä!")?.status == .usage)
        #expect(try await failure(Events.self, "--account", "bob")?.status == .noInput)
    }
}
