package import LightningCoding
package import Responding

/// Every setting of the service. The help, the environment, the file and `config check` all follow from it.
package enum SettingTable {
    package static let environmentPrefix = "RESPONDER_"

    package static let listen = Setting<ListenAddress>(
        "listen",
        standard: ListenAddress(host: "127.0.0.1", port: 8080),
        "Where payers are answered, in plain HTTP; put a proxy with TLS in front of it."
    )
    package static let adminListen = Setting<ListenAddress>(
        "admin-listen",
        standard: ListenAddress(host: "127.0.0.1", port: 8081),
        "Where the operator is answered: accounts, invoices, health, metrics. Keep it private."
    )
    package static let dataDirectory = Setting<String>(
        "data-directory",
        standard: "responder-data",
        "The folder that holds the ledger and every key."
    )
    package static let publicURL = Setting<HTTPURL>(
        "public-url",
        standard: nil,
        "Where payers reach the service, as https://example.com; addresses are made of it. "
            + "Needed unless `listen` is a loopback address.",
        rule: PublicURLRule.problem
    )
    package static let infoMaxAge = Setting<UInt64>(
        "info-max-age",
        standard: 60,
        in: 0...86_400,
        "Seconds for which caches may keep the first answer of LNURL-pay; 0 forbids it."
    )
    package static let nodeLimitsMaxAge = Setting<UInt64>(
        "node-limits-max-age",
        standard: 5,
        in: 0...3_600,
        "Seconds for which what a node can receive is taken as unchanged."
    )
    package static let payerDataCommitment = Setting<ResponderSettings.PayerDataCommitment>(
        "payer-data-commitment",
        standard: .metadataAndPayerData,
        "What the description hash of an invoice with payer data (LUD-18) covers."
    )
    package static let logLevel = Setting<LogLevel>("log-level", standard: .info, "The least severe lines to log.")
    package static let logFormat = Setting<LogFormat>("log-format", standard: .text, "How a log line is written.")
    package static let limitsBody = Setting<UInt64>(
        "limits.body",
        standard: 16_384,
        in: 1_024...1_048_576,
        "The largest body of a request, in bytes."
    )
    package static let limitsHeader = Setting<UInt64>(
        "limits.header",
        standard: 16_384,
        in: 1_024...1_048_576,
        "The largest header of a request, in bytes."
    )
    package static let limitsHeaderField = Setting<UInt64>(
        "limits.header-field",
        standard: 8_192,
        in: 1_024...1_048_576,
        "The longest request target, and the longest header field, in bytes."
    )
    package static let limitsHeaderTime = Setting<UInt64>(
        "limits.header-time",
        standard: 10,
        in: 1...300,
        "Seconds after which a connection without a complete header is closed."
    )
    package static let limitsRequestTime = Setting<UInt64>(
        "limits.request-time",
        standard: 30,
        in: 1...300,
        "Seconds after which a connection whose request is not answered is closed."
    )
    package static let limitsConnections = Setting<UInt64>(
        "limits.connections",
        standard: 4_096,
        in: 1...1_000_000,
        "The most connections at once on each listener; further ones wait."
    )
    package static let ledgerKeepExpired = Setting<UInt64>(
        "ledger.keep-expired",
        standard: 30,
        in: 1...36_500,
        "Days after which an invoice that was never paid is forgotten, counted from the end of its time."
    )
    package static let shutdownTime = Setting<UInt64>(
        "shutdown-time",
        standard: 30,
        in: 1...600,
        "Seconds that requests in flight get when the service is told to stop."
    )
    package static let embeddedNetwork = Setting<Network>(
        "embedded.network",
        standard: .regtest,
        "The chain that the embedded node makes invoices for. It has no network: nobody can pay them."
    )
    package static let embeddedAllowMainnet = Setting<Bool>(
        "embedded.allow-mainnet",
        standard: false,
        "Lets the embedded node make invoices for bitcoin, which look real and can never be paid."
    )

    package static let rows: [any SettingRow] =
        [
            listen, adminListen, dataDirectory, publicURL, infoMaxAge, nodeLimitsMaxAge, payerDataCommitment,
            logLevel, logFormat, limitsBody, limitsHeader, limitsHeaderField, limitsHeaderTime, limitsRequestTime,
            limitsConnections, ledgerKeepExpired, shutdownTime, embeddedNetwork, embeddedAllowMainnet,
        ] + notificationRows + rateRows + settlementWebhookRows + onionPeerRows

    package static let backends = SettingSection(
        "backends",
        "The nodes that receive the money: a name for each, and below it kind, how it is reached, and what it has to bear. "
            + "Accounts name one of them. Without any there is the embedded node, for trying things out."
    )

    /// The parts of a file that are no single values.
    package static let sections: [SettingSection] = [backends, notificationNames, notificationTexts]

    /// What may stand in a file: every key, and the groups that keys stand in.
    package static let namesInFiles: [String] = {
        let groups = Set(rows.map { $0.key.prefix { $0 != "." } }).map { String($0) }
        return Set(rows.map(\.key) + groups + sections.map(\.key)).sorted()
    }()

    package static func row(_ key: String) -> (any SettingRow)? {
        rows.first { $0.key == key }
    }
}

/// What payers must be able to rely on in the base of every URL that we give out.
package enum PublicURLRule {
    /// LUD-01: https, or http on an onion or on this very machine.
    package static func problem(_ url: HTTPURL) -> String? {
        if url.query != nil || (url.path != "/" && url.path != "") { return "must end after the host, or the port" }
        if url.scheme == .http, !url.isOnion, !url.isLoopback {
            return "must begin with https (http is for .onion and loopback only)"
        }
        return nil
    }
}
