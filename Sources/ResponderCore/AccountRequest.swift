import LNURL
import Contracts

/// Who was asked what: two accounts may be asked the same at once.
struct AccountRequest: Hashable, Sendable {
    let account: AddressName
    let digest: RequestDigest
}
