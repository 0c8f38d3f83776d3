import Bolt12
import LightningCoding
import LightningCrypto

extension Lightningd {
    /// The same contents yield the same offer, as long as the node has a public channel.
    func offer(_ parameters: Parameters, _ state: inout State) throws(RPCError) -> JSONValue {
        let amount = try parameters.text("amount")
        var fields = OfferFields()
        fields.chains = [ChainHash(.regtest)]
        fields.amount = amount == "any" ? nil : UInt64(amount.prefix { $0.isNumber })
        fields.description = try? parameters.text("description")
        fields.issuer = try? parameters.text("issuer")
        fields.quantityMax = try parameters.number("quantity_max")
        fields.absoluteExpiry = try parameters.number("absolute_expiry").map(UnixTime.init)
        fields.issuerID = key.publicKey
        guard let offer = try? Offer(fields) else { throw .badParameter("offer") }
        let id = offer.id.hexadecimal
        if var known = state.offers.first(where: { $0["offer_id"]?.string == id }) {
            guard known["active"]?.bool == true else {
                throw RPCError(code: 1000, message: "Already exists, but isn't active")
            }
            known["description"] = nil
            known["created"] = false
            return .object(known)
        }
        var made: JSONObject = [
            "offer_id": .string(id), "active": true, "single_use": false, "bolt12": .string(offer.text),
            "force_paths": false, "used": false,
        ]
        if let label = try? parameters.text("label") { made["label"] = .string(label) }
        var listed = made
        listed["description"] = .string(fields.description ?? "")
        state.offers.append(listed)
        made["created"] = true
        return .object(made)
    }

    func listoffers(_ parameters: Parameters, _ state: State) -> JSONValue {
        let id = try? parameters.text("offer_id")
        let activeOnly = (try? parameters.truth("active_only")) ?? false
        let found = state.offers.filter { offer in
            (id == nil || offer["offer_id"]?.string == id) && (!activeOnly || offer["active"]?.bool == true)
        }
        return ["offers": .array(found.map(JSONValue.object))]
    }

    /// `lightningd/offer.c` of v26.06: a disabled offer cannot be disabled again.
    func disableoffer(_ parameters: Parameters, _ state: inout State) throws(RPCError) -> JSONValue {
        let id = try parameters.hash("offer_id")
        guard let index = state.offers.firstIndex(where: { $0["offer_id"]?.string == id }) else {
            throw RPCError(code: -1, message: "Unknown offer")
        }
        guard state.offers[index]["active"]?.bool == true else {
            throw RPCError(code: 1001, message: "offer is not active")
        }
        state.offers[index]["active"] = false
        return .object(state.offers[index])
    }
}
