import ArgumentParser
import LightningCoding
import Platform
import Push
import ServiceSetup

/// `push check`.
struct PushCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Try the push messages to devices.",
        subcommands: [PushCheck.self]
    )
}

/// Sends one message.
struct PushCheck: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Send a message to a device, and explain what its provider answers.",
        discussion: """
            The type of the message is push_check, which apps ignore. A provider that takes it has not delivered it yet.
            """
    )

    @OptionGroup var output: OutputOptions
    @Option(help: ArgumentHelp("ios, android or web.", valueName: "platform"))
    var platform: String
    @Option(help: "The device's token, as in the webhook's URL.")
    var token: String
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        guard let platform = PushPlatform(exactly: platform) else {
            throw CommandFailure(.usage, "--platform must be ios, android or web")
        }
        let reports = Guarded<[PushReport]>([])
        let sender = try settings.configuration().pushSender { report in reports.withLock { $0.append(report) } }
        guard let sender else { throw CommandFailure(.configuration, "no push provider is configured") }
        guard let target = sender.target(platform, token: token) else {
            throw CommandFailure(.no, "no configured provider takes this token of \(platform.rawValue)")
        }
        let content = PushContent(type: "push_check", title: "Push check", payload: [:])
        let message = PushMessage(content, .reply, expires: UnixTime.now().adding(seconds: 60))
        let outcome = await sender.send(message, to: target)
        let told = reports.withLock { $0 }
        guard case .accepted(let id) = outcome else {
            throw CommandFailure(outcome.isTemporary ? .unavailable : .no, told.compactMap(\.line) + [outcome.sentence])
        }
        return CommandResult(
            text: told.compactMap(\.line).map { "\($0)\n" }.joined()
                + "The provider has taken the message\(id.map { ": \($0)" } ?? "").\n",
            json: ["accepted": true, "id": .text(id)])
    }
}

extension PushReport {
    /// The answer for people.
    fileprivate var line: String? {
        switch self {
        case .answered(let provider, _, let verdict, let time):
            "\(provider.rawValue): \(verdict.label)\(verdict.detail.map { " (\($0))" } ?? "") after \(time.wholeMilliseconds) ms"
        case .alarm(_, let alarm): alarm.reason
        case .ended: nil
        }
    }
}

extension PushVerdict {
    fileprivate var detail: String? {
        switch self {
        case .misconfigured(let reason), .foreign(let reason), .invalidRequest(let reason), .refused(let reason),
            .credentialRefused(let reason, _), .unavailable(let reason, _):
            reason
        case .accepted, .badToken, .gone, .tooLarge, .credentialExpired, .credentialTooNew, .deviceBusy,
            .connectionEnded:
            nil
        }
    }
}

extension PushOutcome {
    fileprivate var isTemporary: Bool { if case .later = self { true } else { false } }

    fileprivate var sentence: String {
        switch self {
        case .accepted: "the provider has taken the message"
        case .gone: "the provider does not know the device any more; its token would be dropped"
        case .parked(let reason): "the token belongs to another project of the provider: \(reason)"
        case .refused(let reason): "the message was refused: \(reason)"
        case .tooLarge: "the message is too large"
        case .later(let seconds, let reason): "the provider may take it in \(seconds) s: \(reason)"
        }
    }
}
