import Settings
import ServiceSetup
import ArgumentParser
import LightningCoding
import Contracts
import SQLiteLedger

/// Examines the nodes that receive payments.
struct BackendCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backend",
        abstract: "Look at the nodes that receive the money.",
        subcommands: [List.self, Check.self, Forget.self]
    )
}

extension BackendCommands {
    /// Lists the configured nodes.
    struct List: ReportingCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the configured nodes; nothing is asked of them."
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
            abstract: "Forget which node is behind a name, so that another may take it.",
            discussion: """
                The node that answers next under this name takes its place. It is asked about the invoices that are not \
                settled, and its payments are followed from then on; where it has offers of its own, from its first payment. \
                Invoices of the old node that are paid later are never seen as paid. Better give the new node a name of its \
                own.
                """
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The node's name.")
        var name: String
        @OptionGroup(visibility: .hidden) var settings: SettingOptions

        func perform() async throws(CommandFailure) -> CommandResult {
            let name = try BackendName(argument: name)
            let ledger = try await DataFolder.used(by: settings.configuration()).openLedger()
            do {
                guard try await ledger.unbind(name) else {
                    throw CommandFailure(.no, "nothing is known of a node named \(name)")
                }
            } catch let failure as CommandFailure {
                throw failure
            } catch let fault as LedgerFault {
                throw CommandFailure(fault)
            } catch {
                throw CommandFailure(.unavailable, error.readableReason)
            }
            return CommandResult(text: "Forgot the node named \(name).\n", json: ["forgotten": .string("\(name)")])
        }
    }
}
