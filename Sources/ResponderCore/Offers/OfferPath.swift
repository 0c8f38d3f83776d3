/// A path of one of our offers, recognised by its path id.
public struct OfferPath: Hashable, Sendable {
    /// Its index among the offer's paths.
    public let index: Int
    /// The offer's nonce.
    let nonce: [UInt8]
}
