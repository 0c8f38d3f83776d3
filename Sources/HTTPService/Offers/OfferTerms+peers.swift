public import LightningCrypto
public import ResponderCore

extension OfferTerms.Way {
    /// The way over the nodes with which we are connected, as many as an offer can name; nil when there are none.
    public init?(peers: [PublicKey], withIssuerID: Bool) {
        guard !peers.isEmpty else { return nil }
        self = .introductions(Array(peers.prefix(OfferIssuer.maximumPaths)), withIssuerID: withIssuerID)
    }
}
