package import BlindedPaths
package import Bolt12
package import ResponderModel

package enum OfferRefusal: Error, Hashable, Sendable {
    case account(Refusal)
    /// The account's node cannot be paid over paths that are built here and makes no offers itself.
    case backendWithoutBolt12(BackendName)
    /// The account's node makes its own offers and answers requests for no others.
    case nodeAnswersOnlyItsOwn(BackendName)
    /// The account's node makes its own offers and does not support these terms.
    case notAtNode(BackendName, [OfferTerms.BuiltOnly])
    case node(BackendName, BackendFault)
    /// The offer that the account's node made does not match the terms.
    case otherTerms(BackendName)
    case paysAnother(AccountID)
    /// The offer already exists and was disabled, which is final.
    case wasDisabled
    /// The terms, or the imported offer, break a rule of BOLT 12.
    case offer(OfferFault)
    case path(BlindedPathFault)
    case tooManyPaths
    case randomness
    case wrongKey
}

extension OfferRefusal: LedgerFaultConvertible {
    package static func ledger(_ fault: LedgerFault) -> OfferRefusal { .account(.ledger(fault)) }
}

extension OfferRefusal {
    package var reason: String {
        switch self {
        case .account(.unavailable(.ledger(let fault))): fault.reason
        case .account(.unavailable(let cause)): "the account's node does not answer: \(cause.operatorReason)"
        case .account: "no such account"
        case .backendWithoutBolt12(let name):
            "\(name) makes no offers itself, and cannot be paid over paths that are made here, so that no offer can be made for "
                + "its accounts (BOLT12)"
        case .nodeAnswersOnlyItsOwn(let name):
            "\(name) makes the offers of its accounts itself and answers requests for no others; use offer create"
        case .notAtNode(let name, let terms):
            "\(name) makes the offers of its accounts itself, and they cannot have "
                + terms.map(\.words).joined(separator: ", ")
        case .node(let name, .unsupported):
            "\(name) makes no such offer: not for this account, or not with an amount, a quantity or an expiry"
        case .node(let name, .refused(let words)): "\(name) makes no such offer: \(words)"
        case .node(let name, let fault): "\(name) made no offer: \(fault.reason)"
        case .otherTerms(let name):
            "the offer that \(name) made does not match the request; it is not used"
        case .paysAnother(let account): "the offer already exists; it pays \(account)"
        case .wasDisabled: "the offer already exists and was disabled; use a different description"
        case .offer(let fault): "the offer cannot be used: \(fault.reason)"
        case .path: "no path can be made through that introduction node"
        case .tooManyPaths: "an offer has \(OfferIssuer.maximumPaths) paths at most"
        case .randomness: "the system has no random bytes"
        case .wrongKey: "the key is not the offer's issuer key"
        }
    }

    package var isTransient: Bool {
        switch self {
        case .account(.unavailable), .randomness: true
        case .node(_, let fault): fault.isTransient
        case .account, .backendWithoutBolt12, .nodeAnswersOnlyItsOwn, .notAtNode, .otherTerms, .paysAnother,
            .wasDisabled, .offer, .path, .tooManyPaths, .wrongKey:
            false
        }
    }
}

extension OfferTerms.BuiltOnly {
    fileprivate var words: String {
        switch self {
        case .maximumPayments: "a limit on payments"
        case .introductions: "an introduction"
        case .withoutIssuerID: "paths without an issuer id"
        }
    }
}
