import ResponderCore
import ArgumentParser
import ServiceSetup
import LNURL
import LightningCoding
import LightningCrypto
import ResponderModel

struct RegistrationCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registration",
        abstract: "List, show and remove registrations of app users, and reserve names.",
        discussion: """
            Wallets on phones register names themselves where `gateway.enabled` is set. A name that was given up is held for \
            its last owner.

            EXAMPLES
              lightning-responder registration list --domain example.org
              lightning-responder registration show alice@example.org
              lightning-responder registration remove alice          the name stays held for its owner
              lightning-responder registration remove alice --free   anybody may take the name
              lightning-responder registration reserve treasurer     nobody may take the name
            """,
        subcommands: [RegistrationList.self, RegistrationShow.self, RegistrationRemove.self, RegistrationReserve.self]
    )
}

struct RegistrationList: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the registrations, newest first.")

    @OptionGroup var common: CommonOptions
    @Option(help: ArgumentHelp("Only those of this domain.", valueName: "domain"))
    var domain: String?
    @OptionGroup var page: PageOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        var query = RegistrationQuery(limit: try page.count(), after: page.mark)
        if let domain {
            query.domain = try rethrowing(
                DomainName(domain), as: { (fault: URLFault) in CommandFailure(.usage, "--domain: \(fault.reason)") })
        }
        let ledger = try await settings.configuration().openUsedLedger(for: .reading)
        let found = try await CommandFailure.asking(await ledger.registrations(query))
        return CommandResult(found, as: "registrations", line: \.line, json: \.json)
    }
}

struct RegistrationShow: InstallationCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a registration.")

    @OptionGroup var common: CommonOptions
    @Argument(help: "The name or the key, with its domain unless that is the main one.")
    var user: String

    func perform() async throws(CommandFailure) -> CommandResult {
        let installation = try await Installation.open(settings.configuration())
        let found = try await installation.ledger.registration(as: user)
        let domain = try await CommandFailure.asking(await installation.ledger.domain(found.id.domain))
        let forwarder = try installation.webhookSecrets().url(of: found, in: domain)
        return CommandResult(text: found.report(forwarder), json: found.json(forwarder: forwarder))
    }
}

struct RegistrationRemove: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a registration: its payers get the error of an unknown address.")

    @OptionGroup var common: CommonOptions
    @Argument(help: "The name or the key, with its domain unless that is the main one.")
    var user: String
    @Flag(help: "Release the name at once instead of holding it for its owner.")
    var free = false

    func perform() async throws(CommandFailure) -> CommandResult {
        let installation = try await Installation.open(settings.configuration())
        let found = try await installation.ledger.registration(as: user)
        _ = try await CommandFailure.asking(
            await installation.ledger.removeRegistration(found.id, holdsName: !free, at: installation.now()))
        return CommandResult(text: "Removed: \(found.title)\n", json: ["removed": found.json])
    }
}

struct RegistrationReserve: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "reserve",
        abstract: "Reserve names so that nobody can register them; list or release reserved names.",
        discussion: "`gateway.reserved` reserves names in all domains."
    )

    @OptionGroup var common: CommonOptions
    @Argument(
        help: "Names, each with its domain unless that is the main one; without any, the reserved ones are listed.")
    var names: [String] = []
    @Flag(help: "Release the names.")
    var free = false

    func perform() async throws(CommandFailure) -> CommandResult {
        guard !names.isEmpty || !free else { throw CommandFailure(.usage, "give the names to release") }
        let installation = try await Installation.open(settings.configuration())
        var changed: [AccountID] = []
        for name in names { changed.append(installation.id(of: try AccountArgument(name))) }
        let ledger = installation.ledger
        for name in changed {
            if free {
                guard try await CommandFailure.asking(await ledger.freeName(name)) else {
                    throw CommandFailure(.no, "\(name) is neither reserved nor held")
                }
            } else {
                try await CommandFailure.asking(await ledger.reserve(name, at: installation.now()))
            }
        }
        let shown = names.isEmpty ? try await CommandFailure.asking(await ledger.reservedNames()) : changed
        let word = names.isEmpty ? "reserved" : free ? "freed" : "reserved"
        return CommandResult(
            text: shown.map { "\($0)\n" }.joined(), json: [word: .array(shown.map { .string($0.text) })])
    }
}

extension Registration {
    fileprivate var title: String { address ?? "\(id.key)@\(id.domain)" }

    fileprivate var line: String {
        "\(title)  \(id.key)  \(webhook?.origin ?? "no webhook")  renewed \(refreshedAt.iso8601)\n"
    }

    fileprivate func report(_ forwarder: HTTPURL?) -> String {
        let lines = [
            ("Address", address), ("Key", id.key.hexadecimal), ("Domain", id.domain.text),
            ("Webhook", webhook.map { "\($0.origin) (the rest is secret)" } ?? "none: nobody can be asked"),
            ("Forwarder", forwarder?.text), ("Offer", offer),
            ("Registered", createdAt.iso8601),
            ("Renewed", refreshedAt.iso8601),
        ]
        return lines.lines(width: 13)
    }
}

extension Ledger {
    fileprivate func registration(as text: String) async throws(CommandFailure) -> Registration {
        let unknown = CommandFailure(.no, "no registration \(text.printable)")
        guard let main = try await CommandFailure.asking(await mainDomain()) else { throw unknown }
        let user = try rethrowing(Recipient(text, main: main.name)) { (fault: AddressFault) in
            CommandFailure(.usage, "\(text.printable) is neither a key nor a name: \(fault.reason)")
        }
        guard let found = try await CommandFailure.asking(await registration(of: user)) else { throw unknown }
        return found
    }
}
