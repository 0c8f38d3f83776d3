import ResponderCore
import ServiceSetup
import HTTPService
import ArgumentParser
import LNURL
import LightningCoding
import Contracts

/// `account add`, `list`, `show`, `set`, `remove`.
struct AccountCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Add, list, show, change and remove accounts.",
        subcommands: [AccountAdd.self, AccountList.self, AccountShow.self, AccountSet.self, AccountRemove.self]
    )
}

/// Adds an account.
struct AccountAdd: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an account: alice receives payments at alice@ the host of the public URL."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "1 to 64 characters of a-z 0-9 - _ .")
    var name: String
    @OptionGroup(title: "Account") var changes: AccountOptions
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let name = try AccountArgument.name(name)
        let installation = try await Installation.openOrMake(settings.configuration())
        guard try await installation.account(named: name) == nil else {
            throw CommandFailure(.no, "the account \(name) already exists; use `account set` to change it")
        }
        let standard = try installation.standardSettings(of: name, at: try changes.backendName())
        return installation.report(try await installation.put(name, changes.applied(to: standard)))
    }
}

/// Lists all accounts.
struct AccountList: ReportingCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List all accounts.")

    @OptionGroup var output: OutputOptions
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let installation = try await Installation.openToRead(settings.configuration())
        let accounts = try await CommandFailure.asking(await installation.ledger.accounts())
        let lines = accounts.map {
            "\(installation.editor.address(of: $0.name))  \($0.settings.description.printable)\n"
        }
        let json = accounts.map { installation.report($0).json }
        let text = accounts.isEmpty ? "No accounts; add one with `account add NAME`.\n" : lines.joined()
        return CommandResult(text: text, json: ["accounts": .array(json)])
    }
}

/// Shows one account.
struct AccountShow: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an account with its LNURL, its settings and its webhook.")

    @OptionGroup var output: OutputOptions
    @Argument var name: String
    @Flag(help: "Also print the LNURL as a QR code.")
    var qr = false
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let name = try AccountArgument.name(name)
        let installation = try await Installation.openToRead(settings.configuration())
        let account = try await installation.existingAccount(named: name)
        let report = try installation.reportWithWebhook(account)
        // Uppercase gives a smaller QR code with the same meaning.
        let address = installation.editor.address(of: account.name)
        return qr ? try report.withCode(EncodedURL.encode(address.payURL, upper: true)) : report
    }
}

/// Changes an account.
struct AccountSet: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change settings of an account; the others are kept."
    )

    @OptionGroup var output: OutputOptions
    @Argument var name: String
    @OptionGroup(title: "Account") var changes: AccountOptions
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let name = try AccountArgument.name(name)
        let installation = try await Installation.open(settings.configuration())
        let account = try await installation.existingAccount(named: name)
        return installation.report(try await installation.put(name, changes.applied(to: account.settings)))
    }
}

/// Removes an account.
struct AccountRemove: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an account; its invoices stay in the ledger."
    )

    @OptionGroup var output: OutputOptions
    @Argument var name: String
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let name = try AccountArgument.name(name)
        let installation = try await Installation.open(settings.configuration())
        guard try await CommandFailure.asking(await installation.ledger.removeAccount(named: name)) else {
            throw CommandFailure(.no, "no account \(name)")
        }
        return CommandResult(text: "Removed \(name).\n", json: ["removed": .string(name.text)])
    }
}
