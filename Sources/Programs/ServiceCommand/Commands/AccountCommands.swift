import ArgumentParser
import ServiceSetup
import LNURL
import LightningCoding
import ResponderCore
import ResponderModel
import LightningCrypto

struct AccountCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Add, list, show, change and remove accounts.",
        subcommands: [AccountAdd.self, AccountList.self, AccountShow.self, AccountSet.self, AccountRemove.self]
    )
}

struct AccountAdd: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract:
            "Add an account: alice receives payments at alice@ the host of the public URL, alice@example.org at another domain of the service."
    )

    @OptionGroup var common: CommonOptions
    @Argument(help: "1 to 64 characters of a-z 0-9 - _ . and, for another domain than the main one, @ and the domain.")
    var name: String
    @OptionGroup(title: "Account") var changes: AccountOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let name = try AccountArgument(name)
        let installation = try await Installation.openOrMake(settings.configuration())
        let id = installation.id(of: name)
        let standard = try await installation.standardSettings(of: id, at: try changes.backendName())
        let settings = try changes.applied(to: standard)
        let account = try await installation.editor.put(id, as: CommandFailure.init) {
            existing throws(CommandFailure) in
            guard existing == nil else {
                throw CommandFailure(.no, "the account \(id) already exists; use `account set` to change it")
            }
            return settings
        }
        return account.report()
    }
}

struct AccountList: InstallationCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List all accounts.")

    @OptionGroup var common: CommonOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let installation = try await Installation.openToRead(settings.configuration())
        let accounts = try await CommandFailure.asking(await installation.ledger.accounts())
        let lines = accounts.map {
            "\($0.address)  \($0.settings.description.printable)\n"
        }
        let json = accounts.map { $0.report().json }
        let text = accounts.isEmpty ? "No accounts; add one with `account add NAME`.\n" : lines.joined()
        return CommandResult(text: text, json: ["accounts": .array(json)])
    }
}

struct AccountShow: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an account with its LNURL, its settings and its webhook.")

    @OptionGroup var common: CommonOptions
    @Argument var name: String
    @Flag(help: "Also print the LNURL as a QR code.")
    var qr = false

    func perform() async throws(CommandFailure) -> CommandResult {
        let name = try AccountArgument(name)
        let installation = try await Installation.openToRead(settings.configuration())
        let account = try await installation.existingAccount(named: installation.id(of: name))
        // Whoever has the webhook URL for forwarders can create invoices for this account.
        let report = account.report(
            webhook: try installation.webhookSecrets().url(of: account.name, in: account.domain))
        // Uppercase gives a smaller QR code with the same meaning.
        return qr ? try report.withCode(EncodedURL.encode(account.address.payURL, upper: true)) : report
    }
}

struct AccountSet: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change settings of an account; the others are kept."
    )

    @OptionGroup var common: CommonOptions
    @Argument var name: String
    @OptionGroup(title: "Account") var changes: AccountOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let name = try AccountArgument(name)
        let installation = try await Installation.open(settings.configuration())
        let id = installation.id(of: name)
        let account = try await installation.editor.put(id, as: CommandFailure.init) {
            existing throws(CommandFailure) in
            try changes.applied(to: existing.found(or: "no account \(id)").settings)
        }
        return account.report()
    }
}

struct AccountRemove: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an account; its invoices stay in the ledger."
    )

    @OptionGroup var common: CommonOptions
    @Argument var name: String

    func perform() async throws(CommandFailure) -> CommandResult {
        let name = try AccountArgument(name)
        let installation = try await Installation.open(settings.configuration())
        let id = installation.id(of: name)
        guard try await CommandFailure.asking(await installation.ledger.removeAccount(named: id)) else {
            throw CommandFailure(.no, "no account \(id)")
        }
        return CommandResult(
            text: "Removed \(id).\n", json: ["removed": .string(id.name.text), "domain": .string(id.domain.text)])
    }
}

extension Account {
    func report(webhook: HTTPURL? = nil) -> CommandResult {
        let lines = [
            ("Address", address.text), ("LNURL", EncodedURL.encode(address.payURL)),
            ("Description", settings.description), ("Longer", settings.longDescription),
            ("Picture", settings.image?.format.rawValue), ("Amounts", amounts), ("Comments", comments),
            ("Payer data", payerData), ("After paying", action),
            ("Invoices", "valid for \(settings.invoiceExpiry) seconds"),
            ("Also email", settings.isMailbox ? "yes" : "no"),
            ("Node", settings.backend.description), ("Version", "\(version) of the metadata"),
            ("Added", createdAt.iso8601),
            ("Settlements", settings.settlementWebhook.map { "announced to \($0.url.text)" }),
            ("Owner", settings.owner?.hexadecimal), ("Webhook", webhook?.text),
        ]
        return CommandResult(text: lines.lines(width: 15), json: .object(json(webhook: webhook)))
    }

    private var amounts: String {
        let least = settings.minSendable ?? domain.settings.minSendable ?? AccountSettings.usualMinimum
        let most = (settings.maxSendable ?? domain.settings.maxSendable).map(\.formatted) ?? "the node's maximum"
        return "\(least.formatted) to \(most), within the node's limits"
    }

    private var comments: String {
        settings.commentAllowed == 0 ? "none" : "up to \(settings.commentAllowed) characters"
    }

    private var payerData: String {
        let asked = PayerDataSpec.Field.allCases.compactMap { field in
            settings.payerData[field].map { "\(field.rawValue) (\($0 == .mandatory ? "mandatory" : "optional"))" }
        }
        return asked.isEmpty ? "none" : asked.joined(separator: ", ")
    }

    private var action: String {
        switch settings.successAction {
        case .none: "nothing"
        case .message(let text): "shows “\(text.text)”"
        case .url(let link): "offers \(link.text) (\(link.description.text))"
        case .secret(let text, let description): "reveals “\(text)” (\(description.text))"
        }
    }
}
