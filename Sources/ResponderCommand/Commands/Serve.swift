import AddressService
import ArgumentParser
import LNURL
import LightningCoding
import Locking
import Logging
import Receiving
import SQLiteLedger
import ServiceLifecycle
import UnixSignals

/// Runs the service.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the service until SIGTERM or SIGINT; requests in flight are finished.",
        discussion: """
            The first start makes the data folder with its ledger and keys. What it prints first are the addresses that \
            it listens on; log lines go to standard error.
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
            StructuredLogHandler(format: configuration.logFormat, level: configuration.logLevel)
        }
        for name in try settings.sources().strangeVariables {
            logger.warning("environment variable is no setting", metadata: ["variable": "\(name)"])
        }
        let installation = try await Installation.openOrMake(configuration)
        try await installation.renewAddresses(logger)
        var greeting = Greeting(configuration: configuration, asJSON: output.json)
        if let withAccount {
            greeting.account = try await installation.addIfMissing(AccountArgument.name(withAccount))
        }
        let server = AddressServer(
            try await installation.serviceParts(),
            settings: configuration.service,
            logger: logger,
            onOpen: greeting.doorOpened
        )
        try await Self.run(server, configuration, logger)
        await installation.ledger.close()
        logger.info("stopped")
    }

    private static func run(
        _ server: AddressServer,
        _ configuration: ServiceConfiguration,
        _ logger: Logger
    ) async throws(CommandFailure) {
        var group = ServiceGroupConfiguration(
            services: [server],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        group.maximumGracefulShutdownDuration = .seconds(Int64(clamping: configuration.shutdownTime))
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let fault as ListenFault {
            let reason = FileFault.system(errno: fault.code).reason
            throw CommandFailure(.unavailable, "cannot listen on \(fault.address): \(reason)")
        } catch {
            throw CommandFailure(.unavailable, "the service stopped: \(error)")
        }
    }
}

/// Says where the service listens, once both doors are open.
private struct Greeting: Sendable {
    let configuration: ServiceConfiguration
    let asJSON: Bool
    var account: LightningAddress?
    private let doors = Guarded<(payers: ListenAddress?, admin: ListenAddress?)>((nil, nil))

    init(configuration: ServiceConfiguration, asJSON: Bool) {
        self.configuration = configuration
        self.asJSON = asJSON
    }

    func doorOpened(_ door: AddressServer.Door) {
        let (payers, admin) = doors.withLock { doors in
            switch door {
            case .payers(let address): doors.payers = address
            case .admin(let address): doors.admin = address
            }
            return doors
        }
        guard let payers, let admin else { return }
        StandardStream.output.write(asJSON ? json(payers, admin).serialized() + "\n" : text(payers, admin))
    }

    private func json(_ payers: ListenAddress, _ admin: ListenAddress) -> JSONValue {
        [
            "payers": .string("http://\(payers)"), "admin": .string("http://\(admin)"),
            "publicURL": .string(configuration.publicURL.origin), "dataDirectory": .string(configuration.dataDirectory),
            "account": account.map { .string($0.text) } ?? .null,
        ]
    }

    private func text(_ payers: ListenAddress, _ admin: ListenAddress) -> String {
        """
        Payers:    http://\(payers)  (public URL: \(configuration.publicURL.origin))
        Operator:  http://\(admin)  (token: \(configuration.dataDirectory)/admin.token)
        Data:      \(configuration.dataDirectory)
        \(account.map { "Pay to:    \($0)\n" } ?? "")
        """
    }
}

extension Installation {
    /// After a change of the public URL every account has another address.
    fileprivate func renewAddresses(_ logger: Logger) async throws(CommandFailure) {
        do {
            for account in try await editor.renewAddresses() {
                logger.info("account has a new address", metadata: ["address": "\(editor.address(of: account.name))"])
            }
        } catch {
            throw CommandFailure(error)
        }
    }

    fileprivate func addIfMissing(_ name: AddressName) async throws(CommandFailure) -> LightningAddress {
        let address = editor.address(of: name)
        if try await account(named: name) == nil {
            _ = try await put(name, AccountSettings(description: "Pay to \(address)", backend: .embedded))
        }
        return address
    }
}
