import ArgumentParser
import HTTPService
import ServiceSetup
import Logging
import TemporaryFolders
@testable import ServiceCommand

/// A suite whose commands work on their own data folder.
protocol CommandFixture {
    var temporary: TemporaryFolder { get }
}

extension CommandFixture {
    var folder: String { temporary.path + "/data" }
    /// On a busy machine a PostgreSQL server takes longer than the standard five seconds.
    var data: [String] { ["--data-directory", folder, "--ledger-timeout", "60"] }

    @discardableResult
    func run<Command: ReportingCommand>(_: Command.Type, _ arguments: String...) async throws -> CommandResult {
        try await Command.parse(arguments + data).perform()
    }

    /// Why a command failed; nil when it succeeded.
    func failure<Command: ReportingCommand>(
        _: Command.Type, _ arguments: String...
    ) async throws -> CommandFailure? {
        do {
            _ = try await Command.parse(arguments + data).perform()
            return nil
        } catch let failure as CommandFailure {
            return failure
        }
    }

    func installation() async throws -> Installation {
        try await Installation.open(SettingOptions.parse(data).configuration())
    }
}

extension Installation {
    /// The components of a service that is not running.
    func serviceParts() async throws -> AddressServer.Parts {
        try await serviceParts(instance(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    }
}
