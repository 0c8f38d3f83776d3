import ArgumentParser
import LightningCoding
import LightningCrypto
import OutboundHTTP
import Registrations

struct Register: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Register a wallet's webhook and name through the API of breez-lnurl.",
        discussion: """
            Again with another name, it renames the wallet; with another webhook, questions go there. `invalid signature` is \
            also the answer to a clock that is a minute off, and to a name or offer that is not taken.

            EXAMPLES
              lnurl register https://example.com --key-file wallet.key --webhook 'https://nds.example/…' --name alice
              lnurl register https://example.com --key-file wallet.key --webhook - < webhook.txt
            """
    )

    @OptionGroup var wallet: WalletOptions

    @Option(help: ArgumentHelp("The name to register; without one, the wallet is paid by its key.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("The wallet's BOLT12 offer.", valueName: "lno1…"))
    var offer: String?

    @OptionGroup var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.print {
            try await wallet.send(.register, .post, "", network, name: name, offer: offer)
        }
    }
}

struct Recover: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what a wallet has registered.",
        discussion: """
            EXAMPLE
              lnurl recover https://example.com --key-file wallet.key --webhook 'https://nds.example/…'
            """
    )

    @OptionGroup var wallet: WalletOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.print { try await wallet.send(.recover, .post, "/recover", network) }
    }
}

struct Unregister: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove a wallet's registration.",
        discussion: """
            Everything is forgotten, but for the name, which is held for this key. The webhook must be the registered one: with \
            another, nothing changes.

            EXAMPLE
              lnurl unregister https://example.com --key-file wallet.key --webhook 'https://nds.example/…'
            """
    )

    @OptionGroup var wallet: WalletOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.print { try await wallet.send(.unregister, .delete, "", network) }
    }
}

struct WalletOptions: ParsableArguments {
    @Argument(help: "Where payers reach the service: https://example.com")
    var service: String

    @Option(
        help: ArgumentHelp(
            "The wallet's secret key, in a file of mode 0600; register makes it when there is none.", valueName: "file")
    )
    var keyFile: String

    @Option(help: ArgumentHelp("The webhook's URL, a secret: \"-\" takes it from input.", valueName: "url"))
    var webhook: String

    func send(
        _ operation: BreezOperation, _ method: HTTPMethod, _ path: String, _ network: NetworkOptions,
        name: String? = nil, offer: String? = nil
    ) async throws(ToolFault) -> Outcome {
        let base = try Target.url(service)
        let file = try SecretFile(keyIn: keyFile)
        let key = operation == .register ? file.secret : try file.existing()
        let webhook = try Target.text(webhook)
        let request = try rethrowing(
            BreezRequest.signed(
                for: operation, webhook: webhook, username: name, offer: offer, at: .now(), by: key),
            as: ToolFault.noRandomness)
        try file.keep()
        let digits = key.publicKey.hexadecimal
        let url = base.appendingPath("/lnurlpay/\(digits)\(path)")
        let response = try await network.service(at: base).send(method, request.json.serializedBytes(), to: url)
        return try Self.outcome(of: operation, by: digits, response)
    }

    /// The answer of breez-lnurl: JSON with status 200, which may be missing for unregistering, or a line of text.
    private static func outcome(
        of operation: BreezOperation, by key: String, _ response: HTTPResponse
    ) throws(ToolFault) -> Outcome {
        try response.refuseRedirect()
        guard response.status == 200 else {
            if operation == .recover, response.status == 404 { throw .notRegistered }
            let text = String(decoding: response.body.trimmed.prefix(400), as: UTF8.self)
            throw .refused(reason: text, status: response.status)
        }
        let answer = (try? JSONValue(parsing: response.body))?.object
        guard operation == .unregister || answer?["lnurl"]?.string != nil else { throw .notJSON(response) }
        var outcome = Outcome()
        outcome.page.add("Key", key)
        outcome.json = ["key": .string(key)]
        for (label, member) in [
            ("Address", "lightning_address"), ("BIP 353", "bip353_address"), ("LNURL", "lnurl"),
        ] {
            guard let value = answer?[member]?.string else { continue }
            outcome.page.add(label, value)
            outcome.json.append(member, .string(value))
        }
        return outcome
    }
}
