public import LNURL
public import LightningCoding
public import LightningCrypto

/// What the owner of a key orders with a signed statement.
public struct RegistrationOrder: Hashable, Sendable {
    /// The key that has signed, and the domain.
    public let id: RegistrationID
    /// What is ordered.
    public let change: Change
    /// What prevents that the statement is used again.
    public let claims: [StatementClaim]

    /// Creates an order.
    public init(by id: RegistrationID, _ change: Change, claiming claims: [StatementClaim]) {
        self.id = id
        self.change = change
        self.claims = claims
    }

    /// The changes of a registration.
    public enum Change: Hashable, Sendable {
        /// Ask there. A name replaces the present one, none leaves it; without an offer the present one is dropped.
        case register(webhook: WebhookURL, name: AddressName?, offer: String?)
        /// Forget everything, if it is asked there.
        case unregister(webhook: WebhookURL)
        /// Have that name with that offer; the rest stays.
        case offer(String, name: AddressName)
        /// Drop the offer; the rest stays.
        case withdrawOffer
        /// Nothing: the registration is read.
        case recover
    }

    /// The name that it takes, if any.
    public var name: AddressName? {
        switch change {
        case .register(_, let name, _): name
        case .offer(_, let name): name
        case .unregister, .withdrawOffer, .recover: nil
        }
    }
}

/// Whom a name belongs to.
public enum NameStanding: Hashable, Sendable {
    /// Nobody.
    case free
    /// An account of the operator, present or removed.
    case account
    /// Kept from everybody by the operator.
    case reserved
    /// The owner of that key.
    case registered(PublicKey)
    /// Its last owner, who gave it up at that time.
    case held(for: OwnerDigest, since: UnixTime)
}
