import LedgerRecords
import CoreMetrics
@testable import Devices
import HTTPTypes
import Hummingbird
import LightningCoding
import LightningCrypto
import Logging
import OutboundHTTP
import Platform
import PushProviders
import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing
@testable import HTTPService

/// A service with registered devices, in front of a stand-in for APNs.
struct DeviceFixture {
    let apns: APNsStandIn
    let service: TestService
    let sender: DeviceSender
    let delivery: PushDelivery
    let center: MessageCenter
    let wallet: SecretKey
    /// With what apps decrypt.
    let appKey: SecretKey
    private let admission: Admission
    /// Each statement is newer than those before.
    private let signed = Guarded<UInt64>(0)
    private let pushes: PushSender

    static let audience = "pay.example"

    /// - Parameters:
    ///   - sandbox: stands for the server of development builds.
    ///   - fcm: serves other devices.
    ///   - webPush: serves further ones.
    ///   - monotonic: measures how long a provider takes.
    init(
        on service: TestService? = nil, apns: APNsStandIn? = nil, sandbox: APNsStandIn? = nil, fcm: FCMProvider? = nil,
        webPush: WebPushProvider? = nil, monotonic: MonotonicClock = .system, rates: ServiceRates = ServiceRates()
    ) async throws {
        let key = try Self.key()
        if let apns { self.apns = apns } else { self.apns = try await Self.apns() }
        if let service { self.service = service } else { self.service = try await TestService() }
        admission = Admission(rates, metrics: self.service.metrics)
        wallet = try SecretKey([UInt8](repeating: 0x33, count: 32))
        appKey = try SecretKey([UInt8](repeating: 0x55, count: 32))
        let clock: WallClock = { [time = self.service.clock] in time.now }
        var client = HTTPClient.Configuration()
        client.http2 = .priorKnowledge
        var servers = [PushEnvironment.production: try self.apns.url]
        servers[.sandbox] = try sandbox?.url
        let provider = APNsProvider(
            key: try APNsKey(id: "ABC123DEFG", team: "DEF123GHIJ", key), topic: "com.example.wallet",
            servers: servers, client: client,
            tokensIn: self.service.ledger,
            clock: MonotonicClock(
                now: { MonotonicTime(sinceStart: .seconds(Int64(clamping: clock().seconds))) },
                sleep: { try await MonotonicClock.system.sleep($0) }))
        pushes = PushSender(apns: provider, fcm: fcm, webPush: webPush)
        center = MessageCenter(
            self.service.ledger, audience: Self.audience, handles: DeviceHandles(secret: SecretBytes([7])), clock: clock
        )
        sender = DeviceSender(
            pushes, center: center, ledger: self.service.ledger, secret: SecretBytes([1, 2, 3]),
            clock: clock, monotonic: monotonic, metrics: self.service.metrics)
        delivery = PushDelivery(
            PushDelivery.Settings(
                replyBase: try HTTPURL("https://pay.example/api/v1/response"), collapseSecret: SecretBytes([1, 2, 3])),
            sender: pushes, replies: self.service.replies, slots: self.service.slots, devices: sender,
            ledger: self.service.ledger, wallClock: clock)
    }

    /// Another instance on the same ledger.
    func delivery(_ settings: PushDelivery.Settings, clock: MonotonicClock = .system) -> PushDelivery {
        PushDelivery(
            settings, sender: pushes, replies: service.replies, slots: service.slots, devices: sender,
            ledger: service.ledger, clock: clock)
    }

    private static func key() throws -> P256SecretKey { try P256SecretKey([UInt8](repeating: 0x42, count: 32)) }

    /// A stand-in for one of Apple's servers.
    static func apns() async throws -> APNsStandIn {
        try await APNsStandIn(
            key: key().publicKey, keyID: "ABC123DEFG", team: "DEF123GHIJ", topics: ["com.example.wallet"])
    }

    private var router: CallbackResponder<ServiceContext> {
        service.router(Payers(service.responder), delivery, sender, admission: admission)
    }

