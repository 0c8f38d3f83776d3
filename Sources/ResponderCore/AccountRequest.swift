package import Contracts

/// A request and its account, as a key: requests to different accounts may be identical.
package struct AccountRequest: Hashable, Sendable {
    let account: AccountID
    let digest: RequestDigest

    /// Creates a key.
    package init(account: AccountID, digest: RequestDigest) {
        self.account = account
        self.digest = digest
    }
}
