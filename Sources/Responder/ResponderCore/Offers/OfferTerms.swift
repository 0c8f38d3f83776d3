package import LightningCoding
package import LightningCrypto

package struct OfferTerms: Hashable, Sendable {
    /// The amount of one item, in msat; nil for any amount.
    package var amount: Millisatoshi?
    /// What the payment is for; required when there is an amount.
    package var description: String?
    package var issuer: String?
    /// The maximum quantity in one invoice, 0 for no limit; nil when there are no items to count.
    package var quantityMax: UInt64?
    /// The last second at which invoices may be requested.
    package var absoluteExpiry: UnixTime?
    /// The maximum number of payments; nil means unlimited.
    package var maximumPayments: UInt64?
    package var way: Way
    /// Whether the account's node may choose another way, because the caller did not choose this one.
    package var mayTakeOtherWay = false

    package enum Way: Hashable, Sendable {
        case issuerID
        /// Over blinded paths from introduction nodes, preferred first; 1 to `OfferIssuer.maximumPaths`. Without an
        /// issuer id, the last blinded id of the path used signs.
        case introductions([PublicKey], withIssuerID: Bool)

        package static func introduction(_ node: PublicKey, withIssuerID: Bool) -> Way {
            .introductions([node], withIssuerID: withIssuerID)
        }
    }

    package init(description: String? = nil, amount: Millisatoshi? = nil, way: Way = .issuerID) {
        self.description = description
        self.amount = amount
        self.way = way
    }
}

/// A path of one of our offers, recognized by its path id.
package struct OfferPath: Hashable, Sendable {
    package let index: Int
    let nonce: [UInt8]
}
