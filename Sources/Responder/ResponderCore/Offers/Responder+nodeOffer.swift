import Bolt12
import LNURL
import LightningCoding
import ResponderModel

extension Responder {
    /// The offer that the account's node makes and answers itself.
    ///
    /// The label is unique, and unaffected by changes of the public URL.
    func nodeOffer(_ terms: OfferTerms, _ setting: OfferSetting) async throws(OfferRefusal) -> Offer {
        let name = setting.node.name
        let foreign = terms.oursAlone
        guard foreign.isEmpty else { throw .notAtNode(name, foreign) }
        guard terms.amount?.msat != 0 else { throw .terms(.offer(.amountNotPositive)) }
        let standard = setting.account.settings.description
        let order = OfferOrder(
            label: setting.account.label,
            description: terms.description ?? standard,
            amount: terms.amount,
            issuer: terms.issuer,
            quantityMax: terms.quantityMax,
            absoluteExpiry: terms.absoluteExpiry
        )
        let offer = try await awaiting(await setting.node.backend.offer(order)) { OfferRefusal.node(name, $0) }
        guard offer.keeps(order, standardDescription: standard) else { throw .otherTerms(name) }
        try check(offer, on: setting.node.info.network)
        return offer
    }
}

extension OfferTerms {
    /// Terms that a node that makes its own offers does not support.
    package enum BuiltOnly: CaseIterable, Hashable, Sendable {
        case maximumPayments
        case introductions
        /// Paths only, without an issuer id.
        case withoutIssuerID
    }

    package var oursAlone: [BuiltOnly] {
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
    /// Whether the offer matches the order. A node may add its label to the issuer and may omit the account's default
    /// description.
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
