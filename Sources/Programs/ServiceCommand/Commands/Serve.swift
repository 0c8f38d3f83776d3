import ArgumentParser
import HTTPService
import ServiceSetup
import LNURL
import LightningCoding
import Platform
import Logging
import ResponderCore
import ServiceLifecycle
import UnixSignals
import ResponderModel

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the service until SIGTERM or SIGINT, then finish requests in flight.",
        discussion: """
            The first start creates the data folder with its ledger and keys. Prints the addresses that \
            it listens on; log lines go to standard error. The admin token is in admin.token of the data folder. \
            Only one process at a time can serve a data folder.
            """
    )

    @OptionGroup var output: OutputOptions
    @Option(help: ArgumentHelp("Add this account if it does not exist.", valueName: "name"))
    var withAccount: String?
    @OptionGroup(title: "Settings") var settings: SettingOptions

    func run() async throws {
        do {
            try await serve()
        } catch let failure as CommandFailure {
            try output.end(with: failure)
        }
    }

    private func serve() async throws {
        let configuration = try settings.configuration()
        let logger = Logger(label: "lightning-responder") { _ in
            StructuredLogHandler(
                format: configuration.logFormat,
                logLevel: Logger.Level(rawValue: configuration.logLevel.rawValue) ?? .info
            )
        }
        for name in try settings.sources().strangeVariables {
            logger.warning("environment variable is not a setting", metadata: ["variable": "\(name)"])
        }
        try Self.requireNode(configuration)
        let account: AccountArgument? = if let withAccount { try AccountArgument(withAccount) } else { nil }
        let folder = DataFolder(of: configuration)
        try folder.create()
        let lock = try ServiceLock(at: folder.serviceLock)
        let opened = try await Installation.openToServe(configuration) { logger.warning("\($0)") }
        try await opened.closing { installation throws(CommandFailure) in
            // Without a configured URL it is the one that the service had.
            try Self.requireNode(installation.configuration)
            try await serve(installation, account, lock, logger)
        }
        logger.info("stopped")
    }

    private static func requireNode(_ configuration: ServiceConfiguration) throws(CommandFailure) {
        if let fault = configuration.trialFault { throw CommandFailure(ConfigurationFaults(faults: [fault])) }
    }

    private func serve(
        _ installation: Installation, _ account: AccountArgument?, _ lock: ServiceLock, _ logger: Logger
    ) async throws(CommandFailure) {
        let configuration = installation.configuration
        let metrics = PrometheusMetrics()
        if let advice = try? await configuration.ledgerKind.advice(in: installation.folder) {
            logger.warning("\(advice)")
        }
        let instance = try installation.instance(logger)
        let parts = try await installation.serviceParts(instance, metrics: metrics, logger: logger)
        let (listeners, opened) = AsyncStream<AddressServer.Endpoint>.makeStream()
        let server = AddressServer(
            parts, settings: configuration.service, logger: logger, metrics: metrics, clock: installation.now
        ) {
            opened.yield($0)
        }
        let opening = ServiceOpening(
            installation: installation, account: account, accounts: parts.responder.accounts, instance: instance,
            lock: lock, listeners: listeners, asJSON: output.json, logger: logger
        )
        try await CommandFailure.asking(await instance.register())
        do {
            try await Self.run(server, opening, configuration, logger)
        } catch {
            await instance.leave()
            throw error
        }
        await instance.leave()
    }

    private static func run(
        _ server: AddressServer,
        _ opening: ServiceOpening,
        _ configuration: ServiceConfiguration,
        _ logger: Logger
    ) async throws(CommandFailure) {
        var group = ServiceGroupConfiguration(
            services: [
                .init(
                    service: opening, successTerminationBehavior: .ignore,
                    failureTerminationBehavior: .gracefullyShutdownGroup),
                .init(service: server, failureTerminationBehavior: .gracefullyShutdownGroup),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        group.maximumGracefulShutdownDuration = .seconds(
            Int64(clamping: configuration.drainTime + configuration.shutdownTime))
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let fault as ListenFault {
            let reason = PrivateFileFault.system(errno: fault.code).reason
            throw CommandFailure(.unavailable, "cannot listen on \(fault.address): \(reason)")
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.unavailable, "the service stopped: \(error.readableReason)")
        }
    }
}

/// Runs once both listeners are open, and not before: a failed start changes nothing.
struct ServiceOpening: Service {
    let installation: Installation
    let account: AccountArgument?
    let accounts: AccountDirectory
    let instance: ServiceInstance
    let lock: ServiceLock
    let listeners: AsyncStream<AddressServer.Endpoint>
    let asJSON: Bool
    let logger: Logger

    func run() async throws {
        var payers: ListenAddress?
        var admin: ListenAddress?
        for await listener in listeners.cancelOnGracefulShutdown() {
            switch listener {
            case .payers(let address): payers = address
            case .admin(let address): admin = address
            }
            if let payers, let admin { return try await opened(payers, admin) }
        }
    }

    private func opened(_ payers: ListenAddress, _ admin: ListenAddress) async throws {
        try await installation.requireSameSettlementWebhook()
        try await installation.announcePublicURL(logger)
        let address: LightningAddress? =
            if let account { try await installation.addIfMissing(installation.id(of: account)).address } else { nil }
        try await accounts.refresh()
        try await installation.announceSettlementWebhook()
        if let orphans = try await installation.orphans() { logger.warning("\(orphans)") }
        lock.describe(payers: payers, admin: admin)
        await instance.listens(payers: payers, admin: admin)
        let greeting = greeting(payers: payers, admin: admin, account: address)
        StandardStream.output.write(asJSON ? greeting.json.serialized() + "\n" : greeting.text)
    }

    private func greeting(
        payers: ListenAddress, admin: ListenAddress, account: LightningAddress?
    ) -> CommandResult {
        let (url, folder) = (installation.configuration.publicURL.origin, installation.folder.path)
        return CommandResult(
            text: """
                Payers:    http://\(payers)  (public URL: \(url))
                Operator:  http://\(admin)
                Data:      \(folder)
                \(account.map { "Pay to:    \($0)\n" } ?? "")
                """,
            json: [
                "payers": .string("http://\(payers)"), "admin": .string("http://\(admin)"), "publicURL": .string(url),
                "dataDirectory": .string(folder), "account": .text(account?.text),
            ])
    }
}
