import ArgumentParser
import Devices
import ResponderCore
import ServiceSetup
import LightningCoding
import Platform
import ResponderModel

struct PushCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Try the push messages to devices.",
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

    func perform() async throws(CommandFailure) -> CommandResult {
        let addressee = try Addressee(device: device, platform: platform, token: token)
        let configuration = try settings.configuration()
        let reports = Guarded<[PushReport]>([])
        // Also for the token of APNs, which the service uses too.
        let ledger = try await configuration.openUsedLedger(for: .writing)
        let now = try await CommandFailure.asking(await ledger.now())
        let sender = try configuration.pushSender(tokensIn: ledger, clock: { now }) { report in
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
