package import LNURL
package import LightningCoding
import NodeCalls

/// Which software a node runs, and how it is reached. Secrets are named by the files in which they lie.
package enum NodeKind: Hashable, Sendable {
    /// Core Lightning by its socket.
    case coreLightningSocket(path: String, offers: NodeOffers)
    /// Core Lightning by clnrest.
    case coreLightningREST(HTTPURL, runeFile: String, certificateFile: String?, offers: NodeOffers)
    /// LND by its REST interface. `bolt12`: whether its BOLT11 invoices are made BOLT12 invoices of, for
    /// which it must be v0.18.3 or later.
    case lnd(HTTPURL, macaroonFile: String, certificateFile: String?, bolt12: Bool)
    /// phoenixd. `offersAccount`: the one account that has the node's own offer. `buysLiquidityUpTo`: the greatest amount for which
    /// it may buy liquidity when a payment comes, in msat.
    case phoenixd(
        HTTPURL, passwordFile: String, webhookSecretFile: String?, offersAccount: AddressName?,
        buysLiquidityUpTo: Millisatoshi?)
    /// A service that speaks our contract.
    case hookService(HTTPURL, tokenFile: String?, certificateFile: String?, webhookSecretFile: String?)
    /// A program that speaks our contract, run as our child.
    case hookProgram([String])
    /// The node without a network, whose key and invoices lie in the data folder; so there is one of it at most. It is set up by
    /// the settings `embedded`.
    case embedded

    /// The word for it in the file.
    package enum Word: String, CaseIterable, SettingValue {
        case coreLightning = "core-lightning"
        case lnd
        case phoenixd
        case hook
        case embedded
    }

    /// The word for it in the file.
    package var word: Word {
        switch self {
        case .coreLightningSocket, .coreLightningREST: .coreLightning
        case .lnd: .lnd
        case .phoenixd: .phoenixd
        case .hookService, .hookProgram: .hook
        case .embedded: .embedded
        }
    }
}

/// Whose offers accounts have at a node that can do both.
package enum NodeOffers: String, CaseIterable, SettingValue {
    /// Ours: their invoices are built here of the node's BOLT11 invoices.
    case built
    /// The node's own.
    case own
}

extension NodeKind {
    static let socket = Setting<String>("socket", standard: nil, "The file of lightningd's JSON-RPC.")
    static let url = Setting<HTTPURL>("url", standard: nil, "Where the node's REST interface is.") { url in
        url.query == nil ? nil : "must have no query"
    }
    static let runeFile = Setting<String>("rune-file", standard: nil, "A file with a rune.")
    static let macaroonFile = Setting<String>(
        "macaroon-file", standard: nil, "A file with a macaroon, as LND writes it.")
    static let passwordFile = Setting<String>("password-file", standard: nil, "A file with the HTTP password.")
    static let tokenFile = Setting<String>("token-file", standard: nil, "A file with the token for the hook.")
    static let webhookSecretFile = Setting<String>(
        "webhook-secret-file", standard: nil, "A file with the secret that events are signed with.")
    static let certificateFile = Setting<String>(
        "certificate-file", standard: nil, "The certificate to trust (PEM) in place of the system's authorities.")
    static let offers = Setting<NodeOffers>("offers", standard: .built, "Whose offers accounts have.")
    static let bolt12 = Setting<LNDBolt12>(
        "bolt12", standard: .off, "Whether offers are paid at LND, which must be v0.18.3 or later.")
    static let offersAccount = Setting<String>(
        "offers-account", standard: nil, "The account that has the node's own offer, of which there is one."
    ) { name in
        (try? AddressName(name)) == nil ? "must be the name of an account" : nil
    }
    static let buysLiquidityUpTo = Setting<Millisatoshi>(
        "buys-liquidity-up-to", standard: nil,
        "The greatest amount of an invoice beyond what the channels can receive: phoenixd then buys liquidity when it is paid, and "
            + "keeps the price back; what is too small for that becomes credit for fees, which is never paid out. Without it a "
            + "phoenixd that has no channel yet receives nothing."
    ) { amount in
        amount.isWholeSatoshi && amount > .zero ? nil : "must be whole satoshis, at least 1sat"
    }
    static let command = "command"

