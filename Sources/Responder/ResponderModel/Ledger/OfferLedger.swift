package import Bolt12
package import LightningCoding
import LightningCrypto

package protocol OfferLedger: Sendable {
    /// Stores an offer. An existing one is not changed, except that a missing maker is filled in. For
    /// an imported one, `AccountLedger.accountsRevision()` changes, so that all processes read its key.
    ///
    /// - Returns: the offer as stored.
    func putOffer(_ offer: IssuedOffer) async throws(LedgerFault) -> IssuedOffer

    func offer(_ id: OfferID) async throws(LedgerFault) -> IssuedOffer?

    /// The offers of an account, or of all, newest first.
    func offers(of account: AccountID?) async throws(LedgerFault) -> [IssuedOffer]

    /// Why `record(_:using:)` would reject an invoice for an offer now. Checked before the node is called, to avoid
    /// useless invoices; `record` decides.
    func obstacle(to claim: OfferClaim, at now: UnixTime) async throws(LedgerFault) -> LedgerFault?

    /// Disables an offer; false when there is none. Issued invoices can still be paid.
    func disableOffer(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool

    /// Records that the node which made an offer has disabled it too; false when there is no such offer.
    func noteDisabledAtNode(_ id: OfferID, at now: UnixTime) async throws(LedgerFault) -> Bool
}

/// Identifies a repeated invoice request: the SHA-256 of its bytes, 32 bytes.
package struct RequestDigest: Hashable, Sendable {
    /// The 32 bytes.
    package let bytes: [UInt8]

    /// The digest of a request's bytes.
    package init(of request: [UInt8]) {
        bytes = SHA256.hash(request)
    }
}
