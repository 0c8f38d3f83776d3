import ArgumentParser
import ServiceSetup
import LightningCoding
import ResponderModel

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
