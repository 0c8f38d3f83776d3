package import LightningCoding
package import Platform
package import ResponderCore
package import ResponderModel

/// Every setting of the service, declared once. Flags, environment variables, the file, `config show`, `--help` and
/// docs/configuration.md are all derived from it.
///
/// A property that is a ``Setting`` is one row; a property that is a ``SettingGroup`` holds the rows whose keys it
/// prefixes. ``ServiceConfiguration`` has a value for each, under the same name.
package struct SettingTable: SettingGroup {
    package static let environmentPrefix = "RESPONDER_"

    package let listen = Setting<ListenAddress>(
        "listen",
        standard: ListenAddress(host: "127.0.0.1", port: 8080),
        "The address that serves payers, over plain HTTP; put a TLS proxy in front of it."
    )
    package let adminListen = Setting<ListenAddress>(
        "admin-listen",
        standard: ListenAddress(host: "127.0.0.1", port: 8081),
        "The address of the admin interface: accounts, invoices, health, metrics. Keep it private."
    )
    package let dataDirectory = Setting<String>(
        "data-directory",
        standard: "responder-data",
        "The folder of the ledger and all keys."
    )
    package let publicURL = Setting<HTTPURL?>(
        "public-url",
        "The URL at which payers reach the service, such as https://example.com; Lightning addresses use its host. "
            + "Required unless `listen` is a loopback address.",
        rule: PublicURLRule.problem
    )
    package let trial = Setting<Bool>(
        "trial",
        standard: false,
        "Serves a public URL with the embedded node alone, whose invoices nobody can pay."
    )
    package let infoMaxAge = Setting<UInt64>(
        "info-max-age",
        standard: 60,
        in: 0...86_400,
        "Seconds for which caches may keep the first response of LNURL-pay; 0 disables caching."
    )
    package let nodeLimitsMaxAge = Setting<UInt64>(
        "node-limits-max-age",
        standard: 5,
        in: 0...3_600,
        "Seconds for which a node's receive limits are cached; the first response of LNURL-pay may show them for one more."
    )
    package let payerDataCommitment = Setting<ResponderSettings.PayerDataCommitment>(
        "payer-data-commitment",
        standard: .metadataAndPayerData,
        "What the description hash of an invoice with payer data (LUD-18) covers."
    )
    package let logLevel = Setting<LogLevel>("log-level", standard: .info, "The minimum severity of log lines.")
    package let logFormat = Setting<LogFormat>("log-format", standard: .text, "The format of log lines.")
    package let instanceName = Setting<InstanceName?>(
        "instance.name",
        "The name under which this instance is listed beside others on the same ledger; by default the host name."
    )
    package let drain = Setting<UInt64?>(
        "drain.time",
        "Seconds, up to 600, for which a stopping service keeps serving while `/health/ready` returns 503: allow two checks of a load balancer. By default 5 where several instances can share the ledger, else 0.",
        rule: { $0 > 600 ? "must be between 0 and 600" : nil }
    )
    package let shutdownTime = Setting<UInt64>(
        "shutdown-time",
        standard: 30,
        in: 1...600,
        "Seconds that requests in flight may take when the service stops."
    )
    package let limits = LimitSettings()
    package let rates = RateSettings()
    package let trustedProxies = Setting<[NetworkPrefix]>(
        "trusted-proxies",
        standard: [],
        "Reverse proxies whose X-Forwarded-For is trusted; it is ignored from all others. Do not list a tunnel or onion service that ends on this machine."
    )
    package let trustForwardedHost = Setting<Bool>(
        "trust-forwarded-host",
        standard: false,
        "Whether the X-Forwarded-Host of trusted-proxies says which domain a payer asked, instead of Host."
    )
    package let settlementWebhook = SettlementWebhookSettings()
    package let ledger = LedgerSettings()
    package let webhookOpen = Setting<Bool>(
        "webhook.open",
        standard: false,
        "Lets anybody notify the service at /webhook/{account}, without a secret or signature. For trials."
    )
    package let notifications = NotificationSettingGroup()
    package let replies = ReplySettings()
    package let onionPeer = OnionPeerSettings()
    package let embedded = EmbeddedSettings()
    package let gateway = GatewaySettings()
    package let push = PushSettings()
    package let forwardingHint = ForwardingHintSettings()
}

extension SettingTable {
    package static let shared = SettingTable()

    package static let rows: [any SettingRow] = shared.rows

    package static let backends = SettingSection(
        key: "backends",
        explanation: "The nodes that receive payments, by name: the kind of each, how to reach it, and its limits. "
            + "Each account uses one. Without any there is only the embedded node, for trials."
    )

    package static let domains = SettingSection(
        key: "domains",
        explanation:
            "Domains by name, such as `example.org` or `*.example.org`, with accounts of their own. The main one, that of "
            + "public-url, may be among them, for its settings. The service takes them over when it starts; domains that are not "
            + "in the file stay as they are.",
        rows: DomainConfiguration.rows
    )

    package static let sections: [SettingSection] = [
        backends, domains, NotificationSettingGroup.namesSection, NotificationSettingGroup.textsSection,
        NotificationSettingGroup.handlersSection,
    ]

    /// All names valid in a file: every key, and the groups of keys.
    package static let namesInFiles: [String] = {
        let groups = Set(rows.map { $0.key.prefix { $0 != "." } }).map { String($0) }
        return Set(rows.map(\.key) + groups + sections.map(\.key)).sorted()
    }()

    package static func row(_ key: String) -> (any SettingRow)? {
        rows.first { $0.key == key }
    }
}

/// Related settings: a property for each.
package protocol SettingGroup: Sendable {}

extension SettingGroup {
    /// Its settings and those of its groups, in declaration order.
    var rows: [any SettingRow] {
        Mirror(reflecting: self).children.flatMap { child -> [any SettingRow] in
            switch child.value {
            case let row as any SettingRow: [row]
            case let group as any SettingGroup: group.rows
            default: []
            }
        }
    }
}
