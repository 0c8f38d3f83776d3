import ArgumentParser
import Contracts
import LightningCoding
import ServiceSetup

/// `ledger migrate`, `status`, `copy`.
struct LedgerCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Prepare the ledger on a PostgreSQL server, and move a ledger there or back.",
        subcommands: [LedgerMigrate.self, LedgerStatus.self, LedgerCopying.self]
    )
}

/// Makes the tables.
struct LedgerMigrate: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Make the ledger's tables, or bring them up to date, while the service runs.",
        discussion: """
            The service itself never changes the tables of a PostgreSQL server. Instances of an older version go on with \
            tables that were only expanded; `ledger status` shows what each version needs.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let configuration = try settings.configuration()
        let folder = DataFolder(of: configuration)
        var made: [String] = []
        do throws(LedgerFault) {
            try await configuration.ledgerKind.migrate(in: folder) { made.append($0) }
        } catch {
            throw CommandFailure(error)
        }
        return CommandResult(
            text: made.isEmpty ? "Nothing to do.\n" : "Done: \(made.joined(separator: ", ")).\n",
            json: ["done": .array(made.map { .string($0) })])
    }
}

/// Shows the state of the tables.
struct LedgerStatus: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show which steps the ledger's tables have; exit code 65 if this version cannot use them.")

    @OptionGroup var output: OutputOptions
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let configuration = try settings.configuration()
        let folder = DataFolder(of: configuration)
        let kind = configuration.ledgerKind
        let (applied, known) = try await CommandFailure.asking(await kind.migrations(in: folder))
        let missing = known.dropFirst(applied.count)
        guard missing.isEmpty else {
            throw CommandFailure(LedgerFault.olderSchema(found: applied.count, needed: known.count))
        }
        // Newer tables may be of no use to this version.
        try await CommandFailure.asking(await kind.open(in: folder, for: .reading)).close()
        let surplus = applied.count - known.count
        return CommandResult(
            text: "Ready: \(applied.count) steps\(surplus > 0 ? ", \(surplus) of a newer version" : "").\n",
            json: [
                "applied": .array(applied.map { .string($0) }), "known": .array(known.map { .string($0) }),
            ])
    }
}
