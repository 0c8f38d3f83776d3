import ArgumentParser
import Installing

/// The flags of all settings. Their names and their help come from `SettingTable`.
struct SettingOptions: ParsableArguments {
    @Option(help: "A YAML file with settings; also RESPONDER_CONFIG.")
    var config: String?

    @Option(help: ArgumentHelp(SettingTable.listen))
    var listen: String?
    @Option(help: ArgumentHelp(SettingTable.adminListen))
    var adminListen: String?
    @Option(help: ArgumentHelp(SettingTable.dataDirectory))
    var dataDirectory: String?
    @Option(name: .customLong("public-url"), help: ArgumentHelp(SettingTable.publicURL))
    var publicURL: String?
    @Option(help: ArgumentHelp(SettingTable.infoMaxAge))
    var infoMaxAge: String?
    @Option(help: ArgumentHelp(SettingTable.nodeLimitsMaxAge))
    var nodeLimitsMaxAge: String?
    @Option(help: ArgumentHelp(SettingTable.payerDataCommitment))
    var payerDataCommitment: String?
    @Option(help: ArgumentHelp(SettingTable.logLevel))
    var logLevel: String?
    @Option(help: ArgumentHelp(SettingTable.logFormat))
    var logFormat: String?
    @Option(help: ArgumentHelp(SettingTable.limitsBody))
    var limitsBody: String?
    @Option(help: ArgumentHelp(SettingTable.limitsHeader))
    var limitsHeader: String?
    @Option(help: ArgumentHelp(SettingTable.limitsHeaderField))
    var limitsHeaderField: String?
    @Option(help: ArgumentHelp(SettingTable.limitsHeaderTime))
    var limitsHeaderTime: String?
    @Option(help: ArgumentHelp(SettingTable.limitsRequestTime))
    var limitsRequestTime: String?
    @Option(help: ArgumentHelp(SettingTable.limitsConnections))
    var limitsConnections: String?
    @Option(help: ArgumentHelp(SettingTable.ledgerKeepExpired))
    var ledgerKeepExpired: String?
    @Option(help: ArgumentHelp(SettingTable.shutdownTime))
    var shutdownTime: String?
    @Option(help: ArgumentHelp(SettingTable.embeddedNetwork))
    var embeddedNetwork: String?
    @Flag(help: ArgumentHelp(SettingTable.embeddedAllowMainnet))
    var embeddedAllowMainnet = false

    @OptionGroup var notifications: NotificationOptions
    @OptionGroup var settlementWebhook: SettlementWebhookOptions
    @OptionGroup var onionPeer: OnionPeerOptions

    /// What was given, by key.
    var flags: [String: String] {
        let pairs: [(any SettingRow, String?)] = [
            (SettingTable.listen, listen), (SettingTable.adminListen, adminListen),
            (SettingTable.dataDirectory, dataDirectory), (SettingTable.publicURL, publicURL),
            (SettingTable.infoMaxAge, infoMaxAge), (SettingTable.nodeLimitsMaxAge, nodeLimitsMaxAge),
            (SettingTable.payerDataCommitment, payerDataCommitment), (SettingTable.logLevel, logLevel),
            (SettingTable.logFormat, logFormat), (SettingTable.limitsBody, limitsBody),
            (SettingTable.limitsHeader, limitsHeader), (SettingTable.limitsHeaderField, limitsHeaderField),
            (SettingTable.limitsHeaderTime, limitsHeaderTime), (SettingTable.limitsRequestTime, limitsRequestTime),
            (SettingTable.limitsConnections, limitsConnections),
            (SettingTable.ledgerKeepExpired, ledgerKeepExpired), (SettingTable.shutdownTime, shutdownTime),
            (SettingTable.embeddedNetwork, embeddedNetwork),
            (SettingTable.embeddedAllowMainnet, embeddedAllowMainnet ? "true" : nil),
        ]
        return Dictionary(
            uniqueKeysWithValues: (pairs + notifications.pairs + settlementWebhook.pairs + onionPeer.pairs).compactMap {
                row, text in
                text.map { (row.key, $0) }
            })
    }

    /// What flags, environment and file say together.
    func sources() throws(CommandFailure) -> SettingSources {
        try .read(flags: flags, file: config)
    }

    /// The configuration, complete and checked.
    func configuration() throws(CommandFailure) -> ServiceConfiguration {
        try .read(try sources())
    }
}

extension ArgumentHelp {
    /// The help of a setting.
    init(_ row: any SettingRow) {
        let standard = row.standardText.map { " (default: \($0))" } ?? ""
        self.init("\(row.explanation)\(standard)", valueName: row.form)
    }
}
