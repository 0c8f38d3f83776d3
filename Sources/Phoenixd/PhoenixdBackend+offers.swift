import Nodes
public import Bolt12
import LightningCoding
public import Contracts

extension PhoenixdBackend {
    /// The node's one permanent offer, by `getoffer`, for the one label that may have it. `createoffer` makes another
    /// one each time, and their payments cannot be told apart.
    ///
    /// - Throws: `BackendFault.unsupported` for other labels, and for an amount, a quantity or an expiry.
    public func offer(_ order: OfferOrder) async throws(BackendFault) -> Offer {
        guard let label = configuration.offerLabel, order.label == label, order.amount == nil,
            order.quantityMax == nil, order.absoluteExpiry == nil
        else { throw .unsupported }
        return try await defaultOffer()
    }

    func defaultOffer() async throws(BackendFault) -> Offer {
        try await ownOffer.value { () async throws(BackendFault) in
            let body = try await self.ask { client throws(PhoenixdClient.Fault) in try await client.get("/getoffer") }
            return try rethrowing(
                Offer(String(decoding: body, as: UTF8.self)), as: BackendFault.malformedAnswer("no offer"))
        }
    }
}
