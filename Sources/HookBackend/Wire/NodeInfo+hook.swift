import BlindedPaths
import LightningCoding
import LightningCrypto
import Contracts

extension NodeInfo {
    init(_ answer: HookAnswer) throws(BackendFault) {
        var peers: [PaymentPath.Relay] = []
        for peer in try answer.members("peers") { peers.append(try PaymentPath.Relay(peer)) }
        self.init(
            nodeID: try answer.read("nodeID") { try PublicKey(Hexadecimal.decode($0)) },
            network: try answer.read("network") { Network(exactly: $0) },
            blockHeight: try answer.number("blockHeight"),
            isSynchronised: try answer.bool("synchronised"),
            isPublic: try answer.bool("public"),
            introductionPeers: peers,
            alias: try answer.optionalText("alias"),
            version: try answer.optionalText("software"),
            otherPayees: try answer.texts("payees") { try PublicKey(Hexadecimal.decode($0)) }
        )
    }
}

extension PaymentPath.Relay {
    fileprivate init(_ answer: HookAnswer) throws(BackendFault) {
        self.init(
            nodeID: try answer.read("nodeID") { try PublicKey(Hexadecimal.decode($0)) },
            next: .channel(try answer.read("channel") { try ShortChannelID(text: $0) }),
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
    init(_ answer: HookAnswer) throws(BackendFault) {
        self.init(
            precision: try answer.read("precision") { Precision(hook: $0) },
            acceptsPreimage: try answer.bool("preimage"),
            cancels: try answer.bool("cancel"),
            offers: try answer.read("offers") { Offers(hook: $0) },
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
