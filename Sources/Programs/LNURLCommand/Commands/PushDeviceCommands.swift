import ArgumentParser
import Devices
import LightningCoding
import LightningCrypto
import OutboundHTTP
import ResponderModel

struct RegisterDevice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Register a device at a service, signed with its owner's key.",
        discussion: """
            Again with the same installation, it changes the token. The files of the keys and of the secret are made when there \
            are none.

            EXAMPLE
              lnurl push register https://example.com --key-file owner.key --device-key-file device.key \\
                --secret-file device.secret --install phone --platform fcm --token -
            """
    )

    @OptionGroup var device: DeviceOptions

    @Option(help: ArgumentHelp("The owner's secret key, in a file of mode 0600.", valueName: "file"))
    var keyFile: String

    @Option(help: ArgumentHelp("The key that wakes are encrypted for, in a file of mode 0600.", valueName: "file"))
    var deviceKeyFile: String

    @Option(help: ArgumentHelp("What the app calls the installation.", valueName: "id"))
    var install: String

    @Option(help: ArgumentHelp("apns, fcm or webpush.", valueName: "name"))
    var platform: String

    @Option(help: "production, or sandbox for APNs.")
    var environment = "production"

    @Option(
        help: ArgumentHelp("What the provider gave the app, a secret: \"-\" takes it from input.", valueName: "text"))
    var token: String

    @OptionGroup var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.print { () async throws(ToolFault) in
            guard let install = InstallID(install) else { throw ToolFault.install }
            let owner = try SecretFile(keyIn: keyFile)
            let key = try SecretFile(keyIn: deviceKeyFile)
            let secret = try SecretFile(deviceSecretIn: device.secretFile)
            let token = try Target.text(token).trimmedLine
            let service = try device.service(network, secret: nil)
            let audience = try await service.send(.get, "/v1/info")["audience"]?.string
            var body: JSONObject = [
                "app": "lnurl", "platform": .string(platform), "environment": .string(environment),
                "push_token": .string(token), "encryption_key": .string(key.secret.publicKey.hexadecimal),
                "secret_sha256": .string(Hexadecimal.encode(secret.secret.hash)), "topics": [],
                "ts": .unsigned(UnixTime.now().seconds),
            ]
            try Self.sign(&body, of: install, by: owner.secret, for: audience ?? service.base.host)
            try owner.keep()
            try key.keep()
            try secret.keep()
            let answer = try await service.send(
                .put, "/v1/devices/\(install)", JSONValue.object(body).serializedBytes())
            var outcome = Outcome()
            outcome.page.add(title: "Registered")
            for (label, member) in [("device", "device_id"), ("handle", "handle")] {
                outcome.page.add(label, answer[member]?.string)
                outcome.json[member] = answer[member]
            }
            outcome.page.add("owner", owner.secret.publicKey.hexadecimal)
            outcome.json.append("identity", .string("ln:\(owner.secret.publicKey)"))
            return outcome
        }
    }

    private static func sign(
        _ body: inout JSONObject, of install: InstallID, by owner: SecretKey, for audience: String
    ) throws(ToolFault) {
        let identity = JSONValue.string("ln:\(owner.publicKey)")
        body["identities"] = [identity]
        // Read with the rest, before there is a signature.
        body["proofs"] = [["identity": identity, "sig": ""]]
        let statement = try rethrowing(DeviceStatement(JSONMembers(body), of: install), as: ToolFault.statement)
        let signature = try rethrowing(
            LightningMessage.sign(statement.text(for: audience), with: owner), as: ToolFault.noRandomness)
        body["proofs"] = [["identity": identity, "sig": .string(signature)]]
    }
}

struct FetchMessages: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch what is pending for a device, as an app does when it was woken.",
        discussion: """
            What is fetched is pending until the next fetch confirms it with --after.

            EXAMPLES
              lnurl push fetch https://example.com --secret-file device.secret
              lnurl push fetch https://example.com --secret-file device.secret --after 7
            """
    )

    @OptionGroup var device: DeviceOptions

    @Option(help: ArgumentHelp("The place up to which the device has shown all messages.", valueName: "number"))
    var after: UInt64?

    @OptionGroup var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.print { () async throws(ToolFault) in
            let service = try device.service(network)
            let query = after.map { [(name: "after", value: String($0))] } ?? []
            let answer = try await service.send(.get, "/v1/pending", query: query)
            guard let messages = answer["data"]?.array else { throw ToolFault.strangeAnswer }
            var outcome = Outcome()
            outcome.page.add(title: messages.isEmpty ? "Nothing is pending" : "\(messages.count) pending")
            for message in messages {
                let text = [message["title"]?.string, message["body"]?.string].compactMap(\.self)
                outcome.page.add(message["seq"]?.uint64.map { "\($0)" } ?? "?", text.joined(separator: ": "))
            }
            outcome.json = ["messages": .array(messages)]
            return outcome
        }
    }
}

struct AcknowledgeWake: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ack",
        abstract: "Acknowledge a wake. Only `handled` stops the service from sending the alert.",
        discussion: """
            EXAMPLE
              lnurl push ack https://example.com 01a0c450-6c00-7000-8000-000000000001 --secret-file device.secret
            """
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The id of the wake, as lnurl push decrypt shows it.")
    var id: String

    @Option(help: ArgumentHelp("handled, no_handler or failed.", valueName: "word"))
    var outcome = WakeAcknowledgement.Outcome.handled.rawValue

    @OptionGroup var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.print { () async throws(ToolFault) in
            guard let wake = WakeID(id), let said = WakeAcknowledgement.Outcome(exactly: outcome) else {
                throw ToolFault.acknowledgement
            }
            let service = try device.service(network)
            _ = try await service.send(
                .post, "/v1/acks", JSONValue.object(WakeAcknowledgement(of: wake, said).json).serializedBytes())
            var shown = Outcome()
            shown.page.add(title: "Acknowledged")
            shown.page.add("id", wake.text)
            shown.page.add("outcome", said.rawValue)
            shown.json = ["id": .string(wake.text), "outcome": .string(said.rawValue)]
            return shown
        }
    }
}
