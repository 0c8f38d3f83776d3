import Devices
import HTTPTypes
import Hummingbird
import Logging
import Platform
import PushProviders
import Registrations
import ResponderCore
import ServiceSetup
import TemporaryFolders
import Testing
@testable import HTTPService
@testable import ServiceCommand

@Suite("The list of features", .timeLimit(.minutes(5)))
struct FeatureListTests: CommandFixture {
    let temporary = TemporaryFolder()

    /// A feature, and one of the routes that it brings; nil if it has none. Those of payers are answered before the router.
    private static let routes: [(feature: any ServiceFeature.Type, route: String?)] = [
        (AccountWatch.self, nil), (Payers.self, nil),
        (Notifications.self, "public POST /webhook/{account}/{secret}"), (SettlementWebhookSender.self, nil),
        (AwaitedReplies.self, nil), (Gateway.self, "admin GET /registrations"),
        (PushDelivery.self, "public POST /api/v1/notify"), (DeviceSender.self, "public GET /v1/info"),
        (NotificationPages.self, "public GET /notifications"), (LightningPeers.self, nil),
        (ForwardingHints.self, "public GET /lsp/forwarding_hint"), (Administration.self, "admin GET /accounts"),
    ]

    /// With every feature configured.
    private func configuration() throws -> ServiceConfiguration {
        let files = [
            "vapid.pem": PublishedKeys.p256, "hint.token": String(repeating: "a", count: 32),
            "hook.secret": "whsec_" + String(repeating: "A", count: 44),
        ]
        for (name, text) in files { try PrivateFile(path: temporary.path + "/" + name).create(text.utf8) }
        let text = """
            public-url: https://example.com
            gateway: {enabled: true}
            push: {vapid-key-file: \(temporary.path)/vapid.pem, vapid-contact: 'mailto:push@example.com'}
            forwarding-hint: {token-file: \(temporary.path)/hint.token}
            onion-peer: {listen: '127.0.0.1:0'}
            settlement-webhook: {url: 'https://example.com/settled', secret-file: \(temporary.path)/hook.secret}
            backends: {main: {kind: core-lightning, socket: /none}}
            """
        return try ServiceConfiguration(
            SettingSources(
                flags: ["data-directory": folder], environment: [:], file: ("c.yaml", Array(text.utf8))))
    }

    /// The routes of a service with these features.
    private func routes(
        _ features: [any ServiceFeature], _ parts: AddressServer.Parts, _ settings: ServiceSettings
    ) -> Set<String> {
        var parts = parts
        parts.features = features
        let server = AddressServer(
            parts, settings: settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { _ in }
        return Set(
            server.publicRouter(settings.limits).router.routes.map { "public \($0.method) \($0.path)" }
                + server.adminRouter.routes.map { "admin \($0.method) \($0.path)" })
    }

    @Test("Each feature that is left out takes its routes and its work with it, and nothing of the others")
    func leftOut() async throws {
        let configuration = try configuration()
        let installation = try await Installation.openToServe(configuration)
        let parts = try await installation.serviceParts()
        let settings = configuration.service
        #expect(parts.features.map { "\(type(of: $0))" }.sorted() == Self.routes.map { "\($0.feature)" }.sorted())
        let base = routes([], parts, settings)
        let all = routes(parts.features, parts, settings)
        for (index, feature) in parts.features.enumerated() {
            var others = parts.features
            others.remove(at: index)
            let own = routes([feature], parts, settings).subtracting(base)
            #expect(routes(others, parts, settings) == all.subtracting(own), "\(type(of: feature))")
            let route = try #require(Self.routes.first { $0.feature == type(of: feature) }).route
            #expect(route == nil ? own.isEmpty : own.contains(try #require(route)), "\(type(of: feature)): \(own)")
            let kinds = Set(feature.outboxHandlers.map(\.kind))
            #expect(kinds.isDisjoint(with: others.flatMap(\.outboxHandlers).map(\.kind)), "\(type(of: feature))")
        }
        await installation.close()
    }
}
