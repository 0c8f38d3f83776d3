import Bolt12
import LNURL
import LightningCoding
import Contracts

extension Responder {
    /// The offer that the account's node makes and answers itself.
    ///
    /// The account's name is the label: no two accounts have the same, and it stays when the public URL changes.
    func nodeOffer(_ terms: OfferTerms, _ setting: OfferSetting) async throws(OfferRefusal) -> Offer {
        let name = setting.node.name
        let foreign = terms.oursAlone
        guard foreign.isEmpty else { throw .notAtNode(name, foreign) }
        guard terms.amount?.msat != 0 else { throw .terms(.offer(.amountNotPositive)) }
        let standard = setting.account.settings.description
        let order = OfferOrder(
            label: setting.account.name.text,
            description: terms.description ?? standard,
            amount: terms.amount,
            issuer: terms.issuer,
            quantityMax: terms.quantityMax,
            absoluteExpiry: terms.absoluteExpiry
        )
        let offer: Offer
        do {
            offer = try await setting.node.backend.offer(order)
        } catch {
            throw .node(name, error)
        }
        guard offer.keeps(order, standardDescription: standard) else { throw .otherTerms(name) }
        try check(offer, on: setting.node.info.network)
        return offer
    }
}

extension OfferTerms {
    /// Terms that only offers of ours can have: a node that makes offers itself is not told of them.
    public enum BuiltOnly: CaseIterable, Hashable, Sendable {
        /// A number of payments after which it is over.
        case maximumPayments
        /// Paths that begin at chosen nodes.
        case introductions
        /// No key of the issuer beside the paths.
        case withoutIssuerID
    }

    /// Those of them that are asked for.
    public var oursAlone: [BuiltOnly] {
        var found: [BuiltOnly] = []
        if maximumPayments != nil { found.append(.maximumPayments) }
        if case .introductions(_, let withIssuerID) = way, !mayTakeOtherWay {
            found.append(.introductions)
            if !withIssuerID { found.append(.withoutIssuerID) }
        }
        return found
    }
}

extension Offer {
    /// Whether it says what was ordered. A node may add its label to the issuer, and may leave out the words that every offer of
    /// the account has.
    fileprivate func keeps(_ order: OfferOrder, standardDescription: String) -> Bool {
        let said = fields
        let isDescribed =
            said.description?.isExactly(order.description) == true
            || (said.description == nil && order.description.isExactly(standardDescription))
        return isDescribed && said.currency == nil && said.amount == order.amount?.msat
            && said.quantityMax == order.quantityMax && said.absoluteExpiry == order.absoluteExpiry
            && (order.issuer.map { said.issuer?.begins(with: $0) ?? false } ?? true)
    }
}
