import ArgumentParser
import LightningCoding
import LightningCrypto
import OutboundHTTP
import Registrations

/// `lnurl register`
struct Register: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Register a wallet's webhook and name at a service for app users, as breez-lnurl has it.",
        discussion: """
            EXAMPLES
              lnurl register https://example.com --key-file wallet.key --webhook 'https://nds.example/…' --name alice
              lnurl recover https://example.com --key-file wallet.key --webhook 'https://nds.example/…'
              lnurl unregister https://example.com --key-file wallet.key --webhook 'https://nds.example/…'
            """
    )

    @OptionGroup var wallet: WalletOptions

    @Option(help: ArgumentHelp("The name to have; without one, the wallet is known by its key.", valueName: "name"))
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

/// `lnurl recover`
struct Recover: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Learn what a wallet has registered.")

    @OptionGroup var wallet: WalletOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.print { try await wallet.send(.recover, .post, "/recover", network) }
    }
}

/// `lnurl unregister`
struct Unregister: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remove a wallet's registration.")

    @OptionGroup var wallet: WalletOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.print { try await wallet.send(.unregister, .delete, "", network) }
    }
}

/// A wallet, and the service that it registers with.
struct WalletOptions: ParsableArguments {
    @Argument(help: "Where payers reach the service: https://example.com")
    var service: String

    @Option(
        help: ArgumentHelp(
            "The wallet's secret key, in a file of mode 0600; made when there is none.", valueName: "file"))
    var keyFile: String

    @Option(help: ArgumentHelp("Where questions are posted, a secret: \"-\" takes it from input.", valueName: "url"))
    var webhook: String

    /// Signs and sends a request.
    func send(
        _ operation: BreezOperation, _ method: HTTPMethod, _ path: String, _ network: NetworkOptions,
        name: String? = nil, offer: String? = nil
    ) async throws(ToolFault) -> Outcome {
        let base = try Target.url(service)
        let key = try PayerKey(in: keyFile)
        let webhook = try Target.text(webhook)
        let request = try rethrowing(
            BreezRequest.signed(
                for: operation, webhook: webhook, username: name, offer: offer, at: .now(), by: key.key),
            as: ToolFault.noRandomness)
        try key.keep()
        let url = base.appendingPath("/lnurlpay/\(key.key.publicKey.hexadecimal)\(path)")
        let response = try await network.service(at: base).send(method, request.json, to: url)
        let text = String(decoding: response.body.trimmed, as: UTF8.self)
        guard response.status == 200 else { throw .refused(reason: text, status: response.status) }
        var outcome = Outcome()
        outcome.page.add("Key", key.key.publicKey.hexadecimal)
        outcome.json = ["key": .string(key.key.publicKey.hexadecimal)]
        for member in (try? JSONValue(parsing: response.body))?.object?.members ?? [] {
            outcome.page.add(member.key, member.value.string)
            outcome.json.append(member.key, member.value)
        }
        return outcome
    }
}
