import ArgumentParser
import Installing

/// The flags of the settings for notifications, replies and rates.
struct NotificationOptions: ParsableArguments {
    @Flag(help: ArgumentHelp(SettingTable.webhookOpen))
    var webhookOpen = false
    @Option(help: ArgumentHelp(SettingTable.notificationsDeadline))
    var notificationsDeadline: String?
    @Option(help: ArgumentHelp(SettingTable.notificationsKeyFile))
    var notificationsKeyFile: String?
    @Option(help: ArgumentHelp(SettingTable.notificationsKeyPurpose))
    var notificationsKeyPurpose: String?
    @Option(help: ArgumentHelp(SettingTable.repliesHosts))
    var repliesHosts: String?
    @Option(help: ArgumentHelp(SettingTable.repliesPorts))
    var repliesPorts: String?
    @Option(help: ArgumentHelp(SettingTable.repliesProxy))
    var repliesProxy: String?
    @Flag(help: ArgumentHelp(SettingTable.repliesAllowLoopback))
    var repliesAllowLoopback = false
    @Option(help: ArgumentHelp(SettingTable.ratesNetwork))
    var ratesNetwork: String?
    @Option(help: ArgumentHelp(SettingTable.ratesInfo))
    var ratesInfo: String?
    @Option(help: ArgumentHelp(SettingTable.ratesVerify))
    var ratesVerify: String?
    @Option(help: ArgumentHelp(SettingTable.ratesNotifier))
    var ratesNotifier: String?
    @Option(help: ArgumentHelp(SettingTable.ratesAccount))
    var ratesAccount: String?
    @Option(help: ArgumentHelp(SettingTable.ratesOpenInvoices))
    var ratesOpenInvoices: String?
    @Option(help: ArgumentHelp(SettingTable.trustedProxies))
    var trustedProxies: String?

    /// What was given, beside the setting that it is for.
    var pairs: [(any SettingRow, String?)] {
        [
            (SettingTable.webhookOpen, webhookOpen ? "true" : nil),
            (SettingTable.notificationsDeadline, notificationsDeadline),
            (SettingTable.notificationsKeyFile, notificationsKeyFile),
            (SettingTable.notificationsKeyPurpose, notificationsKeyPurpose),
            (SettingTable.repliesHosts, repliesHosts), (SettingTable.repliesPorts, repliesPorts),
            (SettingTable.repliesProxy, repliesProxy),
            (SettingTable.repliesAllowLoopback, repliesAllowLoopback ? "true" : nil),
            (SettingTable.ratesNetwork, ratesNetwork), (SettingTable.ratesInfo, ratesInfo),
            (SettingTable.ratesVerify, ratesVerify), (SettingTable.ratesNotifier, ratesNotifier),
            (SettingTable.ratesAccount, ratesAccount), (SettingTable.ratesOpenInvoices, ratesOpenInvoices),
            (SettingTable.trustedProxies, trustedProxies),
        ]
    }
}
