import Contracts
import HTTPTypes
import Hummingbird
import LNURL
import LightningCoding
import LightningCrypto
import Logging
import Notifications
import OutboundHTTP
import Platform
import Registrations
import ResponderCore
import SQLiteLedger

@testable import HTTPService

/// The routes of a service for app users, without sockets; webhooks are called.
struct GatewayFixture: Sendable {
    let service: TestService
    let gateway: Gateway
    let domain: Domain
    private let routes: GatewayRoutes
    private let answerers: Answerers
    private let admission: Admission

    /// - Parameters:
    ///   - url: where payers reach the service.
    ///   - time: how long they wait.
    init(
        url: String = "https://example.com", rates: ServiceRates = ServiceRates(), time: Duration = .seconds(20),
        network: Network = .regtest, limits: PendingReplies<RegistrationID, ReplyChannel.Payer>.Limits? = nil,
        rules: RegistrationRules = RegistrationRules(hold: 365 * 86_400), now: UnixTime? = nil
    ) async throws {
        service = try await TestService(rates: rates, hasAlice: false)
        domain = try await service.ledger.putMainDomain(at: HTTPURL(url))
        if let now { service.clock.advance(seconds: now.seconds(since: service.clock.now)) }
        try await service.responder.accounts.refresh()
        let policy = ReplyPolicy(allowsLoopback: true)
        let clock = service.clock
        gateway = try Self.gateway(
            service, responder: service.responder, policy: policy, time: time, network: network, limits: limits,
            rules: rules, poster: WebhookPoster(policy))
        admission = Admission(rates, metrics: service.metrics)
        routes = GatewayRoutes(gateway, admission: admission, clock: { clock.now }, metrics: service.metrics)
        let devices = gateway.answerer
        answerers = Answerers(standard: service.responder) { account throws(Refusal.Cause) in
            do throws(LedgerFault) {
                return try await devices.answers(for: account) ? devices : nil
            } catch {
                throw .ledger(error)
            }
        }
    }

    private var router: Router<ServiceContext> {
        PublicRouter.router(
            responder: answerers, hosts: HostSelection(accounts: service.responder.accounts, trustedProxies: []),
            settings: service.settings,
            notifications: nil, gateway: routes, admission: admission, metrics: service.metrics)
    }

    static func gateway(
        _ service: TestService, responder: Responder, policy: ReplyPolicy, time: Duration = .seconds(20),
        network: Network = .regtest, limits: PendingReplies<RegistrationID, ReplyChannel.Payer>.Limits? = nil,
        rules: RegistrationRules = RegistrationRules(), poster: WebhookPoster,
        observer: DeviceObserver? = nil
    ) throws -> Gateway {
        let clock = service.clock
        var settings = ReplyChannel.Settings(network: network)
        settings.time = time
        settings.postTime = min(settings.postTime, time)
        if let limits { settings.limits = limits }
        let noted =
            observer
            ?? DeviceObserver(
                metrics: service.metrics,
                logger: Logger(label: "test") { _ in
                    SwiftLogNoOpLogHandler()
                })
        let channel = ReplyChannel(settings, post: poster.post, now: { clock.now }, report: noted.note)
        return Gateway(
            answerer: DeviceAnswerer(
                service.ledger, accounts: responder.accounts, channel: channel, now: { clock.now }),
            channel: channel, ledger: service.ledger, rules: rules,
            retention: RegistrationRetention(), policy: policy)
    }

    /// Sends a request.
    func ask(
        _ target: String, _ method: HTTPRequest.Method = .get, headers: HTTPFields = [:], body: String = ""
    ) async throws -> Answer {
        try await Answer(router, target, method, headers, body, host: domain.name.text)
    }

    /// Registers a device as a wallet for breez-lnurl does.
    @discardableResult
    func register(
        _ device: TestDevice, as name: String?, offer: String? = nil, webhook: String? = nil, time: Int64 = 0
    ) async throws -> Answer {
        let body = try device.registration(
            name, offer: offer, webhook: webhook, time: Int64(service.clock.now.seconds) + time)
        return try await ask("/lnurlpay/\(device.publicKey)", .post, body: body.serialized())
    }
}
