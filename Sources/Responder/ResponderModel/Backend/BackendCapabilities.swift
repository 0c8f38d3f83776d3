package import LightningCoding

package struct BackendCapabilities: Hashable, Sendable {
    package enum Precision: Hashable, Sendable {
        /// Any number of msat.
        case millisatoshi
        /// Whole satoshi: multiples of 1000 msat.
        case wholeSatoshi
    }

    /// How offers (BOLT 12) of a kind of node can be paid.
    package enum Offers: Hashable, Sendable {
        case none
        /// A BOLT12 invoice is built here from each BOLT11 invoice of the node, which accepts payments over a blinded
        /// path whose `path_id` is the BOLT11 payment secret.
        case builtHere
        /// The node makes offers and answers requests for them itself (`ReceiveBackend.offer`).
        case ownOffers
    }

    package var precision: Precision
    /// Whether the node accepts a preimage of our choice, which a LUD-10 action needs.
    package var acceptsPreimage: Bool
    package var cancels: Bool
    package var offers: Offers
    /// The longest description, in bytes of UTF-8, that fits into an invoice. A longer one is hashed.
    package var textLimit: Int

    package init(
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
    package static let fieldLimit = 639
}

/// The minimum and maximum of one payment. The minimum never exceeds the maximum and is at least 1 msat (LUD-06).
package struct ReceiveLimits: Hashable, Sendable {
    /// The minimum, in msat; at least 1.
    package let minimum: Millisatoshi
    /// The maximum, in msat.
    package let maximum: Millisatoshi

    package init?(minimum: Millisatoshi, maximum: Millisatoshi) {
        guard minimum > .zero, minimum <= maximum else { return nil }
        self.minimum = minimum
        self.maximum = maximum
    }

    package func contains(_ amount: Millisatoshi) -> Bool {
        minimum <= amount && amount <= maximum
    }

    /// The intersection with other limits; nil when it is empty.
    package func narrowed(to minimum: Millisatoshi?, _ maximum: Millisatoshi?) -> ReceiveLimits? {
        ReceiveLimits(
            minimum: max(self.minimum, minimum ?? self.minimum),
            maximum: min(self.maximum, maximum ?? self.maximum)
        )
    }

    /// The limits in whole satoshis: the minimum rounded up, the maximum rounded down; nil when empty.
    package func wholeSatoshis() -> ReceiveLimits? {
        ReceiveLimits(minimum: minimum.roundedUpToSatoshi, maximum: maximum.roundedDownToSatoshi)
    }
}
