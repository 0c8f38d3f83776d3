public import Contracts

/// Why an offer is not created or imported.
public enum OfferRefusal: Error, Hashable, Sendable {
    /// The account is unknown, or cannot be looked up.
    case account(Refusal)
    /// The account's node cannot be paid over paths that are built here and makes no offers itself.
    case backendWithoutBolt12(BackendName)
    /// The account's node makes its own offers and answers requests for no others.
    case nodeAnswersOnlyItsOwn(BackendName)
    /// The account's node makes its own offers and does not support these terms.
    case notAtNode(BackendName, [OfferTerms.BuiltOnly])
    /// The account's node failed to make the offer.
    case node(BackendName, BackendFault)
    /// The offer that the account's node made does not match the terms.
    case otherTerms(BackendName)
    /// The offer already exists, for that account.
    case paysAnother(AccountID)
    /// The offer already exists and was disabled, which is final.
    case wasDisabled
    /// The terms break a rule.
    case terms(OfferIssueFault)
    /// The key is not that of the offer's issuer.
    case wrongKey
}
