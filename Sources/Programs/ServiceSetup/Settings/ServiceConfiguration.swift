package import LightningCoding
package import ResponderCore
package import ResponderModel

/// All settings, validated.
///
/// Every row of ``SettingTable`` is a member: `configuration.listen`, `configuration.limits.body`.
@dynamicMemberLookup
package struct ServiceConfiguration: Sendable {
    private let sources: SettingSources
    /// The URL at which payers reach the service.
    package var publicURL: HTTPURL
    /// How notifications are read and answered.
    package let notifications: NotificationConfiguration
    /// Where the service reports payments.
    package let settlementWebhook: SettlementWebhookConfiguration
    /// The nodes that receive payments; only the embedded one when the file names none.
    package let backends: [BackendName: NodeConfiguration]
    /// The domains that the file names.
    package let domains: [DomainConfiguration]

    /// Reads every setting.
    ///
    /// - Throws: all faults at once.
    package init(_ sources: SettingSources) throws(ConfigurationFaults) {
        guard sources.faults.isEmpty else { throw ConfigurationFaults(faults: sources.faults) }
        self.sources = sources
        publicURL = try Self.publicURL(sources)
        notifications = try NotificationConfiguration(sources)
        settlementWebhook = try SettlementWebhookConfiguration(sources)
        backends =
            try sources.section(SettingTable.backends) { section throws(ConfigurationFaults) in
                try NodeConfiguration.all(in: section)
            } ?? NodeConfiguration.standard
        domains =
            try sources.section(SettingTable.domains) { section throws(ConfigurationFaults) in
                try DomainConfiguration.all(in: section)
            } ?? []
        let contradictions = contradictions
        guard contradictions.isEmpty else { throw ConfigurationFaults(faults: contradictions) }
    }

    package subscript<Value>(dynamicMember setting: KeyPath<SettingTable, Setting<Value>>) -> Value {
        sources[SettingTable.shared[keyPath: setting]]
    }

    package subscript<Group: SettingGroup>(dynamicMember group: KeyPath<SettingTable, Group>) -> SettingValues<Group> {
        SettingValues(group: SettingTable.shared[keyPath: group], sources: sources)
    }

    /// Whether the public URL is configured; else it follows from `listen`.
    package var isPublicURLGiven: Bool { sources.given[SettingTable.shared.publicURL.key] != nil }

    /// The embedded node's name; nil when there is no such node.
    package var embeddedName: BackendName? { backends.first { $0.value.kind is EmbeddedKind }?.key }

    private static func publicURL(_ sources: SettingSources) throws(ConfigurationFaults) -> HTTPURL {
        let table = SettingTable.shared
        if let url = sources[table.publicURL] { return url }
        let listen = sources[table.listen]
        guard listen.isLoopback, let url = try? HTTPURL("http://\(listen)") else {
            throw ConfigurationFaults(faults: [
                ConfigurationFault(
                    key: table.publicURL.key,
                    origin: .standard,
                    problem: .missing("other machines can reach \(listen), so the public address must be given")
                )
            ])
        }
        return url
    }
}

/// The values of a group of settings: a member for each.
@dynamicMemberLookup
package struct SettingValues<Group: SettingGroup>: Sendable {
    let group: Group
    let sources: SettingSources

    package subscript<Value>(dynamicMember setting: KeyPath<Group, Setting<Value>>) -> Value {
        sources[group[keyPath: setting]]
    }
}

extension ServiceConfiguration {
    /// Valid values that contradict each other.
    private var contradictions: [ConfigurationFault] {
        var found: [ConfigurationFault] = []
        let table = SettingTable.shared
        // Port 0 means any free port.
        if self.adminListen == self.listen, self.listen.port != 0 {
            // One of the two may be a default; report the other.
            let isAdmin = sources.given[table.adminListen.key] != nil
            found.append(
                isAdmin
                    ? sources.fault(table.adminListen, "must be another address than listen, \(self.listen)")
                    : sources.fault(table.listen, "must be another address than admin-listen, \(self.adminListen)")
            )
        }
        if embeddedName != nil, self.embedded.network == .bitcoin, !self.embedded.allowMainnet {
            found.append(
                sources.fault(
                    table.embedded.network,
                    "is bitcoin: the embedded node cannot be paid, so its mainnet invoices mislead payers; set "
                        + "\(table.embedded.allowMainnet.key) if you want that"
                )
            )
        }
        if self.trustForwardedHost, self.trustedProxies.isEmpty {
            found.append(
                sources.fault(
                    table.trustForwardedHost, "needs \(table.trustedProxies.key), which is empty: nobody is trusted"))
        }
        found += sources.pushContradictions(table.push)
        if let contradiction = chainContradiction {
            let isListening = sources.given[table.onionPeer.connect.key] == nil
            found.append(
                isListening
                    ? sources.fault(table.onionPeer.listen, contradiction)
                    : sources.fault(table.onionPeer.connect, contradiction)
            )
        }
        return found
    }

    /// Where replies may be posted.
    package var replyPolicy: ReplyPolicy {
        ReplyPolicy(
            allowedHosts: self.replies.hosts, allowedPorts: Set(self.replies.ports), proxy: self.replies.proxy,
            allowsLoopback: self.replies.allowLoopback)
    }

    /// The most open invoices of an account; nil for unlimited.
    package var maximumOpenInvoices: UInt64? {
        self.rates.openInvoices == 0 ? nil : self.rates.openInvoices
    }

    /// Whether we run our own Lightning peer.
    package var hasOnionPeer: Bool { !self.onionPeer.connect.isEmpty || self.onionPeer.listen != nil }
}

extension SettingSources {
    /// A setting that contradicts another.
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

    /// The same as a collection of faults.
    func faults(_ setting: some SettingRow, _ reason: String) -> ConfigurationFaults {
        ConfigurationFaults(faults: [fault(setting, reason)])
    }
}