    init(_ word: Word, _ fields: SectionFields) throws(ConfigurationFaults) {
        switch word {
        case .coreLightning: self = try Self.coreLightning(fields)
        case .lnd:
            self = .lnd(
                try Self.urlOfNode(fields), macaroonFile: try fields.required(Self.macaroonFile),
                certificateFile: fields[Self.certificateFile], bolt12: fields[Self.bolt12] == .on
            )
        case .phoenixd:
            self = .phoenixd(
                try Self.urlOfNode(fields), passwordFile: try fields.required(Self.passwordFile),
                webhookSecretFile: fields[Self.webhookSecretFile],
                offersAccount: fields[Self.offersAccount].flatMap { try? AddressName($0) },
                buysLiquidityUpTo: fields[Self.buysLiquidityUpTo]
            )
        case .hook: self = try Self.hook(fields)
        case .embedded: self = .embedded
        }
    }

    private static func coreLightning(_ fields: SectionFields) throws(ConfigurationFaults) -> NodeKind {
        let offers = try fields.required(Self.offers)
        switch (fields[socket], fields[url]) {
        case (let path?, nil): return .coreLightningSocket(path: path, offers: offers)
        case (nil, _?):
            return .coreLightningREST(
                try urlOfNode(fields), runeFile: try fields.required(runeFile),
                certificateFile: fields[certificateFile], offers: offers)
        default: throw fields.section.fault("needs one of socket and url")
        }
    }

    /// The URL of a node that is shown a secret.
    private static func urlOfNode(_ fields: SectionFields) throws(ConfigurationFaults) -> HTTPURL {
        let url = try fields.required(Self.url)
        guard let safe = try? NodeURL(url) else {
            throw fields.section.fault("needs a url that keeps secrets: it \(NodeURL.rule)")
        }
        return safe.url
    }

    private static func hook(_ fields: SectionFields) throws(ConfigurationFaults) -> NodeKind {
        switch (fields[url], fields[nested: command]) {
        case (let url?, nil):
            return .hookService(
                fields[tokenFile] == nil ? url : try urlOfNode(fields), tokenFile: fields[tokenFile],
                certificateFile: fields[certificateFile],
                webhookSecretFile: fields[webhookSecretFile]
            )
        case (nil, let command?):
            let word = Setting<String>(Self.command, standard: nil, "The program, or one of its arguments.")
            var words: [String] = []
            for element in try command.elements() { words.append(try element.value(as: word)) }
            guard !words.isEmpty else { throw command.fault("must name a program") }
            return .hookProgram(words)
        default: throw fields.section.fault("needs one of url and command")
        }
    }
}

/// LND's offers, to be switched on by whoever knows that the version takes them.
package enum LNDBolt12: String, CaseIterable, SettingValue {
    case off
    case on
}

extension NodeKind.Word {
    /// The single values of a node of this kind. The embedded one bears what the process bears, and has no peers.
    var rows: [any SettingRow] {
        self == .embedded ? [NodeConfiguration.kind] : NodeConfiguration.common + ownRows
    }

    /// Those that only this kind has.
    var ownRows: [any SettingRow] {
        switch self {
        case .embedded: []
        case .coreLightning:
            [NodeKind.socket, NodeKind.url, NodeKind.runeFile, NodeKind.certificateFile, NodeKind.offers]
        case .lnd: [NodeKind.url, NodeKind.macaroonFile, NodeKind.certificateFile, NodeKind.bolt12]
        case .phoenixd:
            [
                NodeKind.url, NodeKind.passwordFile, NodeKind.webhookSecretFile, NodeKind.offersAccount,
                NodeKind.buysLiquidityUpTo,
            ]
        case .hook: [NodeKind.url, NodeKind.tokenFile, NodeKind.certificateFile, NodeKind.webhookSecretFile]
        }
    }

    /// Its members that are more than a value.
    var nested: [String] { self == .hook ? [NodeKind.command] : [] }
}
