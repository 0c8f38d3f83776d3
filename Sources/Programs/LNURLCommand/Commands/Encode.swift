import ArgumentParser
import Bolt12
import LNURL
import LightningCoding

struct Encode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Turn an address or a URL into an LNURL, or a QR code; a BOLT12 offer into a QR code.",
        discussion: """
            A QR code always contains the upper-case form, which is smaller.

            EXAMPLES
              lnurl encode alice@example.com
              lnurl encode https://example.com/pay?id=1 --lud17
              lnurl encode alice@example.com --qr ansi
              lnurl encode alice@example.com --qr png --output alice.png
              lnurl encode lno1… --qr ansi
            """
    )

    @Argument(help: "An address, LNURL, URL or offer, or \"-\" for standard input.")
    var target: String

    @Flag(help: "Write lnurlp:// in place of bech32 (LUD-17).")
    var lud17 = false

    @Flag(help: "Write bech32 in upper case.")
    var upper = false

    @OptionGroup var qr: QROptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !(lud17 && upper) else {
            throw ValidationError("A URL's path has letters in both cases: --lud17 and --upper cannot be combined.")
        }
    }

    func run() async throws {
        try await output.print {
            try qr.checkDestination(output)
            let pasted = try Target.text(target)
            var outcome = Outcome()
            let text: String
            if let document = Bolt12Argument(pasted), document.kind == .offer {
                text = try self.text(document.offer())
                outcome.json = ["text": .string(text)]
            } else {
                let target = try Target.target(pasted)
                guard let url = target.url else { throw ToolFault.notAskable }
                text = try self.text(url, target.purpose)
                outcome.json = ["text": .string(text), "url": .string(url.text)]
            }
            outcome.page.add(text)
            try qr.add(text, to: &outcome)
            return outcome
        }
    }

    private func text(_ offer: Offer) throws(ToolFault) -> String {
        guard !lud17 else { throw .noScheme }
        return upper || qr.qr != nil ? offer.text.uppercased() : offer.text
    }

    private func text(_ url: HTTPURL, _ purpose: LNURLScheme?) throws(ToolFault) -> String {
        guard lud17 else { return EncodedURL.encode(url, upper: upper || qr.qr != nil) }
        guard let text = (purpose ?? .pay).text(for: url) else { throw .noScheme }
        return text
    }
}
