import ArgumentParser
import LedgerRecords
import ServiceSetup
import LightningCoding
import Platform
import ResponderModel

struct LedgerCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Prepare the ledger on a PostgreSQL server, and move a ledger there or back.",
        subcommands: [LedgerMigrate.self, LedgerStatus.self, LedgerCopying.self]
    )
}

struct LedgerMigrate: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Make the ledger's tables, or bring them up to date, while the service runs.",
        discussion: """
            The service itself never changes the tables of a PostgreSQL server. Instances of an older version go on with \
            tables that were only expanded; `ledger status` shows what each step needs.
            """
    )

    @OptionGroup var common: CommonOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let configuration = try settings.configuration()
        let folder = DataFolder(of: configuration)
        try folder.requireOwner()
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

struct LedgerStatus: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract:
            "Show the steps that the ledger's tables have, and which versions can use them; exit code 65 if this one cannot."
    )

    @OptionGroup var common: CommonOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let configuration = try settings.configuration()
        let folder = DataFolder(of: configuration)
        try folder.requireOwner()
        let kind = configuration.ledgerKind
        let (applied, known) = try await CommandFailure.asking(await kind.steps(in: folder))
        guard applied.steps.count >= known.count else {
            throw CommandFailure(LedgerFault.olderSchema(found: applied.steps.count, needed: known.count))
        }
        // Newer tables may be of no use to this version.
        try await CommandFailure.asking(await kind.open(in: folder, for: .reading)).close()
        let advice = try await CommandFailure.asking(await kind.advice(in: folder))
        return CommandResult(
            text: applied.report(knowing: known.count) + (advice.map { "Advice: \($0).\n" } ?? ""),
            json: [
                "applied": .array(
                    applied.steps.map {
                        ["name": .string($0.name), "oldestProgram": .unsigned(UInt64(clamping: $0.oldestProgram))]
                    }),
                "known": .array(known.map { .string($0) }),
                "oldestProgram": .unsigned(UInt64(clamping: applied.oldestProgram)), "advice": .text(advice),
            ])
    }
}

extension AppliedSchema {
    fileprivate func report(knowing known: Int) -> String {
        let lines = steps.map { step in
            "  \(step.name): \(step.oldestProgram == 0 ? "expanded" : "contracted, needs a version that knows \(step.oldestProgram) steps")\n"
        }
        return """
            Ready: \(steps.count) steps, of which this version knows \(known).
            \(lines.joined())\(oldestProgram == 0 ? "Every version can use these tables." : "The oldest version that can use these tables knows \(oldestProgram) steps.")

            """
    }
}

struct LedgerCopying: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a ledger from a data folder to a PostgreSQL server, or back, and compare the two.",
        discussion: """
            No service may run on either. The target must be empty. A copy that was interrupted is finished by the same \
            command; what is there already is not written again. In the end the number of rows of each table and a digest of them are compared. A \
            U+0000 in a text becomes U+FFFD. The keys stay in the data folder.

              lightning-responder ledger copy --from responder-data --to postgresql://db.example/ledger
            """
    )

    @OptionGroup var common: CommonOptions
    @Option(help: ArgumentHelp("The ledger to copy: a data folder, or a PostgreSQL URL.", valueName: "folder|url"))
    var from: String
    @Option(help: ArgumentHelp("The target: a data folder, or a PostgreSQL URL with tables.", valueName: "folder|url"))
    var to: String

    func perform() async throws(CommandFailure) -> CommandResult {
        guard from.withoutTrailingSlashes != to.withoutTrailingSlashes else {
            throw CommandFailure(.usage, "both are the same ledger")
        }
        let configuration = try settings.configuration()
        let source = try LedgerPlace(from, configuration)
        let target = try LedgerPlace(to, configuration)
        guard source.exists else { throw CommandFailure(.noInput, "\(from) has no ledger") }
        // Keep services off a ledger in a folder, until the copy is done.
        let locks = try [source, target].compactMap(\.folder).map { folder throws(CommandFailure) in
            try folder.create()
            return try ServiceLock(at: folder.serviceLock)
        }
        let counts = try await source.copy(to: target) { table, count in
            StandardStream.error.write("\(table): \(count)\n")
        }
        withExtendedLifetime(locks) {}
        let zeros = counts.filter { $0.textsWithZero > 0 }.map { "\($0.table): \($0.textsWithZero)" }
        let rows = counts.reduce(0) { $0 + $1.count }
        return CommandResult(
            text: "Copied and compared: \(rows) rows of \(counts.count) tables.\n"
                + (zeros.isEmpty ? "" : "Texts with U+0000, which is now U+FFFD: \(zeros.joined(separator: ", "))\n"),
            json: [
                "tables": .array(
                    counts.map {
                        [
                            "name": .string($0.table), "rows": .integer($0.count), "digest": .string($0.digest),
                            "textsWithZero": .integer($0.textsWithZero),
                        ]
                    })
            ])
    }
}
