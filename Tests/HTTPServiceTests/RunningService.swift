import LightningCoding
import LightningCrypto
import Logging
import Contracts
import ServiceLifecycle
import Testing

@testable import HTTPService

/// A service on free loopback ports, while a test's body runs.
enum RunningService {
    /// - Parameters:
    ///   - backend: replaces the embedded node.
    ///   - ledger: wraps the ledger.
    ///   - body: gets the two addresses and a function that stops the service.
    static func with(
        limits: ServiceLimits = ServiceLimits(),
        rates: ServiceRates = ServiceRates(),
        backend: (any ReceiveBackend)? = nil,
        ledger: ((any Ledger) -> any Ledger)? = nil,
        _ body: (TestService, _ payers: ListenAddress, _ admin: ListenAddress, ServiceGroup) async throws -> Void
    ) async throws {
        let service = try await TestService()
        var parts = service.parts
        if let backend { parts.backends = [.embedded: backend] }
        if backend != nil || ledger != nil {
            parts.responder = try await service.responder(
                in: backend, on: ledger?(service.ledger) ?? service.ledger)
        }
        parts.notifications = service.intake(parts.responder)
        var settings = service.settings
        settings.limits = limits
        settings.rates = rates
        let (listeners, opened) = AsyncStream.makeStream(of: AddressServer.Endpoint.self)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let clock = service.clock
        let server = AddressServer(parts, settings: settings, logger: logger, clock: { clock.now }) { opened.yield($0) }
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
