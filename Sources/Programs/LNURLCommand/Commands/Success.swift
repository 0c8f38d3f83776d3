import ArgumentParser
import Bolt11
import LNURL
import LightningCoding
import LightningCrypto

struct Success: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a service's success action (LUD-09, LUD-10).",
        discussion: """
            Takes the answer with the invoice, what "lnurl request --json" printed, or the action alone. An encrypted \
            text is decrypted with the preimage, which is read from a file or from standard input and never from the \
            command line, where others could see it.

            EXAMPLES
              lnurl request alice@example.com 21sat --json > answer.json
              lnurl success answer.json --preimage-file preimage.hex
              some-node preimage-of 7c1b… | lnurl success answer.json --preimage-file -
            """
    )

    @Argument(help: "A file with the answer (JSON), or \"-\" for standard input.")
    var answer: String

    @Option(help: ArgumentHelp("A file with the preimage in hex, or \"-\".", valueName: "file"))
    var preimageFile: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard answer != "-" || preimageFile != "-" else {
            throw ValidationError("Standard input can contain either the answer or the preimage, not both.")
        }
    }

    func run() async throws {
        try await output.print {
            let bytes = try Streams.read(answer)
            guard let json = try? JSONValue(parsing: bytes) else { throw ToolFault.answerText }
            let action = try Self.action(in: json)
            let preimage = try preimageFile.map(Self.preimage)
            if let preimage { try Self.check(preimage, against: json) }
            return try Self.outcome(of: action, preimage)
        }
    }

    private static func action(in json: JSONValue) throws(ToolFault) -> SuccessAction {
        let found = json["successAction"] ?? (json["pr"] == nil ? json : .null)
        guard !found.isNull else { throw .answerText }
        do throws(SuccessActionFault) {
            let action = try SuccessAction(json: found)
            // Only "lnurl request" records where the response came from.
            if let callback = json["callback"]?.string, let url = try? HTTPURL(callback) {
                try action.requireHost(of: url)
            }
            return action
        } catch {
            throw .action(error)
        }
    }

    private static func preimage(in path: String) throws(ToolFault) -> Preimage {
        let text = try Streams.readText(path)
        return try rethrowing(Preimage(hexadecimal: text), as: ToolFault.preimage)
    }

    private static func check(_ preimage: Preimage, against json: JSONValue) throws(ToolFault) {
        guard let text = json["pr"]?.string, let invoice = try? Bolt11Invoice(text) else { return }
        guard invoice.paymentHash == preimage.paymentHash else { throw .otherPreimage }
    }

    private static func outcome(of action: SuccessAction, _ preimage: Preimage?) throws(ToolFault) -> Outcome {
        var outcome = Outcome()
        switch action {
        case .message(let message):
            outcome.page.add(title: message.text)
            outcome.json = ["tag": "message", "message": .string(message.text)]
        case .url(let link):
            outcome.page.add(title: link.description.text)
            outcome.page.add("link", link.text)
            outcome.json = [
                "tag": "url", "description": .string(link.description.text), "url": .string(link.text),
            ]
        case .aes(let encrypted):
            guard let preimage else { throw .preimageNeeded }
            let text = try rethrowing(encrypted.open(with: preimage), as: ToolFault.action)
            outcome.page.add(title: encrypted.description.text)
            outcome.page.add("text", text)
            outcome.json = [
                "tag": "aes", "description": .string(encrypted.description.text), "text": .string(text),
            ]
        }
        return outcome
    }
}
