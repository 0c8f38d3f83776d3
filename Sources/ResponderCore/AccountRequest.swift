import LNURL
import Contracts

/// A request and its account, as a key: requests to different accounts may be identical.
struct AccountRequest: Hashable, Sendable {
    let account: AddressName
    let digest: RequestDigest
}
