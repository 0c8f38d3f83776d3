package import LightningCoding
package import Receiving
package import Responding
package import Delivering

/// The configuration of the service, complete and checked.
package struct ServiceConfiguration: Hashable, Sendable {
    package let listen: ListenAddress
    package let adminListen: ListenAddress
    package let dataDirectory: String
    /// Where payers reach the service.
    package var publicURL: HTTPURL
    /// Whether somebody has said so; else it follows from `listen`.
    package let isPublicURLGiven: Bool
    package let infoMaxAge: UInt64
    package let nodeLimitsMaxAge: UInt64
    package let payerDataCommitment: ResponderSettings.PayerDataCommitment
    package let logLevel: LogLevel
    package let logFormat: LogFormat
    package let limits: Limits
    /// Days after which an invoice that was never paid is forgotten.
    package let keepExpired: UInt64
    package let shutdownTime: UInt64
    package let embedded: Embedded
    /// Whether `/webhook/{account}` is there.
    package let isWebhookOpen: Bool
    package let notifications: NotificationConfiguration
    /// Where replies may go.
    package let replies: ReplyPolicy
    package let rates: RateConfiguration
    package let settlementWebhook: SettlementWebhookConfiguration
    package let onionPeer: OnionPeerConfiguration
    /// The nodes that receive the money; the embedded one alone when the file names none.
    package let backends: [BackendName: NodeConfiguration]

    /// How the embedded node is set up.
    package struct Embedded: Hashable, Sendable {
        package let network: Network
        package let allowMainnet: Bool
    }

    /// What one client may cost at a door: sizes in bytes, times in seconds.
    package struct Limits: Hashable, Sendable {
        package let body: Int
        package let headerField: Int
        package let header: Int
        package let headerTime: UInt64
        package let requestTime: UInt64
        package let connections: Int
    }

    /// Reads every setting.
    ///
    /// - Throws: everything that is wrong, in one go.
    package init(_ sources: SettingSources) throws(ConfigurationFaults) {
        guard sources.faults.isEmpty else { throw ConfigurationFaults(faults: sources.faults) }
        listen = try sources.required(SettingTable.listen)
        adminListen = try sources.required(SettingTable.adminListen)
        dataDirectory = try sources.required(SettingTable.dataDirectory)
        publicURL = try Self.publicURL(sources, listen: listen)
        isPublicURLGiven = sources.given[SettingTable.publicURL.key] != nil
        infoMaxAge = try sources.required(SettingTable.infoMaxAge)
        nodeLimitsMaxAge = try sources.required(SettingTable.nodeLimitsMaxAge)
        payerDataCommitment = try sources.required(SettingTable.payerDataCommitment)
        logLevel = try sources.required(SettingTable.logLevel)
        logFormat = try sources.required(SettingTable.logFormat)
        limits = try Limits(sources)
        keepExpired = try sources.required(SettingTable.ledgerKeepExpired)
        shutdownTime = try sources.required(SettingTable.shutdownTime)
        embedded = Embedded(
            network: try sources.required(SettingTable.embeddedNetwork),
            allowMainnet: try sources.required(SettingTable.embeddedAllowMainnet)
        )
        isWebhookOpen = try sources.required(SettingTable.webhookOpen)
        notifications = try NotificationConfiguration(sources)
        replies = try ReplyPolicy(sources)
        rates = try RateConfiguration(sources)
        settlementWebhook = try SettlementWebhookConfiguration(sources)
        onionPeer = try OnionPeerConfiguration(sources)
        backends =
            try sources.section(SettingTable.backends) { section throws(ConfigurationFaults) in
                try NodeConfiguration.all(in: section)
            } ?? NodeConfiguration.standard
        let contradictions = contradictions(sources)
        guard contradictions.isEmpty else { throw ConfigurationFaults(faults: contradictions) }
    }

    /// The embedded node's name; nil when there is no such node.
    package var embeddedName: BackendName? { backends.first { $0.value.kind == .embedded }?.key }

    /// Where values that are right by themselves do not go together.
    private func contradictions(_ sources: SettingSources) -> [ConfigurationFault] {
        var found: [ConfigurationFault] = []
        // Port 0 stands for any free one.
        if adminListen == listen, listen.port != 0 {
            // One of the two may be a default; who wrote the other is told.
            let isAdmin = sources.given[SettingTable.adminListen.key] != nil
            found.append(
                isAdmin
                    ? sources.fault(SettingTable.adminListen, "must be another address than listen, \(listen)")
                    : sources.fault(SettingTable.listen, "must be another address than admin-listen, \(adminListen)")
            )
        }
        if embeddedName != nil, embedded.network == .bitcoin, !embedded.allowMainnet {
            found.append(
                sources.fault(
                    SettingTable.embeddedNetwork,
                    "is bitcoin: nobody can pay the embedded node, so its invoices on mainnet mislead payers; set "
                        + "\(SettingTable.embeddedAllowMainnet.key) if that is meant"
                )
            )
        }
        if let contradiction = chainContradiction {
            let isListening = sources.given[SettingTable.onionPeerConnect.key] == nil
            found.append(
                isListening
                    ? sources.fault(SettingTable.onionPeerListen, contradiction)
                    : sources.fault(SettingTable.onionPeerConnect, contradiction)
            )
        }
        return found
    }

    private static func publicURL(
        _ sources: SettingSources,
        listen: ListenAddress
    ) throws(ConfigurationFaults) -> HTTPURL {
        if let url = try sources.value(SettingTable.publicURL) { return url }
        guard listen.isLoopback, let url = try? HTTPURL("http://\(listen)") else {
            throw ConfigurationFaults(faults: [
                ConfigurationFault(
                    key: SettingTable.publicURL.key,
                    origin: .standard,
                    problem: .missing("others reach \(listen) under a name that you must say")
                )
            ])
        }
        return url
    }
}

