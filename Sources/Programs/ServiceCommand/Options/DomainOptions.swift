import ArgumentParser
import ServiceSetup
import LNURL
import LightningCoding
import ResponderModel

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
