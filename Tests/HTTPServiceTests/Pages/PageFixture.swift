import LedgerRecords
@testable import Devices
import HTTPTypes
import Hummingbird
import LightningCoding
import LightningCrypto
import Logging
import ResponderModel
import SQLiteLedger
import Testing
@testable import HTTPService

/// A service with the notification center, and somebody's phone.
struct PageFixture {
    let service: TestService
    let center: MessageCenter
    let pages: NotificationPages
    let device: Device
    let secret: DeviceSecret
    private let router: CallbackResponder<ServiceContext>

    /// - Parameters:
    ///   - base: where browsers reach it.
    ///   - shared: whether instances count together.
    init(at base: String = "https://example.com", shared: (any SharedRates)? = nil) async throws {
        let service = try await TestService()
        let clock = service.clock
        self.service = service
        center = MessageCenter(
            service.ledger, audience: "example.com", handles: DeviceHandles(secret: SecretBytes([3])),
            clock: { clock.now })
        pages = NotificationPages(
            center, at: try HTTPURL(base), key: SecretBytes([4]), slots: service.slots, sharedRates: shared)
        secret = try DeviceSecret(random: SystemRandom.bytes)
        device = try await Self.register("phone", secret, owner: 0x33, on: service)
        router = Self.router(pages, service)
    }

    /// A phone of an owner.
    static func register(
        _ install: String, _ secret: DeviceSecret, owner byte: UInt8, on service: TestService
    ) async throws -> Device {
        let owner = try SecretKey([UInt8](repeating: byte, count: 32)).publicKey
        let profile = DeviceProfile(
            owner: owner, install: try #require(InstallID(install)), secretHash: secret.hash)
        return try await service.ledger.putDevice(
            profile, reachedAt: .fcm(token: "token-of-\(install)", .android), signedAt: service.clock.now,
            as: DeviceID(random: SystemRandom.bytes), at: service.clock.now)
    }

    static func router(_ pages: NotificationPages, _ service: TestService) -> CallbackResponder<ServiceContext> {
        service.router(Payers(service.responder), pages)
    }

    /// Adds a message for the owner.
    @discardableResult
    func add(
        _ id: String, _ title: String = "You received 21 sat", body: String = "From a payer",
        link: DeviceMessage.Link? = nil
    ) async throws -> DeviceMessage {
        try await service.ledger.add(
            DeviceMessage.Content(
                id: try #require(MessageID(id)), owner: device.profile.owner, type: .paymentReceived,
                priority: .normal, title: title, body: body, link: link, createdAt: service.clock.now,
                expiresAt: service.clock.now.adding(seconds: 86_400)))
    }

    /// Sends a request, with a session's cookie.
    func ask(
        _ target: String, _ method: HTTPRequest.Method = .get, cookie: String? = nil,
        form: [(name: String, value: String)] = [], headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        if let cookie { headers[.cookie] = cookie }
        let body = form.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
        return try await Answer(router, target, method, headers, body)
    }

    /// The cookie of a new session.
    func session() async throws -> String {
        let answer = try await ask("/notifications", headers: [.authorization: "Bearer \(secret.disclosed)"])
        return try Self.cookie(answer)
    }

    /// The cookie that an answer sets, as a browser sends it.
    static func cookie(_ answer: Answer) throws -> String {
        String(try #require(answer.headers[.setCookie]?.split(separator: ";").first))
    }

    /// The code that the forms of a page carry.
    func formCode(_ cookie: String) async throws -> String {
        let page = try await ask("/notifications", cookie: cookie).body
        let parts = page.components(around: #"name="form" value=""#)
        return String(try #require(parts.last?.prefix { $0 != "\"" }))
    }
}

extension StringProtocol where SubSequence == Substring {
    /// What is between occurrences of a text.
    func components(around text: String) -> [Substring] {
        self[...].split(separator: text, omittingEmptySubsequences: false)
    }
}
