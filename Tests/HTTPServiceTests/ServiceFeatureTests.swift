import Devices
import HTTPTypes
import LNURL
import Hummingbird
import LightningCoding
import LightningCrypto
import Logging
import Platform
import Registrations
import ResponderCore
import ResponderModel
import Testing
@testable import HTTPService

@Suite("Features of the service", .timeLimit(.minutes(1)))
struct ServiceFeatureTests {
    /// A request that its feature answers, and nobody else.
    struct Example: CustomTestStringConvertible, Sendable {
        let feature: any ServiceFeature.Type
        let method: HTTPRequest.Method
        let path: String
        var isAdmin = false

        var testDescription: String { "\(feature): \(path)" }
    }

    private static let examples = [
        Example(feature: Payers.self, method: .get, path: "/lnurlp/alice"),
        Example(feature: Notifications.self, method: .post, path: "/webhook/alice/SECRET"),
        Example(feature: Gateway.self, method: .get, path: "/registrations", isAdmin: true),
        Example(feature: Gateway.self, method: .post, path: "/response/1"),
        Example(feature: PushDelivery.self, method: .post, path: "/api/v1/notify"),
        Example(feature: DeviceSender.self, method: .get, path: "/v1/info"),
        Example(feature: DeviceSender.self, method: .get, path: "/devices", isAdmin: true),
        Example(feature: NotificationPages.self, method: .get, path: "/notifications"),
        Example(feature: ForwardingHints.self, method: .get, path: "/lsp/forwarding_hint"),
        Example(feature: Administration.self, method: .get, path: "/accounts", isAdmin: true),
    ]

    @Test("Without a feature its routes are not found, and those of all others answer", arguments: examples)
    func leftOut(example: Example) async throws {
        let service = try await TestService()
        let phones = try await DeviceFixture(on: service)
        let gateway = try GatewayFixture.gateway(
            service, responder: service.responder, policy: ReplyPolicy(), post: WebhookPoster(ReplyPolicy()).post)
        let features: [any ServiceFeature] = [
            Payers(service.responder), service.notifications(service.responder),
            gateway,
            phones.delivery, phones.sender,
            NotificationPages(
                phones.center, at: try HTTPURL("https://example.com"), key: SecretBytes([4]), places: service.places,
                sharedRates: nil),
            ForwardingHints(of: [], for: BearerToken("0123".utf8)), service.administration(),
        ]
        var parts = service.parts
        parts.features = features.filter { type(of: $0) != example.feature }
        #expect(parts.features.count == features.count - 1)
        let server = AddressServer(parts, settings: service.settings, logger: Logger(label: "test")) { _ in }
        let secret = service.secrets.pathSecret(of: try AddressName("alice"), in: service.domain)
        for other in Self.examples {
            let router = other.isAdmin ? server.adminRouter : server.publicRouter(service.settings.limits)
            let answer = try await Answer(
                router, other.path.replacing("SECRET", with: secret), other.method,
                other.isAdmin ? [.authorization: "Bearer \(TestService.token)"] : [:], "")
            #expect((answer.status == 404) == (other.feature == example.feature), "\(other.path): \(answer.status)")
        }
    }
}
