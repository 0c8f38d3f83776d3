import ArgumentParser
import HTTPService
import Platform
import PushProviders
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
        try PrivateFile(path: key).create(PublishedKeys.p256.utf8)
        let push = ["--push-vapid-key-file", key, "--push-vapid-contact", "mailto:push@example.com"]
        let installation = try await Installation.openOrMake(
            SettingOptions.parse(data + (hasProvider ? push : [])).configuration())
        let features = try await installation.serviceParts().features
        await installation.close()
        // The server itself cancels mismatched invoices.
        let kinds = features.flatMap(\.outboxHandlers).map(\.kind) + [.invoiceMismatch]
        #expect(kinds.sorted() == OutboxKind.all.sorted())
    }

    @Test("Each type of notification that the settings give a handler is answered by it, also where two share one")
    func notificationHandlers() async throws {
        let file = temporary.path + "/responder.yaml"
        let hook = "{url: 'http://127.0.0.1:1/'}"
        try PrivateFile(path: file).create("notifications:\n  handlers: {a: \(hook), b: \(hook)}\n".utf8)
        let installation = try await Installation.openOrMake(
            SettingOptions.parse(data + ["--config", file]).configuration())
        let responder = try installation.notificationProcessor(installation.responder()).responder
        let answered = ["a", "b", "c"].filter { responder.answersInResponse(NotificationType(rawValue: $0)) }
        #expect(answered == ["a", "b"])
        await installation.close()
    }
}