extension ServiceConfiguration.Limits {
    fileprivate init(_ sources: SettingSources) throws(ConfigurationFaults) {
        self.init(
            body: Int(clamping: try sources.required(SettingTable.limitsBody)),
            headerField: Int(clamping: try sources.required(SettingTable.limitsHeaderField)),
            header: Int(clamping: try sources.required(SettingTable.limitsHeader)),
            headerTime: try sources.required(SettingTable.limitsHeaderTime),
            requestTime: try sources.required(SettingTable.limitsRequestTime),
            connections: Int(clamping: try sources.required(SettingTable.limitsConnections))
        )
    }
}

extension SettingSources {
    /// A rule that a setting breaks beside another one.
    func fault(_ setting: some SettingRow, _ reason: String) -> ConfigurationFault {
        let origin = given[setting.key]?.origin ?? .standard
        let isNamedByOrigin =
            switch origin {
            case .flag, .environment: true
            case .file, .standard: false
            }
        return ConfigurationFault(
            key: isNamedByOrigin ? "" : setting.key, origin: origin, problem: .value(.notAllowed(reason)))
    }

    /// The same, as all that is wrong.
    func faults(_ setting: some SettingRow, _ reason: String) -> ConfigurationFaults {
        ConfigurationFaults(faults: [fault(setting, reason)])
    }

    func required<Value>(_ setting: Setting<Value>) throws(ConfigurationFaults) -> Value {
        guard let value = try value(setting) else {
            throw ConfigurationFaults(faults: [
                ConfigurationFault(key: setting.key, origin: .standard, problem: .missing("it has no default"))
            ])
        }
        return value
    }
}

extension ReplyPolicy {
    fileprivate init(_ sources: SettingSources) throws(ConfigurationFaults) {
        self.init(
            allowedHosts: try sources.value(SettingTable.repliesHosts),
            allowedPorts: Set(try sources.required(SettingTable.repliesPorts)),
            proxy: try sources.required(SettingTable.repliesProxy),
            allowsLoopback: try sources.required(SettingTable.repliesAllowLoopback)
        )
    }
}
