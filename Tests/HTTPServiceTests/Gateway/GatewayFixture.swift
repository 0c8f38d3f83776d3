import HTTPTypes
import Hummingbird
import LNURL
import LightningCoding
import LightningCrypto
import Logging
import OutboundHTTP
import Platform
import Registrations
import ResponderCore
import ResponderModel
import SQLiteLedger
@testable import HTTPService

/// The routes of a service for app users, without sockets; webhooks are called.
struct GatewayFixture: Sendable {
    let service: TestService
    let gateway: Gateway
    let users: AppUsers
    let domain: Domain
    /// The payments that were reported.
    let payments = Guarded<[(RegistrationID, PaymentHash, Millisatoshi?)]>([])
    private let logger: Logger
    private let router: CallbackResponder<ServiceContext>

    /// - Parameters:
    ///   - url: where payers reach the service.
    ///   - time: how long they wait.
    ///   - policy: the allowed webhooks.
    ///   - calls: how they are called.
    ///   - postTime: how long a webhook may take.
    ///   - post: posts questions; nil for over HTTP.
    ///   - logger: gets every line.
    init(
        url: String = "https://example.com", rates: ServiceRates = ServiceRates(), time: Duration = .seconds(20),
        network: Network = .regtest,
        rules: RegistrationRules = RegistrationRules(hold: 365 * 86_400), now: UnixTime? = nil,
        policy: ReplyPolicy = ReplyPolicy(allowsLoopback: true),
        calls: HTTPClient.Configuration = HTTPClient.Configuration(), postTime: Duration? = nil,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        post: ReplyChannel.Post? = nil, monotonic: MonotonicClock = .system
    ) async throws {
        let service = try await TestService(rates: rates, hasAlice: false)
        if let now { service.clock.advance(seconds: now.seconds(since: service.clock.now)) }
        try await self.init(
            on: service, url: url, rates: rates, time: time, network: network, rules: rules,
            policy: policy, calls: calls, postTime: postTime, logger: logger, post: post, monotonic: monotonic)
    }

    /// - Parameter service: one whose app users may be registered already.
    init(
        on service: TestService, url: String = "https://example.com", rates: ServiceRates = ServiceRates(),
        time: Duration = .seconds(20), network: Network = .regtest,
        rules: RegistrationRules = RegistrationRules(hold: 365 * 86_400),
        policy: ReplyPolicy = ReplyPolicy(allowsLoopback: true),
        calls: HTTPClient.Configuration = HTTPClient.Configuration(), postTime: Duration? = nil,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        post: ReplyChannel.Post? = nil, monotonic: MonotonicClock = .system
    ) async throws {
        self.service = service
        self.logger = logger
        domain = try await service.ledger.putMainDomain(at: HTTPURL(url))
        try await service.responder.accounts.refresh()
        gateway = try Self.gateway(
            service, responder: service.responder, policy: policy, time: time, network: network,
            rules: rules, post: post ?? WebhookPoster(policy, configuration: calls).post, postTime: postTime,
            observer: DeviceObserver(metrics: service.metrics, logger: logger),
            onPaid: { [payments] id, hash, amount in payments.withLock { $0.append((id, hash, amount)) } },
            monotonic: monotonic)
        users = AppUsers(
            service.ledger, accounts: service.responder.accounts, channel: gateway.channel,
            marks: VerifyMarks(key: SecretBytes([UInt8](repeating: 3, count: 32))))
        let directory = service.responder.with(others: users.responder)
        router = service.router(
            Payers(directory), gateway, service.notifications(directory),
            admission: Admission(rates, metrics: service.metrics))
    }

    static func gateway(
        _ service: TestService, responder: Responder, policy: ReplyPolicy, time: Duration = .seconds(20),
        network: Network = .regtest,
        rules: RegistrationRules = RegistrationRules(), post: @escaping ReplyChannel.Post,
        postTime: Duration? = nil,
        observer: DeviceObserver? = nil, onPaid: @escaping DevicePaymentReport = { _, _, _ in },
        monotonic: MonotonicClock = .system
    ) throws -> Gateway {
        let clock = service.clock
        var settings = ReplyChannel.Settings(network: network)
        settings.time = time
        settings.postTime = min(postTime ?? settings.postTime, time)
        settings.trustsHosts = policy.allowedHosts != nil
        let noted =
            observer
            ?? DeviceObserver(
                metrics: service.metrics,
                logger: Logger(label: "test") { _ in
                    SwiftLogNoOpLogHandler()
                })
        let channel = ReplyChannel(
            settings, replies: AwaitedReplies(), slots: service.slots, post: post,
            notePaid: { [ledger = service.ledger] in await ledger.keep($0, of: $1, at: clock.now, reporting: onPaid) },
            clock: monotonic,
            now: { clock.now },
            report: noted.note)
        return Gateway(
            channel: channel, ledger: service.ledger, accounts: responder.accounts, rules: rules,
            retention: RegistrationRetention(), policy: policy, secrets: service.secrets)
    }

    /// Sends a request.
    func ask(
        _ target: String, _ method: HTTPRequest.Method = .get, headers: HTTPFields = [:], body: String = "",
        host: String? = nil
    ) async throws -> Answer {
        try await Answer(router, target, method, headers, body, host: host ?? domain.name.text, logger: logger)
    }

    /// Registers a device as a wallet for breez-lnurl does.
    @discardableResult
    func register(
        _ device: TestDevice, as name: String?, offer: String? = nil, webhook: String? = nil, time: Int64 = 0,
        host: String? = nil
    ) async throws -> Answer {
        let body = try device.registration(
            name, offer: offer, webhook: webhook, time: Int64(service.clock.now.seconds) + time)
        return try await ask("/lnurlpay/\(device.publicKey)", .post, body: body.serialized(), host: host)
    }
}
