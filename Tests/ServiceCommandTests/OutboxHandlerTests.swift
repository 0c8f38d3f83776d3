import ArgumentParser
import HTTPService
import Platform
import ResponderCore
import ResponderModel
import ServiceSetup
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite("Handlers of the outbox", .timeLimit(.minutes(5)))
struct OutboxHandlerTests: CommandFixture {
    let temporary = TemporaryFolder()

    @Test("Every kind of work has one handler, whether or not a push provider is configured", arguments: [false, true])
    func complete(hasProvider: Bool) async throws {
        let key = temporary.path + "/vapid.pem"
        try PrivateFile(path: key).create(PushCommandTests.pem.utf8)
        let push = ["--push-vapid-key-file", key, "--push-vapid-contact", "mailto:push@example.com"]
        let installation = try await Installation.openOrMake(
            SettingOptions.parse(data + (hasProvider ? push : [])).configuration())
        let features = try await installation.serviceParts().features
        await installation.close()
        // The server itself cancels mismatched invoices.
        let kinds = features.flatMap(\.outboxHandlers).map(\.kind) + [.invoiceMismatch]
        #expect(kinds.sorted() == OutboxKind.all.sorted())
    }
}
