import ArgumentParser
import LightningCoding
import LightningCrypto
import Platform

/// `lnurl`: every request of LNURL-pay by hand, with diagnostics of the server's mistakes.
@main
struct LNURLTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lnurl",
        abstract: "Ask, check and explain Lightning addresses, LNURLs and BOLT12 offers.",
        discussion: """
            EXAMPLES
              lnurl info alice@example.com              what may be paid, and how
              lnurl doctor alice@example.com            what wallets stumble over
              lnurl request alice@example.com 21sat     an invoice, and its checks
              lnurl request alice@example.com 21sat --json | lnurl verify - --wait
              lnurl encode alice@example.com --qr ansi  a QR code
              lnurl decode LNURL1DP68GURN8GHJ7…         what a text contains
              lnurl invoice-request create lno1…        a signed request for a BOLT12 offer
              lnurl offer request lno1… --via 02…@host  the invoice of a BOLT12 offer, over Lightning
              lnurl notify URL lnurlpay_info …          a notification, and the reply to it
              lnurl register URL --name alice …         an address for a wallet on a phone

            A target is whatever a wallet accepts: an address, LNURL1…, lightning:…, lnurlp://…, an https URL with or \
            without ?lightning=…, a BOLT11 invoice; or "-" to read it from standard input. Plain http is used for \
            .onion hosts and for this machine only. Redirects are not followed.

            EXIT STATUS
            \(ExitStatus.table)
            """,
        version: SoftwareVersion.text,
        subcommands: [
            Decode.self, Encode.self, Info.self, Examine.self, Request.self, Verify.self, Success.self,
            DecodeInvoice.self,
            RequestInvoice.self, OfferCommand.self, Notify.self, Register.self, Recover.self, Unregister.self,
            PushCommand.self, Vectors.self,
        ]
    )

    static func main() async {
        keepOpenSSLUntilExit()
        let arguments = Verify.withExplicitWait(Array(CommandLine.arguments.dropFirst()))
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            // Help and the version.
            if exitCode(for: error) == .success {
                guard StandardStream.output.write(fullMessage(for: error) + "\n") else {
                    StandardStream.error.write(ToolFault.outputFailed.reason + "\n")
                    exit(withError: ExitCode(ExitStatus.failedOutput.rawValue))
                }
                exit()
            }
            guard arguments.contains("--json"), !(error is ExitCode), exitCode(for: error) == .validationFailure else {
                exit(withError: error)
            }
            let fault = ToolFault.commandLine(message(for: error))
            guard StandardStream.output.write(JSONValue.object(fault.json).printable + "\n") else {
                exit(withError: error)
            }
            exit(withError: ExitCode(fault.status.rawValue))
        }
    }
}
