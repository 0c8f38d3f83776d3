import Settings
import ServiceSetup
import ArgumentParser
import LightningCoding
import Contracts

/// Examines the nodes that receive payments.
struct BackendCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backend",
        abstract: "List, check and forget the nodes that receive payments.",
        subcommands: [List.self, Check.self, Forget.self]
    )
}

extension BackendCommands {
    /// Lists the configured nodes.
    struct List: ReportingCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the configured nodes, without contacting them."
        )

        @OptionGroup var output: OutputOptions
        @OptionGroup(visibility: .hidden) var settings: SettingOptions

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

    /// Forgets which node was recorded under a name.
    struct Forget: ReportingCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget which node is behind a name, so that another node can use it.",
            discussion: """
                The next node that answers under this name takes its place. It is asked about unsettled \
                invoices, and its payments are followed from then on; if it makes its own offers, from its first payment. \
                Later payments of the old node's invoices are not noticed. It is better to give the new node its own \
                name.
                """
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The node's name.")
        var name: String
        @OptionGroup(visibility: .hidden) var settings: SettingOptions

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
