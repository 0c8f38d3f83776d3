import ArgumentParser
import ServiceSetup
import LightningCoding
import LightningCrypto
import ResponderModel

struct BackendCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backend",
        abstract: "List, check and forget the nodes that receive payments.",
        subcommands: [List.self, Check.self, Skipped.self, Forget.self]
    )
}

extension BackendCommands {
    struct List: InstallationCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the configured nodes, without contacting them."
        )

        @OptionGroup var common: CommonOptions

        func perform() async throws(CommandFailure) -> CommandResult {
            let configuration = try settings.configuration()
            let rows = configuration.backends.map { ($0.key.description, type(of: $0.value.kind).word) }
                .sorted { $0.0 < $1.0 }
            let standard = BackendName.standard(among: configuration.backends.keys)?.description
            return CommandResult(
                text: rows.map { "\($0.0)\t\($0.1)\($0.0 == standard ? "\tdefault" : "")\n" }.joined(),
                json: [
                    "backends": .array(
                        rows.map { ["name": .string($0.0), "kind": .string($0.1), "default": .bool($0.0 == standard)] })
                ]
            )
        }
    }

    struct Skipped: InstallationCommand {
        static let configuration = CommandConfiguration(
            abstract: "List payments that a node has reported and that could not be read or recorded, newest first.",
            discussion: """
                Each was passed over, so that later ones are recorded. An invoice that was paid by one stays open here, \
                and is not deleted; the node is asked about it again once it has expired for ledger.keep-expired days.
                """
        )

        @OptionGroup var common: CommonOptions

        private static let most = 1_000

        func perform() async throws(CommandFailure) -> CommandResult {
            let ledger = try await settings.configuration().openUsedLedger(for: .reading)
            let skipped = try await CommandFailure.asking(await ledger.skippedSettlements(limit: Self.most))
            return CommandResult(
                text: skipped.map {
                    """
                    \($0.skippedAt.iso8601)  \($0.backend)  \($0.paymentHash.map { "\($0)" } ?? "unknown hash")  \
                    \($0.reason.printable)

                    """
                }.joined(),
                json: [
                    "payments": .array(
                        skipped.map {
                            [
                                "backend": .string("\($0.backend)"), "paymentHash": .text($0.paymentHash?.hexadecimal),
                                "reason": .string($0.reason), "cursor": .text($0.cursor?.text),
                                "skippedAt": .unsigned($0.skippedAt.seconds),
                            ]
                        })
                ])
        }
    }

    struct Forget: InstallationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget which node is behind a name, so that another node can use it.",
            discussion: """
                The next node that answers under this name takes its place. It is asked about unsettled \
                invoices, and its payments are followed from then on; if it makes its own offers, from its first payment. \
                Later payments of the old node's invoices are not noticed. It is better to give the new node its own \
                name.
                """
        )

        @OptionGroup var common: CommonOptions
        @Argument(help: "The node's name.")
        var name: String

        func perform() async throws(CommandFailure) -> CommandResult {
            let name = try BackendName(argument: name)
            let ledger = try await settings.configuration().openUsedLedger(for: .writing)
            guard try await CommandFailure.asking(await ledger.unbind(name)) else {
                throw CommandFailure(.no, "no node is known under the name \(name)")
            }
            return CommandResult(text: "Forgot the node named \(name).\n", json: ["forgotten": .string("\(name)")])
        }
    }
}

extension BackendName {
    init(argument text: String) throws(CommandFailure) {
        guard let name = BackendName(text) else {
            throw CommandFailure(.usage, "a node's name has 1 to 64 of a-z 0-9 - _")
        }
        self = name
    }
}
