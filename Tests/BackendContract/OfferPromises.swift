import Bolt12
import LightningCoding
import Receiving
import Testing

extension BackendPromise {
    static let offers = [
        BackendPromise("A node's own offer is made once for each account, or refused where the node has none") {
            bench in
            let backend = try await bench.connect()
            let order = OfferOrder(label: "alice", description: "Pay to alice@example.com")
            guard backend.capabilities.offers == .ownOffers else {
                await #expect(throws: BackendFault.unsupported) { try await backend.offer(order) }
                return
            }
            let offer = try await backend.offer(order)
            #expect(try await backend.offer(order) == offer)
            #expect(try await bench.connect().offer(order) == offer)
        },
        BackendPromise("The payment of a node's own offer names the offer") { bench in
            let backend = try await bench.connect()
            guard backend.capabilities.offers == .ownOffers else { return }
            let offer = try await backend.offer(OfferOrder(label: "alice", description: "Pay to alice@example.com"))
            try await bench.pay(offer, Millisatoshi(21_000))
            let hash = try await bench.paid(.sample("an invoice"), at: backend)
            let settlements = try await backend.settlements(2)
            #expect(settlements.map { $0.offered?.offer } == [offer.id, nil])
            #expect(settlements.map(\.received) == [Millisatoshi(21_000), Millisatoshi(21_000)])
            #expect(settlements.last?.paymentHash == hash)
        },
    ]
}
