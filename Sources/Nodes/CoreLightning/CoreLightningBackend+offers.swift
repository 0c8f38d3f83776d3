package import Bolt12
import LightningCoding
package import ResponderModel

extension CoreLightningBackend {
    /// The node's own offer with that label, created with `offer` unless it exists.
    ///
    /// The label is in the offer as its issuer: otherwise two accounts with the same description would share an offer,
    /// and their payments could not be told apart.
    ///
    /// - Throws: `BackendFault.refused` when the node's owner has disabled the offer.
    package func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer {
        guard configuration.usesOwnOffers else { throw .unsupported }
        if let known = try await activeOffer(order) { return known }
        var parameters: JSONObject = [
            "amount": .string(order.amount.map { "\($0.msat)msat" } ?? "any"),
            "description": .string(order.description),
            "issuer": .string(order.fullIssuer),
            "label": .string(order.label),
        ]
        parameters["quantity_max"] = order.quantityMax.map(JSONValue.unsigned)
        parameters["absolute_expiry"] = order.absoluteExpiry.map { .unsigned($0.seconds) }
        return try Self.offer(in: try await call("offer", parameters), for: order)
    }

    /// Disables an offer with `disableoffer`; earlier payments stay attributed to it.
    package func disableOffer(_ id: OfferID) async throws(BackendFault) {
        let result: JSONValue
        do {
            result = try await perform("disableoffer", ["offer_id": .string(id.hexadecimal)])
        } catch .refused(ErrorCode.offerAlreadyDisabled, _) {
            return
        } catch {
            throw BackendFault(error)
        }
        let answer = try NodeAnswer(result)
        guard try !answer.flag("active") else { throw answer.fault("active") }
    }

    /// An offer of a node without public channels contains a path that differs each time, so creating it again would
    /// not give the same one: it is found by its label.
    private func activeOffer(_ order: OfferOrder) async throws(BackendFault) -> Offer? {
        let answer = try await call("listoffers", ["active_only": true])
        for listed in try answer.elements("offers") where (try? listed.text("label"))?.isExactly(order.label) == true {
            if let offer = try? Self.offer(in: listed, for: order) { return offer }
        }
        return nil
    }

    /// The offer in a response, accepted only if it matches the order.
    private static func offer(in answer: NodeAnswer, for order: OfferOrder) throws(BackendFault) -> Offer {
        guard try answer.flag("active") else { throw .refused("the offer is disabled at the node") }
        let offer = try answer.parsed("bolt12") { try Offer($0) }
        guard try answer.text("offer_id").isExactly(offer.id.hexadecimal) else { throw answer.fault("offer_id") }
        let fields = offer.fields
        guard fields.description?.isExactly(order.description) == true,
            fields.issuer?.isExactly(order.fullIssuer) == true, fields.currency == nil,
            fields.amount == order.amount?.msat, fields.quantityMax == order.quantityMax,
            fields.absoluteExpiry == order.absoluteExpiry
        else { throw .malformedAnswer("a different offer than ordered") }
        return offer
    }
}

extension OfferOrder {
    fileprivate var fullIssuer: String {
        guard let issuer, issuer != label else { return label }
        return "\(issuer) (\(label))"
    }
}
