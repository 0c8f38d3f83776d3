import ResponderCore
import ServiceSetup
import Settings
import HTTPService
import ArgumentParser
import LNURL
import LightningCoding
import Logging
import SQLiteLedger
import ServiceLifecycle
import UnixSignals

/// Runs the service.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the service until SIGTERM or SIGINT; requests in flight are finished.",
        discussion: """
            The first start makes the data folder with its ledger and keys. What it prints first are the addresses that \
            it listens on; log lines go to standard error. The operator's token stands in admin.token of the data folder. \
            A folder is served by one process at a time.
            """
    )

    @OptionGroup var output: OutputOptions
    @Option(help: ArgumentHelp("Add this account, if it is not there.", valueName: "name"))
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
            StructuredLogHandler(format: configuration.logFormat, level: configuration.logLevel.level)
        }
        for name in try settings.sources().strangeVariables {
            logger.warning("environment variable is no setting", metadata: ["variable": "\(name)"])
        }
        let account: AddressName? = if let withAccount { try AccountArgument.name(withAccount) } else { nil }
        let folder = DataFolder(path: configuration.dataDirectory)
        try folder.create()
        let lock = try ServiceLock(at: folder.serviceLock)
        let installation = try await Installation.openToServe(configuration)
        let metrics = PrometheusMetrics()
        let mismatches = MismatchObserver(of: installation.backends.keys, metrics: metrics, logger: logger)
        var parts = try await installation.serviceParts { mismatches.note($0) }
        let peers = try await LightningPeers(installation, parts.responder, metrics: metrics, logger: logger)
        parts.peers = peers?.window
        let (listeners, opened) = AsyncStream<AddressServer.Endpoint>.makeStream()
        let server = AddressServer(parts, settings: configuration.service, logger: logger, metrics: metrics) {
            opened.yield($0)
        }
        let opening = ServiceOpening(
            installation: installation, account: account, accounts: parts.responder.accounts, lock: lock,
            listeners: listeners, asJSON: output.json, logger: logger
        )
        try await Self.run([server] + (peers.map { [$0] } ?? []), opening, configuration, logger)
        await installation.ledger.close()
        logger.info("stopped")
    }

    private static func run(
        _ servers: [any Service],
        _ opening: ServiceOpening,
        _ configuration: ServiceConfiguration,
        _ logger: Logger
    ) async throws(CommandFailure) {
        var group = ServiceGroupConfiguration(
            services: [
                .init(
                    service: opening, successTerminationBehavior: .ignore,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            ] + servers.map { .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup) },
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        group.maximumGracefulShutdownDuration = .seconds(Int64(clamping: configuration.shutdownTime))
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let fault as ListenFault {
            let reason = FileFault.system(errno: fault.code).reason
            throw CommandFailure(.unavailable, "cannot listen on \(fault.address): \(reason)")
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.unavailable, "the service stopped: \(error.readableReason)")
        }
    }
}
