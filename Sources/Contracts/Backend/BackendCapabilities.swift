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
        /// Here a BOLT12 invoice is built of each BOLT11 invoice of the node, since the node takes a payment over a blinded
        /// path whose `path_id` is the BOLT11 payment secret.
        case builtHere
        /// The node makes offers and answers requests for them itself (`ReceiveBackend.offer`).
        case ownOffers
    }

    /// Whether amounts below a satoshi are possible.
    public var precision: Precision
    /// Whether the node takes a preimage of our choice, which a LUD-10 action needs.
    public var acceptsPreimage: Bool
    /// Whether an open invoice can be let go.
    public var cancels: Bool
    /// How offers can be paid.
    public var offers: Offers
    /// The longest text, in bytes of UTF-8, that can stand in an invoice as it is. A longer one is to be hashed.
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

    /// What a field of a BOLT11 invoice holds at the most, in bytes (BOLT 11, "Tagged fields": 1023 groups of 5 bits).
    public static let fieldLimit = 639
}
