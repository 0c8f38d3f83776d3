import Bolt12
import LightningCoding
import ResponderModel
import Testing

extension BackendRule {
    static let offers = [
        BackendRule("A node's own offer is made once per account, or reported as unsupported") {
            fixture in
            let backend = try await fixture.connect()
            let order = OfferOrder(label: "alice", description: "Pay to alice@example.com")
            guard try await backend.capabilities.offers == .ownOffers else {
                await #expect(throws: BackendFault.unsupported) { try await backend.offer(order) }
                return
            }
            let offer = try await backend.offer(order)
            #expect(try await backend.offer(order) == offer)
            #expect(try await fixture.connect().offer(order) == offer)
        },
        BackendRule("The payment of a node's own offer names the offer") { fixture in
            let backend = try await fixture.connect()
            guard try await backend.capabilities.offers == .ownOffers else { return }
            let offer = try await backend.offer(OfferOrder(label: "alice", description: "Pay to alice@example.com"))
            try await fixture.pay(offer, Millisatoshi(21_000))
            let hash = try await fixture.paid(.sample("an invoice"), at: backend)
            let settlements = try await backend.settlements(2)
            #expect(settlements.map { $0.offered?.offer } == [offer.id, nil])
            #expect(settlements.map(\.received) == [Millisatoshi(21_000), Millisatoshi(21_000)])
            #expect(settlements.last?.paymentHash == hash)
        },
        BackendRule("A disabled offer of the node's cannot be paid, or that is reported as unsupported") {
            fixture in
            let backend = try await fixture.connect()
            guard try await backend.capabilities.offers == .ownOffers else {
                let id = try #require(OfferID(Array(repeating: 7, count: 32)))
                await #expect(throws: BackendFault.self) { try await backend.disableOffer(id) }
                return
            }
            let offer = try await backend.offer(OfferOrder(label: "alice", description: "Pay to alice@example.com"))
            try await fixture.pay(offer, Millisatoshi(21_000))
            do throws(BackendFault) {
                try await backend.disableOffer(offer.id)
            } catch {
                #expect(error == .unsupported)
                try await fixture.pay(offer, Millisatoshi(22_000))
                #expect(try await backend.settlements(2).map { $0.offered?.offer } == [offer.id, offer.id])
                return
            }
            await #expect(throws: (any Error).self) { try await fixture.pay(offer, Millisatoshi(22_000)) }
            try await backend.disableOffer(offer.id)
            #expect(try await backend.settlements(1).map { $0.offered?.offer } == [offer.id])
        },
    ]
}
