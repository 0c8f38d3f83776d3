import HTTPService
import Platform
import Registrations
import ServiceSetup
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite("A setting", .timeLimit(.minutes(5)))
struct SettingWiringTests {
    /// A value that is not the default, and where it arrives: what is built from it, by the names of its members.
    struct Wire: Sendable, CustomTestStringConvertible {
        let key: String
        let text: String
        let part: Part
        let path: [String]
        let value: String

        var testDescription: String { key }
    }

    enum Part: Sendable {
        case service
        case responder
        case gateway
        case notifications
        case settlementWebhooks
        case replies
    }

    /// Without these the parts are not built.
    private static let needed = [
        "gateway.enabled": "true", "gateway.hosts": "example.org", "replies.hosts": "example.org",
        "trusted-proxies": "10.0.0.1",
    ]

    static let wires = [
        wire("listen", "127.0.0.1:7001", .service, "listen"),
        wire("admin-listen", "127.0.0.1:7002", .service, "adminListen"),
        wire("info-max-age", "7003", .service, "infoMaxAge"),
        wire("drain.time", "504", .service, "drainTime"),
        wire("trust-forwarded-host", "true", .service, "trustsForwardedHost"),
        wire("trusted-proxies", "10.1.2.3/32", .service, "rates.trustedProxies", value: "[10.1.2.3/32]"),
        wire("ledger.keep-expired", "7", .service, "keepExpired", value: "604800"),
        wire("ledger.timeout", "8", .service, "ledgerTime", value: "8.0 seconds"),
        wire("limits.body", "7009", .service, "limits.body"),
        wire("limits.header", "7010", .service, "limits.header"),
        wire("limits.header-field", "7011", .service, "limits.headerField"),
        wire("limits.header-time", "12", .service, "limits.headerTime"),
        wire("limits.request-time", "13", .service, "limits.requestTime"),
        wire("limits.connections", "7014", .service, "limits.connections"),
        wire("rates.network", "15", .service, "rates.networks.invoice", value: perMinute(15)),
        wire("rates.info", "16", .service, "rates.networks.info", value: perMinute(16)),
        wire("rates.verify", "17", .service, "rates.networks.verify", value: perMinute(17)),
        wire("rates.notifier", "18", .service, "rates.networks.notification", value: perMinute(18)),
        wire("rates.account", "19", .service, "rates.account", value: perMinute(19)),
        wire("gateway.payers", "20", .service, "rates.networks.device", value: perMinute(20)),
        wire(
            "gateway.registrations", "21", .service, "rates.networks.registration",
            value: "\(RateLimit(burst: 21, interval: .seconds(3600) / 21) as Any)"),
        wire("forwarding-hint.requests", "22", .service, "rates.networks.forwardingHint", value: perMinute(22)),
        wire("node-limits-max-age", "23", .responder, "settings.limitsLifetime"),
        wire("rates.open-invoices", "24", .responder, "settings.maximumOpenInvoices", value: "Optional(24)"),
        wire("payer-data-commitment", "metadata", .responder, "settings.payerDataCommitment"),
        wire("gateway.network", "testnet", .gateway, "channel.settings.network"),
        wire("gateway.hosts", "example.net", .gateway, "policy.allowedHosts", value: "Optional([example.net])"),
        wire("gateway.ports", "8443", .gateway, "policy.allowedPorts", value: #"["8443"]"#),
        wire("gateway.proxy", "http://127.0.0.1:9050", .gateway, "policy.proxy"),
        wire("gateway.allow-loopback", "true", .gateway, "policy.allowsLoopback"),
        wire("gateway.reserved", "boss", .gateway, "rules.reserved", value: #"["boss"]"#),
        wire("gateway.lifetime", "31", .gateway, "retention.lifetime", value: "Optional(2678400)"),
        wire("gateway.hold", "32", .gateway, "retention.hold", value: "Optional(2764800)"),
        wire(
            "settlement-webhook.allow-private", "true", .settlementWebhooks, "settings.allowsPrivate"),
        wire("replies.proxy", "http://127.0.0.1:9050", .settlementWebhooks, "settings.proxy"),
        wire("replies.hosts", "example.net", .replies, "allowedHosts", value: "Optional([example.net])"),
        wire("replies.ports", "8444", .replies, "allowedPorts", value: #"["8444"]"#),
        wire("replies.allow-loopback", "true", .replies, "allowsLoopback"),
        wire("webhook.open", "true", .notifications, "isOpen"),
    ]

    private static func wire(
        _ key: String, _ text: String, _ part: Part, _ path: String, value: String? = nil
    ) -> Wire {
        Wire(key: key, text: text, part: part, path: path.split(separator: ".").map(String.init), value: value ?? text)
    }

    private static func perMinute(_ count: Int) -> String { "\(RateLimit(perMinute: count) as Any)" }

    @Test("reaches what it sets, and nothing else", arguments: wires)
    func reaches(wire: Wire) async throws {
        let usual = try await Self.values(Self.needed)
        let given = try await Self.values(Self.needed.merging([wire.key: wire.text]) { $1 })
        #expect(given[wire.key] == wire.value)
        for key in usual.keys where key != wire.key {
            #expect(given[key] == usual[key], "\(wire.key) also sets what \(key) should")
        }
    }

    /// What is only used once files, programs or other machines are there; it is not looked at here.
    private static let notLookedAt: Set = [
        "data-directory", "public-url", "trial", "log-level", "log-format", "instance.name", "shutdown-time",
        "settlement-webhook.url", "settlement-webhook.secret-file", "ledger.url", "ledger.password-file",
        "ledger.connections", "notifications.deadline", "notifications.key-file", "notifications.key-purpose",
        "onion-peer.connect", "onion-peer.connections", "onion-peer.listen", "onion-peer.maximum-incoming",
        "onion-peer.proxy", "onion-peer.addresses", "embedded.network", "embedded.database", "embedded.allow-mainnet",
        "gateway.enabled", "push.apns-key-file", "push.apns-key-id", "push.apns-team-id", "push.apns-topic",
        "push.apns-environment", "push.fcm-account-file", "push.vapid-key-file", "push.vapid-contact",
        "push.allow-loopback", "forwarding-hint.token-file",
    ]

    @Test("is looked at here, or named as one that is not")
    func complete() {
        let here = Set(Self.wires.map(\.key))
        #expect(here.isDisjoint(with: Self.notLookedAt))
        #expect(here.union(Self.notLookedAt) == Set(SettingTable.rows.map(\.key)))
    }

    @Test("may switch the limit of registrations off; what wallets read, and guesses of reply ids, have a fixed one")
    func registrationRates() throws {
        func rate(_ purpose: String, registrations: String) throws -> String {
            let flags = Self.needed.merging(["gateway.registrations": registrations]) { $1 }
            let configuration = try ServiceConfiguration(SettingSources(flags: flags, environment: [:], file: nil))
            return Self.text(of: configuration.service, at: ["rates", "networks", purpose])
        }
        #expect(try rate("registration", registrations: "0") == "none")
        let hourly = RateLimit(burst: 1, interval: .seconds(3_600))
        #expect(try rate("registration", registrations: "1") == "\(hourly as Any)")
        for purpose in ["registrationRead", "unknownReply"] {
            #expect(try rate(purpose, registrations: "1") == Self.perMinute(600))
        }
    }

    /// What arrives for each wire.
    private static func values(_ flags: [String: String]) async throws -> [String: String] {
        let folder = TemporaryFolder()
        let flags = flags.merging(["data-directory": folder.path + "/data"]) { $1 }
        let configuration = try ServiceConfiguration(SettingSources(flags: flags, environment: [:], file: nil))
        let installation = try await Installation.openOrMake(configuration)
        let parts = try await installation.serviceParts()
        var values: [String: String] = [:]
        for wire in wires {
            let whole: Any? =
                switch wire.part {
                case .service: configuration.service
                case .responder: try installation.responder()
                case .gateway: parts.features.lazy.compactMap { $0 as? Gateway }.first
                case .notifications: parts.features.lazy.compactMap { $0 as? Notifications }.first
                case .settlementWebhooks: try installation.settlementWebhooks()
                case .replies: configuration.replyPolicy
                }
            values[wire.key] = text(of: try #require(whole, "\(wire.part)"), at: wire.path[...])
        }
        await installation.close()
        return values
    }

    /// The member at a path, through private ones, optionals and dictionaries.
    private static func text(of value: Any, at path: ArraySlice<String>) -> String {
        let mirror = Mirror(reflecting: value)
        guard let name = path.first else {
            return mirror.displayStyle == .set ? "\(mirror.children.map { "\($0.value)" }.sorted())" : "\(value)"
        }
        if mirror.displayStyle == .optional, let wrapped = mirror.children.first {
            return text(of: wrapped.value, at: path)
        }
        if mirror.displayStyle == .dictionary {
            for child in mirror.children {
                let pair = Array(Mirror(reflecting: child.value).children)
                if "\(pair[0].value)" == name { return text(of: Optional(pair[1].value) as Any, at: path.dropFirst()) }
            }
            return "none"
        }
        guard let member = mirror.children.first(where: { $0.label == name }) else { return "no member \(name)" }
        return text(of: member.value, at: path.dropFirst())
    }
}