    /// Sends a request, with the secret of a device or without one.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil, by secret: DeviceSecret? = nil,
        headers: HTTPFields = [:], from peer: String? = nil
    ) async throws -> Answer {
        var headers = headers
        if let secret { headers[.authorization] = "Bearer \(secret.disclosed)" }
        return try await Answer(router, path, method, headers, body?.serialized() ?? "", from: peer)
    }

    /// A token of APNs made of one digit.
    static func token(_ digit: Character) -> String { String(repeating: digit, count: 64) }

    /// What a wallet signs and sends to register a device.
    func registration(
        _ install: String, secret: DeviceSecret, token: String, of platform: String = "apns",
        in environment: String = "production", by wallet: SecretKey? = nil
    ) throws -> JSONValue {
        let wallet = wallet ?? self.wallet
        let identity = "ln:\(wallet.publicKey)"
        var object: JSONObject = [
            "app": "wallet", "platform": .string(platform), "environment": .string(environment),
            "push_token": .string(token),
            "encryption_key": .string(appKey.publicKey.hexadecimal),
            "secret_sha256": .string(Hexadecimal.encode(secret.hash)), "identities": [.string(identity)],
            "topics": [],
            "ts": .unsigned(
                service.clock.now.seconds
                    + signed.withLock { count in
                        defer { count += 1 }
                        return count
                    }),
            "proofs": [["identity": .string(identity), "sig": "y"]],
        ]
        let id = try #require(InstallID(install))
        let text = try DeviceStatement(JSONMembers(object), of: id).text(for: Self.audience)
        object["proofs"] = [
            ["identity": .string(identity), "sig": .string(try LightningMessage.sign(text, with: wallet))]
        ]
        return .object(object)
    }

    /// A device, once it is registered.
    struct Phone {
        let secret: DeviceSecret
        let token: String
        let handle: String
        let id: DeviceID
    }

    /// Registers a device over HTTP.
    ///
    /// - Parameter isTold: whether its owner is told of a device that is added.
    func phone(
        _ install: String = "phone", _ digit: Character = "a", of platform: String = "apns",
        in environment: String = "production", by wallet: SecretKey? = nil, isTold: Bool = false
    ) async throws -> Phone {
        let secret = try DeviceSecret(random: SystemRandom.bytes)
        let token = Self.token(digit)
        let answer = try await ask(
            .put, "/v1/devices/\(install)",
            registration(
                install, secret: secret, token: token, of: platform, in: environment, by: wallet))
        #expect(answer.status == 200, "\(answer.body)")
        let json = try answer.json()
        let id = try #require(json["device_id"]?.string.flatMap { DeviceID($0) })
        if !isTold, let message = MessageID("device-\(id)") {
            _ = try await service.ledger.removeMessage(message, of: (wallet ?? self.wallet).publicKey)
        }
        return Phone(secret: secret, token: token, handle: try #require(json["handle"]?.string), id: id)
    }

    func message(
        _ number: UInt64, _ type: MessageType = .paymentReceived, _ priority: DeviceMessage.Priority = .normal
    ) throws -> DeviceMessage.Content {
        DeviceMessage.Content(
            id: try #require(MessageID("m\(number)")), owner: wallet.publicKey, type: type, priority: priority,
            title: "You received \(number) sat", body: "For coffee", createdAt: service.clock.now,
            expiresAt: service.clock.now.adding(seconds: 86_400))
    }

    /// Makes one attempt at everything that is due, like the outbox of a new process.
    func work() async {
        // A payment or a registration becomes a message first.
        let handlers = sender.outboxHandlers.sorted { one, _ in
            [.ownerPayment, .registrationChange].contains(one.kind)
        }
        for handler in handlers + [delivery] {
            await OutboxRunner(
                handler, of: service.ledger, holder: "another", clock: { [clock = service.clock] in clock.now }
            ).runOnce()
        }
    }

    /// The wake in a push message, as the app reads it.
    func wake(in push: APNsStandIn.Accepted) throws -> WakeMessage {
        let found = try ReceivedWake(push: push.body.serializedBytes(), for: appKey)
        guard case .wake(let wake) = found else { throw NoWake() }
        return wake
    }

    struct NoWake: Error {}
}
