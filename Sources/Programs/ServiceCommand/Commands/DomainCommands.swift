import ArgumentParser
import HTTPService
import ServiceSetup
import LNURL
import LightningCoding
import ResponderCore
import ResponderModel

struct DomainCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domain",
        abstract: "Add, list, show, change and remove domains.",
        discussion: """
            The main domain is that of public-url. A domain that the section `domains` of the file names gets its \
            settings from there whenever the service starts.
            """,
        subcommands: [DomainAdd.self, DomainList.self, DomainShow.self, DomainSet.self, DomainRemove.self]
    )
}

struct DomainAdd: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a domain, with accounts of its own: account add alice@example.org.",
        discussion: """
            --public-url is the URL at which payers reach this domain, at its own host; by default https and the name. \
            In a wildcard domain, *.example.com, each account has a host of its own: alice is paid as _@alice.example.com.
            """
    )

    @OptionGroup var common: CommonOptions
    @Argument(help: "The part of the addresses after the @: example.org, *.example.org.")
    var name: String
    @OptionGroup(title: "Domain") var changes: DomainOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let name = try DomainArgument.name(name)
        let installation = try await Installation.openOrMake(
            settings.configuration(without: SettingTable.shared.publicURL))
        guard let standard = DomainConfiguration.implicitURL(of: name) else {
            throw CommandFailure(.usage, "\(name) has no URL")
        }
        let url = try settings.urlOfDomain() ?? standard
        let added = try changes.applied(to: DomainSettings())
        return try await installation.put(name) { existing throws(CommandFailure) in
            guard existing == nil else {
                throw CommandFailure(.no, "the domain \(name) already exists; use `domain set` to change it")
            }
            return (url, added)
        }
    }
}

struct DomainList: InstallationCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List all domains.")

    @OptionGroup var common: CommonOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let installation = try await Installation.openToRead(settings.configuration())
        let domains = try await CommandFailure.asking(await installation.ledger.domains())
        let lines = domains.map { "\($0.name)  \($0.publicURL)\($0.isMain ? "  main" : "")\n" }
        return CommandResult(
            text: domains.isEmpty ? "No domains; `serve` makes the main one.\n" : lines.joined(),
            json: ["domains": .array(domains.map(\.json))])
    }
}

struct DomainShow: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a domain with its settings.")

    @OptionGroup var common: CommonOptions
    @Argument var name: String

    func perform() async throws(CommandFailure) -> CommandResult {
        let name = try DomainArgument.name(name)
        let installation = try await Installation.openToRead(settings.configuration())
        return try await installation.existingDomain(name).report
    }
}

struct DomainSet: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change settings of a domain; the others are kept.",
        discussion: "--public-url is the URL at which payers reach this domain, at its own host."
    )

    @OptionGroup var common: CommonOptions
    @Argument var name: String
    @OptionGroup(title: "Domain") var changes: DomainOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let name = try DomainArgument.name(name)
        let installation = try await Installation.open(
            settings.configuration(without: SettingTable.shared.publicURL))
        let url = try settings.urlOfDomain()
        return try await installation.put(name) { existing throws(CommandFailure) in
            let domain = try existing.found(or: "no domain \(name)")
            return (url ?? domain.publicURL, try changes.applied(to: domain.settings))
        }
    }
}

struct DomainRemove: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a domain that has no accounts; the invoices of former ones stay.")

    @OptionGroup var common: CommonOptions
    @Argument var name: String

    func perform() async throws(CommandFailure) -> CommandResult {
        let name = try DomainArgument.name(name)
        let installation = try await Installation.open(settings.configuration())
        let isRemoved = try await awaiting(await installation.domainEditor.remove(name)) { (fault: DomainFault) in
            CommandFailure(fault)
        }
        guard isRemoved else { throw CommandFailure(.no, "no domain \(name)") }
        return CommandResult(text: "Removed \(name).\n", json: ["removed": .string(name.text)])
    }
}

