/// What a kind of node can do.
public struct BackendCapabilities: Hashable, Sendable {
    /// The finest amount that the node can invoice.
    public enum Precision: Hashable, Sendable {
        /// Any number of msat.
        case millisatoshi
        /// Whole satoshi: multiples of 1000 msat.
        case wholeSatoshi
    }

    /// How offers (BOLT 12) of a kind of node can be paid.
    public enum Offers: Hashable, Sendable {
        /// Not at all.
        case none
        /// A BOLT12 invoice is built here from each BOLT11 invoice of the node, which accepts payments over a blinded
        /// path whose `path_id` is the BOLT11 payment secret.
        case builtHere
        /// The node makes offers and answers requests for them itself (`ReceiveBackend.offer`).
        case ownOffers
    }

    /// Whether amounts below a satoshi are possible.
    public var precision: Precision
    /// Whether the node accepts a preimage of our choice, which a LUD-10 action needs.
    public var acceptsPreimage: Bool
    /// Whether an open invoice can be cancelled.
    public var cancels: Bool
    /// How offers can be paid.
    public var offers: Offers
    /// The longest description, in bytes of UTF-8, that fits into an invoice. A longer one is hashed.
    public var textLimit: Int

    /// Creates a set of capabilities.
    public init(
        precision: Precision,
        acceptsPreimage: Bool,
        cancels: Bool,
        offers: Offers = .none,
        textLimit: Int = Self.fieldLimit
    ) {
        self.precision = precision
        self.acceptsPreimage = acceptsPreimage
        self.cancels = cancels
        self.offers = offers
        self.textLimit = textLimit
    }

    /// The capacity of a field of a BOLT11 invoice, in bytes (BOLT 11, "Tagged fields": 1023 groups of 5 bits).
    public static let fieldLimit = 639
}
