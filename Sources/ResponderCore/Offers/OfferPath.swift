import LightningCrypto

/// A path of an offer of ours, known again by the path id that came over it.
public struct OfferPath: Hashable, Sendable {
    /// Its place among the offer's paths.
    public let index: Int
    /// The offer's.
    let nonce: [UInt8]
}
