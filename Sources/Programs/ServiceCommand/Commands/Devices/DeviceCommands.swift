import ArgumentParser
import Devices
import ResponderCore
import ServiceSetup
import LightningCoding
import LightningCrypto
import ResponderModel

struct DeviceCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List, show and remove the devices that wallets have registered, and send messages to their owners.",
        discussion: """
            Wallets register devices themselves where a provider of push messages is configured. A device that is removed \
            can register again; the webhooks that it has given out are dead for good.

            EXAMPLES
              lightning-responder devices list
              lightning-responder devices list --owner 02…
              lightning-responder devices show 8f1d…
              lightning-responder devices remove 8f1d…
              lightning-responder devices announce 'Maintenance on Sunday from 2 to 3 UTC: no payments.'
            """,
        subcommands: [DeviceList.self, DeviceShow.self, DeviceRemove.self, DeviceAnnounce.self]
    )
}

struct DeviceList: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the devices, newest first; those of one owner by name.")

    @OptionGroup var common: CommonOptions
    @Option(help: ArgumentHelp("Only those of this owner: a node key in hex.", valueName: "key"))
    var owner: String?
    @OptionGroup var page: PageOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let limit = try page.count()
        let owner: PublicKey? = try owner.map { text throws(CommandFailure) in
            try rethrowing(
                PublicKey(hexadecimal: text), as: CommandFailure(.usage, "--owner must be a public key in hex"))
        }
        let ledger = try await settings.configuration().openUsedLedger(for: .reading)
        let found: Page<Device>
        if let owner {
            let devices = try await CommandFailure.asking(await ledger.devices(of: owner))
            found = Page(devices, next: nil)
        } else {
            found = try await CommandFailure.asking(await ledger.devices(after: page.mark, limit: limit))
        }
        return CommandResult(found, as: "devices", line: \.line, json: \.json)
    }
}

struct DeviceShow: InstallationCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a device.")

    @OptionGroup var common: CommonOptions
    @Argument(help: "The id of the device.")
    var device: String

    func perform() async throws(CommandFailure) -> CommandResult {
        let ledger = try await settings.configuration().openUsedLedger(for: .reading)
        let found = try await ledger.device(as: device)
        return CommandResult(text: found.report, json: found.json)
    }
}

struct DeviceRemove: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a device: it gets no more messages, and its webhook URLs stop working."
    )

    @OptionGroup var common: CommonOptions
    @Argument(help: "The id of the device.")
    var device: String

    func perform() async throws(CommandFailure) -> CommandResult {
        let installation = try await Installation.open(settings.configuration())
        let found = try await installation.ledger.device(as: device)
        _ = try await CommandFailure.asking(await installation.ledger.removeDevice(found.id))
        return CommandResult(text: "Removed: \(found.id)\n", json: ["removed": found.json])
    }
}

struct DeviceAnnounce: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "announce", abstract: "Send a message to every owner of a registered device, without an alert.",
        discussion: """
            The text is in the notification center of each owner. It has no push message of its own: apps find it when \
            they fetch messages. The same text again reaches only owners that have not got it.
            """)

    @OptionGroup var common: CommonOptions
    @Argument(help: "The text, up to 1000 bytes.")
    var text: String

    func perform() async throws(CommandFailure) -> CommandResult {
        let installation = try await Installation.open(settings.configuration())
        let center = try installation.messageCenter()
        do throws(MessageCenterRefusal) {
            let count = try await center.announce(text)
            return CommandResult(
                text: "Announced to \(count) \(count == 1 ? "owner" : "owners").\n",
                json: ["owners": .unsigned(UInt64(count))])
        } catch .ledger(let fault) {
            throw CommandFailure(fault)
        } catch {
            throw CommandFailure(.usage, "the text must have 1 to \(DeviceMessage.Content.longest.body) bytes")
        }
    }
}

extension Device {
    fileprivate var line: String {
        "\(id)  \(profile.owner)  \(profile.install)  \(reach)  seen \(lastContact.iso8601)\n"
    }

    private var reach: String { address?.platform ?? "dropped" }

    fileprivate var report: String {
        var lines = [
            ("Device", id.description), ("Owner", profile.owner.hexadecimal), ("Installed as", profile.install.text),
            ("Language", profile.locale), ("Registered", registeredAt.iso8601), ("Last seen", lastContact.iso8601),
        ]
        switch state {
        case .live(let address, let since):
            lines.append(
                ("Reached by", "\(address.platform), \(address.environment.rawValue), since \(since.iso8601)"))
        case .dropped(let moment, let reason): lines.append(("Dropped", "\(moment.iso8601): \(reason)"))
        }
        lines += [("Last woken", catchUp.lastWake?.iso8601), ("Next wake", catchUp.wakeDue?.iso8601)]
        return lines.lines(width: 14)
    }
}

extension Ledger {
    fileprivate func device(as text: String) async throws(CommandFailure) -> Device {
        guard let id = DeviceID(text) else {
            throw CommandFailure(.usage, "the id of a device has 32 hexadecimal digits")
        }
        return try await CommandFailure.asking(await device(id)).found(or: "no device \(id)")
    }
}
