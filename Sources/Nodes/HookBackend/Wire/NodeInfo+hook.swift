import BlindedPaths
import LightningCoding
import LightningCrypto
import ResponderModel

extension NodeInfo {
    init(_ answer: NodeAnswer) throws(BackendFault) {
        var peers: [PaymentPath.Relay] = []
        for peer in try answer.optionalElements("peers") { peers.append(try PaymentPath.Relay(peer)) }
        self.init(
            nodeID: try answer.parsed("nodeID") { try PublicKey(Hexadecimal.decode($0)) },
            network: try answer.parsed("network") { Network(exactly: $0) },
            blockHeight: try answer.number("blockHeight"),
            isSynchronized: try answer.flag("synchronized"),
            isPublic: try answer.flag("public"),
            introductionPeers: peers,
            alias: try answer.optionalText("alias"),
            version: try answer.optionalText("software"),
            otherPayees: try answer.texts("payees") { try PublicKey(Hexadecimal.decode($0)) }
        )
    }
}

extension PaymentPath.Relay {
    fileprivate init(_ answer: NodeAnswer) throws(BackendFault) {
        self.init(
            nodeID: try answer.parsed("nodeID") { try PublicKey(Hexadecimal.decode($0)) },
            next: .channel(try answer.parsed("channel") { try ShortChannelID(text: $0) }),
            terms: PaymentRelay(
                cltvExpiryDelta: try answer.number("cltvExpiryDelta"),
                feeProportionalMillionths: try answer.number("feeProportionalMillionths"),
                feeBase: try answer.number("feeBase")
            ),
            htlcMinimum: try answer.amount("htlcMinimum"),
            htlcMaximum: try answer.amount("htlcMaximum")
        )
    }
}

extension BackendCapabilities {
    init(_ answer: NodeAnswer) throws(BackendFault) {
        self.init(
            precision: try answer.parsed("precision") { Precision(hook: $0) },
            acceptsPreimage: try answer.flag("preimage"),
            cancels: try answer.flag("cancel"),
            offers: try answer.parsed("offers") { Offers(hook: $0) },
            textLimit: min(try answer.number("textLimit"), Self.fieldLimit)
        )
    }
}

extension BackendCapabilities.Precision {
    fileprivate init?(hook text: String) {
        switch ExactText(text) {
        case "msat": self = .millisatoshi
        case "sat": self = .wholeSatoshi
        default: return nil
        }
    }
}

extension BackendCapabilities.Offers {
    fileprivate init?(hook text: String) {
        switch ExactText(text) {
        case "none": self = .none
        // The hook's author vouches that it works.
        case "built": self = .builtHere
        case "own": self = .ownOffers
        default: return nil
        }
    }
}
