public import LightningCrypto
public import ResponderCore

extension OfferTerms.Way {
    /// Paths that begin at our connected nodes, as many as an offer may have; nil when there are none.
    public init?(peers: [PublicKey], withIssuerID: Bool) {
        guard !peers.isEmpty else { return nil }
        self = .introductions(Array(peers.prefix(OfferIssuer.maximumPaths)), withIssuerID: withIssuerID)
    }
}
