import ArgumentParser
import Devices
import ServiceSetup
import LightningCoding
import Platform
import ResponderModel

struct PushCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Test push delivery to devices.",
        subcommands: [PushCheck.self]
    )
}

struct PushCheck: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Send a message to a device, and explain what its provider answers.",
        discussion: """
            The type of the message is push_check, which apps ignore. A provider that takes it has not delivered it yet.
            """
    )

    @OptionGroup var common: CommonOptions
    @Option(help: ArgumentHelp("The id of a registered device, as shown by `devices list`.", valueName: "id"))
    var device: String?
    @Option(
        help: ArgumentHelp(
            "The platform of a device that is not registered: ios, android or web.", valueName: "platform"))
    var platform: String?
    @Option(help: "Its token, as in the webhook's URL.")
    var token: String?

    func perform() async throws(CommandFailure) -> CommandResult { try await perform(at: nil) }

    func perform(at server: HTTPURL?) async throws(CommandFailure) -> CommandResult {
        let addressee = try Addressee(device: device, platform: platform, token: token)
        let configuration = try settings.configuration()
        let reports = Guarded<[PushReport]>([])
        // Also for the token of APNs, which the service uses too.
        let ledger = try await configuration.openUsedLedger(for: .writing)
        let now = try await CommandFailure.asking(await ledger.now())
        let sender = try configuration.pushSender(at: server, tokensIn: ledger, clock: { now }) { report in
            reports.withLock { $0.append(report) }
        }
        guard let sender else { throw CommandFailure(.configuration, "no push provider is configured") }
        let (target, since) = try await addressee.target(of: sender, in: ledger)
        let content = PushContent(type: "push_check", title: "Push check", payload: [:])
        let message = PushMessage(content, .reply, expires: now.adding(seconds: 60))
        let outcome = await sender.send(message, to: target, registeredAt: since)
        var lines = reports.withLock { $0 }.compactMap(\.line)
        if case .webPush = target, let key = sender.vapidKey { lines.append("The VAPID key of this server: \(key)") }
        guard case .accepted(let id) = outcome else {
            throw CommandFailure(outcome.isTemporary ? .unavailable : .no, lines + [outcome.sentence])
        }
        return CommandResult(
            text: lines.map { "\($0)\n" }.joined()
                + "The provider accepted the message\(id.map { ": \($0)" } ?? "").\n",
            json: ["accepted": true, "id": .text(id)])
    }
}

private enum Addressee {
    case registered(DeviceID)
    case webhook(PushPlatform, token: String)

    init(device: String?, platform: String?, token: String?) throws(CommandFailure) {
        switch (device, platform, token) {
        case (let device?, nil, nil):
            guard let id = DeviceID(device) else {
                throw CommandFailure(.usage, "--device must be 32 lower-case hexadecimal digits")
            }
            self = .registered(id)
        case (nil, let platform?, let token?):
            guard let platform = PushPlatform(exactly: platform) else {
                throw CommandFailure(.usage, "--platform must be ios, android or web")
            }
            self = .webhook(platform, token: token)
        default: throw CommandFailure(.usage, "give --device, or --platform and --token")
        }
    }

    func target(
        of sender: PushSender, in ledger: any DeviceLedger
    ) async throws(CommandFailure) -> (PushAddress, since: UnixTime?) {
        switch self {
        case .webhook(let platform, let token):
            let target = try sender.target(platform, token: token).found(
                or: "no configured provider takes this token of \(platform.rawValue)")
            return (target, nil)
        case .registered(let id):
            let device = try await CommandFailure.asking(await ledger.device(id)).found(
                or: "no device has the id \(id)")
            switch device.state {
            case .dropped(let time, let reason):
                throw CommandFailure(.no, "the device cannot be reached since \(time.iso8601): \(reason)")
            case .live(let address, let since): return (address, since)
            }
        }
    }
}

extension PushReport {
    /// The answer for people, and what to do about it; nil for what is no answer.
    var line: String? {
        switch self {
        case .answered(let provider, _, let verdict, let time):
            "\(provider.rawValue): \(verdict.label)\(verdict.detail.map { " (\($0))" } ?? "") after \(time.wholeMilliseconds) ms"
                + (verdict.explanation.map { ": \($0)" } ?? "")
        case .alarm, .ended, .queued, .replied, .silent: nil
        }
    }
}

extension PushVerdict {
    fileprivate var detail: String? {
        switch self {
        case .misconfigured(let reason), .foreign(let reason), .invalidRequest(let reason), .refused(let reason),
            .unauthorized(let reason), .withdrawn(let reason), .credentialRefused(let reason, _),
            .unavailable(let reason, _), .paused(let reason, _), .outage(let reason), .unanswered(let reason),
            .untrusted(let reason):
            reason
        case .accepted, .badToken, .gone, .tooLarge, .credentialExpired, .credentialTooNew, .deviceBusy,
            .quotaExceeded, .connectionEnded:
            nil
        }
    }

    /// Why the provider refuses, and what the operator can do; nil when it does not.
    var explanation: String? {
        switch self {
        case .accepted: nil
        case .badToken:
            "this server does not know the token; that of a development build belongs to the sandbox (push.apns-environment)"
        case .gone: "the app was removed from the device, or has a newer token"
        case .misconfigured:
            "app and key do not belong together: compare push.apns-topic with the app's bundle id, the key's topics and "
                + "environment at Apple, the project of push.fcm-account-file with the app's, and the APNs key at Firebase"
        case .foreign: "the token was made for another Firebase project than that of push.fcm-account-file"
        case .invalidRequest: "this is a defect of this program; please report it"
        case .refused: "the push service takes no message for this subscription"
        case .unauthorized:
            "the push service does not accept this server's VAPID key for this subscription: it was perhaps made with another "
                + "key; otherwise compare this machine's clock"
        case .tooLarge: "this is a defect of this program, since the message is small; please report it"
        case .credentialExpired: "the provider calls the credential expired: compare this machine's clock"
        case .credentialRefused:
            "check that the key was not revoked, that push.apns-key-id and push.apns-team-id are its own, and that the "
                + "account of push.fcm-account-file may send messages"
        case .credentialTooNew: "another program makes tokens with the same key; give it a key of its own"
        case .deviceBusy: "the device was sent too many messages; try again later"
        case .paused(_, let seconds): "the provider is sent nothing for \(seconds) s"
        case .quotaExceeded: "the project has reached its limit of messages; Google Cloud shows it"
        case .unavailable, .outage, .unanswered: "the provider, or the way to it, fails at the moment"
        case .untrusted:
            "another server answers in the provider's place, or this machine's certificates are missing or too old"
        case .withdrawn: "try again later"
        case .connectionEnded: "the provider has closed the connection; another one is tried"
        }
    }
}

extension PushOutcome {
    var isTemporary: Bool {
        switch self {
        case .later, .paused: true
        case .accepted, .gone, .parked, .refused, .tooLarge: false
        }
    }

    var sentence: String {
        switch self {
        case .accepted: "the provider accepted the message"
        case .gone: "the provider no longer knows the device; its token would be dropped"
        case .parked(let reason): "the message cannot be sent with this configuration: \(reason)"
        case .refused(let reason): "the message was refused: \(reason)"
        case .tooLarge: "the message is too large"
        case .later(let seconds, let reason), .paused(let seconds, let reason):
            "the provider may take it in \(seconds) s: \(reason)"
        }
    }
}
