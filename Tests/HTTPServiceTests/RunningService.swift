import LightningCoding
import Logging
import Platform
import Registrations
import ResponderCore
import ResponderModel
import ServiceLifecycle
import Testing
@testable import HTTPService

/// A service on free loopback ports, while a test's body runs.
enum RunningService {
    /// - Parameters:
    ///   - listen: where it listens for payers, at a free port.
    ///   - backend: replaces the embedded node.
    ///   - ledger: the ledger of the responder; nil for the service's.
    ///   - others: answer for who has no account.
    ///   - drainTime: for how many seconds of `monotonic` it drains.
    ///   - existing: the service; nil for a new one.
    ///   - gateway: its app users; nil for none.
    ///   - features: more than payers, notifications and administration.
    ///   - body: gets the two addresses and a function that stops the service.
    static func with(
        listen: String = "127.0.0.1",
        limits: ServiceLimits = ServiceLimits(headerTime: 300, requestTime: 300),
        rates: ServiceRates = ServiceRates(),
        trustsForwardedHost: Bool = false,
        backend: (any ReceiveBackend)? = nil,
        ledger: ((TestService) async throws -> any Ledger)? = nil,
        others: Responder.Lookup? = nil,
        drainTime: UInt64 = 0,
        monotonic: MonotonicClock = .system,
        existing: TestService? = nil,
        gateway: Gateway? = nil,
        features: [any ServiceFeature] = [],
        _ body: (TestService, _ payers: ListenAddress, _ admin: ListenAddress, ServiceGroup) async throws -> Void
    ) async throws {
        let service: TestService
        if let existing { service = existing } else { service = try await TestService() }
        var parts = service.parts
        if let backend { parts.backends = [.embedded: backend] }
        if backend != nil || ledger != nil {
            parts.responder = try await service.responder(
                in: backend, on: ledger?(service) ?? service.ledger)
        }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let directory = parts.responder.with(others: others)
        let own: [(any ServiceFeature)?] = [
            AccountWatch(accounts: parts.responder.accounts, noticeImports: {}, logger: logger),
            Payers(directory),
            service.notifications(directory, logger: logger),
            service.administration(parts.responder, backends: parts.backends), gateway, gateway?.channel.replies,
        ]
        parts.features = own.compactMap { $0 } + features
        var settings = service.settings
        settings.listen = ListenAddress(host: listen, port: 0)
        settings.limits = limits
        settings.rates = rates
        settings.trustsForwardedHost = trustsForwardedHost
        settings.drainTime = drainTime
        let (listeners, opened) = AsyncStream.makeStream(of: AddressServer.Endpoint.self)
        let clock = service.clock
        let server = AddressServer(
            parts, settings: settings, logger: logger, clock: { clock.now }, monotonic: monotonic
        ) { opened.yield($0) }
        let group = ServiceGroup(services: [server], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var payers: ListenAddress?
            var admin: ListenAddress?
            for await listener in listeners {
                switch listener {
                case .payers(let address): payers = address
                case .admin(let address): admin = address
                }
                if payers != nil, admin != nil { break }
            }
            do {
                try await body(service, try #require(payers), try #require(admin), group)
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
