package import LNURL
package import LightningCoding
package import LightningCrypto

package struct RegistrationOrder: Hashable, Sendable {
    /// The key that has signed, and the domain.
    package let id: RegistrationID
    package let change: Change
    package let claims: [StatementClaim]

    package init(by id: RegistrationID, _ change: Change, claiming claims: [StatementClaim]) {
        self.id = id
        self.change = change
        self.claims = claims
    }

    package enum Change: Hashable, Sendable {
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
    package var name: AddressName? {
        switch change {
        case .register(_, let name, _): name
        case .offer(_, let name): name
        case .unregister, .withdrawOffer, .recover: nil
        }
    }
}

package enum NameState: Hashable, Sendable {
    case free
    /// An account of the operator, present or removed.
    case account
    /// Kept from everybody by the operator.
    case reserved
    case registered(PublicKey)
    /// Its last owner, who gave it up at that time.
    case held(for: OwnerDigest, since: UnixTime)
}

package enum RegistrationRefusal: Error, Hashable, Sendable {
    /// The name is an account's or another key's.
    case nameTaken(AddressName)
    /// The name is kept from everybody, or held for its last owner.
    case nameReserved(AddressName)
    /// The owner has given up too many names lately to take another one; a retry after that many seconds may help.
    case tooManyNames(retryAfter: UInt64)
    /// The statement was used before, and what it ordered is not the present state.
    case replayed
}

extension RegistrationRefusal: ReadableFault {
    package var reason: String {
        switch self {
        case .nameTaken(let name): "the name \(name) is taken"
        case .nameReserved(let name): "the name \(name) is reserved"
        case .tooManyNames: "the key has released too many names recently"
        case .replayed: "the signed statement was used already"
        }
    }
}
