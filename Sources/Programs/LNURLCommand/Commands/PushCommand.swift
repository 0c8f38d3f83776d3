import ArgumentParser
import Devices
import LightningCoding

struct PushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Act as a device: register, decrypt push messages, fetch, acknowledge.",
        subcommands: [RegisterDevice.self, DecryptPush.self, AcknowledgeWake.self, FetchMessages.self]
    )
}

struct DecryptPush: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decrypt",
        abstract: "Decrypt the wake in a push message.",
        discussion: """
            Takes what an app receives, as JSON: the dictionary of an APNs notification, or the data of an FCM message; \
            in the current format or the legacy one. A fallback alert, in which nothing is encrypted, is shown as such.

            EXAMPLE
              lnurl push decrypt message.json --key-file device.key
            """
    )

    @Argument(help: "A file with the push message (JSON), or \"-\" for standard input.")
    var message: String

    @Option(help: ArgumentHelp("A file of mode 0600 with the device's secret key in hex.", valueName: "file"))
    var keyFile: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.print {
            let key = try SecretFile(keyIn: keyFile).existing()
            let push = try Streams.read(message)
            return Self.outcome(of: try rethrowing(ReceivedWake(push: push, for: key), as: ToolFault.wake))
        }
    }

    private static func outcome(of received: ReceivedWake) -> Outcome {
        var outcome = Outcome()
        switch received {
        case .wake(let wake):
            outcome.page.add(title: wake.topic.text)
            outcome.page.add("id", wake.id.text)
            outcome.page.add("urgency", wake.urgency.rawValue)
            outcome.page.add("until", wake.deadline.iso8601)
            outcome.page.add("payload", wake.payload?.serialized())
            outcome.json = [
                "kind": "wake", "id": .string(wake.id.text), "topic": .string(wake.topic.text),
                "urgency": .string(wake.urgency.rawValue), "deadline": .unsigned(wake.deadline.seconds),
                "payload": wake.payload ?? .null,
            ]
        case .legacy(let wake):
            outcome.page.add(title: "\(wake.source).\(wake.type)")
            outcome.page.add("made", wake.createdAt)
            outcome.page.add("payload", wake.payload.serialized())
            outcome.json = [
                "kind": "legacy", "source": .string(wake.source), "type": .string(wake.type),
                "createdAt": .string(wake.createdAt), "payload": wake.payload,
            ]
        case .fallback(let id, let topic):
            outcome.page.add(title: topic.text)
            outcome.page.add("id", id.text)
            outcome.page.add("kind", "an alert, since the wake was not handled in time")
            outcome.json = ["kind": "fallback", "id": .string(id.text), "topic": .string(topic.text)]
        }
        return outcome
    }
}
