import ArgumentParser
import ServiceSetup
import LightningCoding
import LightningCrypto
import Platform

@main
struct LightningResponder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lightning-responder",
        abstract: "Receive payments at a Lightning address.",
        discussion: """
            Answers wallets that pay name@domain: limits, invoices, and whether they were paid (LNURL-pay and \
            LNURL-verify). Creates reusable offers and answers requests for them (BOLT12).

            A first payment, on a chain that needs no network:
              lightning-responder serve --with-account alice &
              curl http://127.0.0.1:8080/.well-known/lnurlp/alice
              curl 'http://127.0.0.1:8080/lnurlpay/alice/invoice?amount=21000'
              lightning-responder settle <payment hash>

            Settings come from flags, then from environment variables (RESPONDER_LISTEN for --listen), then from a YAML \
            file (--config), then from the defaults. `lightning-responder serve --help` explains each of them, \
            `config check` reports mistakes.

            The commands for accounts, offers and invoices work on the data folder, whether the service runs or not; a \
            running service picks up their changes within a quarter of a second. They accept all settings of `serve`, such as \
            --data-directory and --config.

            \(ExitStatus.help)
            """,
        version: SoftwareVersion.text,
        subcommands: [
            Serve.self, ConfigCommands.self, DomainCommands.self, AccountCommands.self, BackendCommands.self,
            OfferCommands.self, Invoices.self, Settle.self, Peers.self, Instances.self, Respond.self, Events.self,
            OutboxCommands.self, RegistrationCommands.self, DeviceCommands.self, PushCommands.self, LedgerCommands.self,
            Check.self,
            Backup.self, Restore.self,
        ],
        defaultSubcommand: Serve.self
    )

    static func main() async {
        keepOpenSSLUntilExit()
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if let failure = unknownCommand(in: arguments) {
                try OutputOptions.end(with: failure, asJSON: arguments.contains("--json"))
            }
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            if let failure = usageFailure(error, arguments) {
                StandardStream.output.write(failure.json.serialized() + "\n")
                exit(withError: ExitCode(failure.status.rawValue))
            }
            // Help and the version.
            if exitCode(for: error) == .success, !StandardStream.output.write(fullMessage(for: error) + "\n") {
                StandardStream.error.write(CommandFailure.outputFailed.text)
                exit(withError: ExitCode(CommandFailure.outputFailed.status.rawValue))
            }
            exit(withError: exitCode(for: error) == .success ? nil : error)
        }
    }

    /// The JSON report of a wrong command line, if JSON was requested; nil otherwise.
    static func usageFailure(_ error: any Error, _ arguments: [String]) -> CommandFailure? {
        guard arguments.contains("--json"), !(error is ExitCode), exitCode(for: error) == .validationFailure else {
            return nil
        }
        return CommandFailure(.usage, message(for: error))
    }

    /// The failure of a word that is no command; nil when there is none.
    ///
    /// The parser would take the word for an argument of the default command.
    static func unknownCommand(in arguments: [String]) -> CommandFailure? {
        var command: any ParsableCommand.Type = Self.self
        var path: [String] = []
        for argument in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !argument.hasPrefix("-"), !(path.isEmpty && argument == "help") else {
                return nil
            }
            guard let next = subcommands.first(where: { $0._commandName == argument }) else {
                let word = (path + [argument]).joined(separator: " ")
                // The command probably meant, with its parent commands.
                let meant = NearestName.to(argument, among: subcommands.map { $0._commandName })
                    .map { (path + [$0]).joined(separator: " ") }
                return CommandFailure(
                    .usage,
                    "unknown command \(word.printable)" + (meant.map { "; did you mean \($0)?" } ?? "; see --help"))
            }
            command = next
            path.append(argument)
        }
        return nil
    }
}
