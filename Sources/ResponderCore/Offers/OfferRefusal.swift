public import LNURL
public import Contracts

/// Why an offer is not made or taken over.
public enum OfferRefusal: Error, Hashable, Sendable {
    /// The account is unknown, or cannot be looked up.
    case account(Refusal)
    /// The account's node cannot be paid over paths that are made here, and makes no offers itself.
    case backendWithoutBolt12(BackendName)
    /// The account's node makes offers itself, and answers requests for no others.
    case nodeAnswersOnlyItsOwn(BackendName)
    /// The account's node makes offers itself, and has no place for these terms.
    case notAtNode(BackendName, [OfferTerms.BuiltOnly])
    /// The account's node did not make the offer.
    case node(BackendName, BackendFault)
    /// The offer that the account's node makes says something else than was asked for.
    case otherTerms(BackendName)
    /// The offer is there already and pays that account.
    case paysAnother(AddressName)
    /// The offer is there already and has been switched off, which it stays.
    case wasDisabled
    /// The terms break a rule.
    case terms(OfferIssueFault)
    /// The key is not that of the offer's issuer.
    case wrongKey
}