private enum DomainArgument {
    static func name(_ text: String) throws(CommandFailure) -> DomainName {
        try rethrowing(
            DomainName(text), as: CommandFailure(.usage, "\(text) is not the name of a domain, such as example.org"))
    }
}

extension SettingOptions {
    /// The URL of the domain, which these commands take from the flag of `public-url`; nil when none was given.
    fileprivate func urlOfDomain() throws(CommandFailure) -> PublicURL? {
        guard let text = flags[SettingTable.shared.publicURL.key] else { return nil }
        return try rethrowing(
            PublicURL(text), as: CommandFailure(.usage, "--public-url: \(text) is not an http(s) URL"))
    }
}

extension Installation {
    fileprivate func existingDomain(_ name: DomainName) async throws(CommandFailure) -> Domain {
        try await CommandFailure.asking(await ledger.domain(name)).found(or: "no domain \(name)")
    }

    fileprivate func put(
        _ name: DomainName, _ domain: (Domain?) throws(CommandFailure) -> (PublicURL, DomainSettings)
    ) async throws(CommandFailure) -> CommandResult {
        try await domainEditor.put(name, as: CommandFailure.init) { existing throws(CommandFailure) in
            let (url, settings) = try domain(existing)
            guard url.domain == name else {
                throw CommandFailure(.usage, "--public-url: \(url) is not at the host \(name)")
            }
            return (url, settings)
        }.report
    }
}

extension Domain {
    fileprivate var report: CommandResult {
        let lines = (json.object?.members ?? []).map { member in
            let value =
                member.value.array.map { $0.map { $0.string ?? "" }.joined(separator: ", ") } ?? member.value.string
                ?? member.value.serialized()
            return "\(member.key): \(value.printable)\n"
        }
        return CommandResult(text: lines.joined(), json: json)
    }
}

/// The settings of a domain, as flags. A list is `a,b`, or `none`.
struct DomainOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Other hosts at which it is reached.", valueName: "hosts"))
    var aliases: String?
    @Option(help: ArgumentHelp("The only nodes that its accounts may use, the standard one first.", valueName: "names"))
    var backends: String?
    @Option(help: ArgumentHelp("The minimum amount of all its accounts, or none.", valueName: "amount"))
    var min: String?
    @Option(help: ArgumentHelp("The maximum amount of all its accounts, or none.", valueName: "amount"))
    var max: String?
    @Option(help: ArgumentHelp("The maximum number of open invoices per account, or none.", valueName: "count"))
    var openInvoices: String?
    @Option(help: ArgumentHelp("Names that new accounts cannot have.", valueName: "names"))
    var reserved: String?
    @Option(
        help: ArgumentHelp("The description of new accounts, with {address} in it, or none.", valueName: "text"))
    var description: String?

    func applied(to settings: DomainSettings) throws(CommandFailure) -> DomainSettings {
        var settings = settings
        settings.aliases = try Self.value(aliases, "--aliases") ?? settings.aliases
        settings.backends = try Self.value(backends, "--backends") ?? settings.backends
        settings.reserved = try Self.value(reserved, "--reserved") ?? settings.reserved
        if let min { settings.minSendable = try Self.unlessNone(min, "--min") }
        if let max { settings.maxSendable = try Self.unlessNone(max, "--max") }
        if let openInvoices { settings.maximumOpenInvoices = try Self.unlessNone(openInvoices, "--open-invoices") }
        if let description { settings.description = description == "none" ? nil : description }
        return settings
    }

    private static func unlessNone<Value: SettingValue>(
        _ text: String, _ flag: String
    ) throws(CommandFailure) -> Value? {
        text == "none" ? nil : try value(text, flag)
    }

    private static func value<Value: SettingValue>(_ text: String?, _ flag: String) throws(CommandFailure) -> Value? {
        guard let text else { return nil }
        guard let value = Value(setting: text) else {
            throw CommandFailure(.usage, "\(flag): \(text) is not a \(Value.form)")
        }
        return value
    }
}
