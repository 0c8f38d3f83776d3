package import LightningCoding
package import ResponderCore
package import ResponderModel

/// All settings, validated.
///
/// Every row of ``SettingTable`` is a member: `configuration.listen`, `configuration.limits.body`.
@dynamicMemberLookup
package struct ServiceConfiguration: Sendable {
    private let sources: SettingSources
    package var publicURL: HTTPURL
    package let notifications: NotificationConfiguration
    package let settlementWebhook: SettlementWebhookConfiguration
    /// The nodes that receive payments; only the embedded one when the file names none, unless wallets make the invoices.
    package let backends: [BackendName: NodeConfiguration]
    package let domains: [DomainConfiguration]

    /// - Throws: all faults at once.
    package init(_ sources: SettingSources) throws(ConfigurationFaults) {
        var faults = sources.faults
        // What else is wrong is not known.
        guard !sources.isUnreadable else { throw ConfigurationFaults(faults: faults) }
        let publicURL = faults.collecting { () throws(ConfigurationFaults) in try Self.publicURL(sources) }
        let notifications = faults.collecting { () throws(ConfigurationFaults) in
            try NotificationConfiguration(sources)
        }
        let settlementWebhook = faults.collecting { () throws(ConfigurationFaults) in
            try SettlementWebhookConfiguration(sources)
        }
        let named = faults.collecting { () throws(ConfigurationFaults) in
            try sources.section(SettingTable.backends).map(NodeConfiguration.all) ?? [:]
        }
        let backends = named.map { $0.isEmpty && !sources.leaveInvoicesToWallets ? NodeConfiguration.standard : $0 }
        let domains = faults.collecting { () throws(ConfigurationFaults) in
            try sources.section(SettingTable.domains).map(DomainConfiguration.all) ?? []
        }
        faults += sources.contradictions(backends)
        guard faults.isEmpty, let publicURL = publicURL ?? nil, let notifications, let settlementWebhook, let backends,
            let domains
        else { throw ConfigurationFaults(faults: faults) }
        self.sources = sources
        self.publicURL = publicURL
        self.notifications = notifications
        self.settlementWebhook = settlementWebhook
        self.backends = backends
        self.domains = domains
    }

    package subscript<Value>(dynamicMember setting: KeyPath<SettingTable, Setting<Value>>) -> Value {
        sources[SettingTable.shared[keyPath: setting]]
    }

    package subscript<Group: SettingGroup>(dynamicMember group: KeyPath<SettingTable, Group>) -> SettingValues<Group> {
        SettingValues(group: SettingTable.shared[keyPath: group], sources: sources)
    }

    /// Whether the public URL is configured; else it follows from `listen`.
    package var isPublicURLGiven: Bool { sources.given[SettingTable.shared.publicURL.key] != nil }

    package var embeddedName: BackendName? { backends.first { $0.value.kind is EmbeddedKind }?.key }

    /// Nil when what it follows from is malformed.
    private static func publicURL(_ sources: SettingSources) throws(ConfigurationFaults) -> HTTPURL? {
        let table = SettingTable.shared
        if let url = sources[table.publicURL] { return url }
        guard sources.areWellFormed([table.publicURL, table.listen]) else { return nil }
        let listen = sources[table.listen]
        guard listen.isLoopback, let url = try? HTTPURL("http://\(listen)") else {
            throw sources.faults(
                table.publicURL, "is missing: other machines can reach \(listen), so the public address must be given")
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

extension SettingSources {
    fileprivate var havePush: Bool {
        let push = SettingTable.shared.push
        return self[push.apnsKeyFile] != nil || self[push.fcmAccountFile] != nil || self[push.vapidKeyFile] != nil
    }

    /// Whether payers from elsewhere get invoices of app users' wallets, and of no node that the file does not name.
    fileprivate var leaveInvoicesToWallets: Bool {
        let table = SettingTable.shared
        guard let url = self[table.publicURL], !url.isLoopback, !self[table.trial] else { return false }
        return self[table.gateway.enabled] || havePush
    }

    /// Valid values that contradict each other.
    ///
    /// - Parameter backends: nil when they are not known.
    fileprivate func contradictions(_ backends: [BackendName: NodeConfiguration]?) -> [ConfigurationFault] {
        var found: [ConfigurationFault] = []
        let table = SettingTable.shared
        func look(at settings: any SettingRow..., for contradiction: () -> ConfigurationFault?) {
            if areWellFormed(settings), let fault = contradiction() { found.append(fault) }
        }
        look(at: table.listen, table.adminListen) {
            let (listen, admin) = (self[table.listen], self[table.adminListen])
            // Port 0 means any free port.
            guard admin == listen, listen.port != 0 else { return nil }
            // One of the two may be a default; report the other.
            return given[table.adminListen.key] != nil
                ? fault(table.adminListen, "must be another address than listen, \(listen)")
                : fault(table.listen, "must be another address than admin-listen, \(admin)")
        }
        look(at: table.embedded.network, table.embedded.allowMainnet) {
            guard backends?.values.contains(where: { $0.kind is EmbeddedKind }) == true,
                self[table.embedded.network] == .bitcoin, !self[table.embedded.allowMainnet]
            else { return nil }
            return fault(
                table.embedded.network,
                "is bitcoin: the embedded node cannot be paid, so its mainnet invoices mislead payers; set "
                    + "\(table.embedded.allowMainnet.key) if you want that")
        }
        look(at: table.trustForwardedHost, table.trustedProxies) {
            guard self[table.trustForwardedHost], self[table.trustedProxies].isEmpty else { return nil }
            return fault(
                table.trustForwardedHost, "requires \(table.trustedProxies.key) to be set")
        }
        let push = table.push
        found += incomplete(push.apnsKeyFile, with: [push.apnsKeyID, push.apnsTeamID, push.apnsTopic])
        found += incomplete(push.vapidKeyFile, with: [push.vapidContact])
        look(at: table.onionPeer.connect, table.onionPeer.listen) {
            guard !self[table.onionPeer.connect].isEmpty || self[table.onionPeer.listen] != nil, let backends,
                let contradiction = backends.chainContradiction
            else { return nil }
            let isListening = given[table.onionPeer.connect.key] == nil
            return isListening
                ? fault(table.onionPeer.listen, contradiction) : fault(table.onionPeer.connect, contradiction)
        }
        return found
    }
}

extension ServiceConfiguration {
    /// Why it must not be served as it is: payers from elsewhere would get invoices that nobody can pay. Nil when it may.
    package var trialFault: ConfigurationFault? {
        guard !publicURL.isLoopback, !self.trial, !backends.isEmpty,
            backends.values.allSatisfy({ $0.kind is EmbeddedKind })
        else { return nil }
        let trial = SettingTable.shared.trial
        return sources.fault(
            SettingTable.shared.publicURL,
            "is public, and its payers would get invoices of the embedded node, which nobody can pay: name a node below "
                + "\(SettingTable.backends.key), or set \(trial.key) (--\(trial.flagName)) to try the service out")
    }

    package var hasPush: Bool { sources.havePush }

    package var replyPolicy: ReplyPolicy {
        ReplyPolicy(
            allowedHosts: self.replies.hosts, allowedPorts: Set(self.replies.ports), proxy: self.replies.proxy,
            allowsLoopback: self.replies.allowLoopback)
    }

    package var maximumOpenInvoices: UInt64? {
        self.rates.openInvoices == 0 ? nil : self.rates.openInvoices
    }

    package var hasOnionPeer: Bool { !self.onionPeer.connect.isEmpty || self.onionPeer.listen != nil }
}

extension SettingSources {
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

    /// What is wrong with settings that belong together: one of them lacks another, or they stand without the first.
    func incomplete(_ first: some SettingRow, with others: [Setting<String?>]) -> [ConfigurationFault] {
        guard areWellFormed([first] + others) else { return [] }
        guard given[first.key] != nil else {
            return others.filter { given[$0.key] != nil }.map { fault($0, "needs \(first.key) beside it") }
        }
        return others.filter { given[$0.key] == nil }.map { fault(first, "needs \($0.key) beside it") }
    }

    func faults(_ setting: some SettingRow, _ reason: String) -> ConfigurationFaults {
        ConfigurationFaults(faults: [fault(setting, reason)])
    }
}

extension ServiceConfiguration {
    package static func read(_ sources: SettingSources) throws(CommandFailure) -> ServiceConfiguration {
        try rethrowing(ServiceConfiguration(sources)) { (fault: ConfigurationFaults) in CommandFailure(fault) }
    }
}
