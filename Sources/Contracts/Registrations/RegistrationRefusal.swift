public import LNURL
public import LightningCoding

/// Why an order of a registration is refused.
public enum RegistrationRefusal: Error, Hashable, Sendable {
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
    /// The text for the operator.
    public var reason: String {
        switch self {
        case .nameTaken(let name): "the name \(name) is taken"
        case .nameReserved(let name): "the name \(name) is reserved"
        case .tooManyNames: "the key has given up too many names lately"
        case .replayed: "the statement was used before"
        }
    }
}
