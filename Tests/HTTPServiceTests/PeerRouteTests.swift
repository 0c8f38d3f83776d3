import BlindedPaths
import Bolt12
import HTTPTypes
import LightningCoding
import LightningCrypto
import Testing

@testable import HTTPService

@Suite("Our own Lightning peer as the operator sees it", .timeLimit(.minutes(5)))
struct PeerRouteTests {
    private func administration(
        _ service: TestService, wanted: [PublicKey], introductions: [PublicKey]
    ) -> Administration {
        service.administration(
            peers: PeerReporter(
                wanted: wanted, introductions: { introductions },
                connections: { [["state": "open"], ["state": "waiting"]] }))
    }

    private func keys() throws -> [PublicKey] {
        try [1, 2].map { try SecretKey([UInt8](repeating: $0, count: 32)).publicKey }
    }

    @Test("Its connections are shown with the token; without a peer there are none")
    func connections() async throws {
        let service = try await TestService()
        let keys = try keys()
        let with = administration(service, wanted: keys, introductions: [keys[0]])
        #expect(
            try await service.administer("/peers", of: with).json() == [
                "configured": true, "introductions": [.string(keys[0].hexadecimal)],
                "peers": [["state": "open"], ["state": "waiting"]],
            ])
        #expect(
            try await service.administer("/peers").json() == ["configured": false, "introductions": [], "peers": []])
        #expect(try await service.administer("/peers", token: nil, of: with).status == 401)
    }

    @Test("Paths of new offers begin at its nodes, and the reach states through how many the offer can be reached")
    func offers() async throws {
        let service = try await TestService()
        let keys = try keys()
        let with = administration(service, wanted: keys, introductions: [keys[1]])
        let answer = try await service.administer(
            "/offers", method: .post, body: #"{"account":"alice"}"#, of: with)
        let made = try answer.json()
        #expect(made["paths"] == 2)
        #expect(made["reach"]?["peer"] == ["now": true, "introductions": [.string(keys[1].hexadecimal)]])
        let offer = try Offer(#require(made["offer"]?.string))
        #expect(offer.paths?.map(\.introductionNode) == keys.map { .node($0) })
        let id = try #require(made["id"]?.string)
        let elsewhere = administration(service, wanted: keys, introductions: [])
        let reach = try await service.administer("/offers/\(id)", of: elsewhere).json()["reach"]
        #expect(reach?["peer"] == ["now": false, "introductions": []])
        let off = try await service.administer("/offers/\(id)/disable", method: .post, of: with).json()["reach"]
        #expect(off?["peer"]?["now"] == false)
    }
}
