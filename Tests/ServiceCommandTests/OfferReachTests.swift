import BlindedPaths
import Bolt12
import ServiceSetup
import LightningCoding
import LightningCrypto
import TemporaryFolders
import Testing
@testable import ServiceCommand

@Suite("The reach of offers", .timeLimit(.minutes(5)))
struct OfferReachTests: OfferFixture {
    let temporary = TemporaryFolder()

    init() async throws {
        try await addAlice()
    }

    @Test("The ways to reach an offer are reported: the account's webhook, and no other yet")
    func reach() async throws {
        let webhook = try #require(try await run(AccountShow.self, "alice").json["webhook"]?.string)
        let plain = try await run(OfferCreate.self, "alice")
        #expect(
            plain.json["reach"] == [
                "forwarder": ["now": true, "webhook": .string(webhook), "overLightning": false],
                "node": ["now": false], "peer": ["now": false, "introductions": []],
            ])
        #expect(plain.text.contains("through a forwarder that posts requests to \(webhook)"))
        #expect(plain.text.contains("not through the node's own BOLT12"))
        #expect(plain.text.contains("not through our own Lightning peer"))
        let introduced = try await run(OfferCreate.self, "alice", "--introduction", introductionNode)
        #expect(introduced.json["reach"]?["forwarder"]?["overLightning"] == true)
        #expect(introduced.json["issuerID"]?.string != nil)
        let pathOnly = try await run(
            OfferCreate.self, "alice", "--introduction", introductionNode, "--no-issuer-id")
        #expect(pathOnly.json["issuerID"] == .null)
        #expect(pathOnly.json["paths"]?.uint64 == 1)
        let twice = try await run(
            OfferCreate.self, "alice", "--introduction", introductionNode, "--introduction",
            introductionNode.replacing("0279", with: "0379"))
        #expect(twice.json["paths"]?.uint64 == 2)
    }

    @Test("Paths begin at the configured peers; without a running service, the offer is reachable through none")
    func peers() async throws {
        let second = "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
        let peers = "\(introductionNode)@127.0.0.1:9,\(second)@peer.example"
        let made = try await run(OfferCreate.self, "alice", "--onion-peer-connect", peers)
        let offer = try Offer(try #require(made.json["offer"]?.string))
        #expect(
            offer.paths?.map(\.introductionNode) == [
                .node(try PublicKey(hexadecimal: introductionNode)), .node(try PublicKey(hexadecimal: second)),
            ])
        #expect(made.json["reach"]?["peer"]?["now"] == false)
        #expect(made.text.contains("not through our own Lightning peer: none is configured or running"))
        let twice = try await run(
            OfferCreate.self, "alice", "--no-issuer-id", "--onion-peer-connect",
            "\(second)@127.0.0.1:9,\(second)@127.0.0.2:9")
        #expect(twice.json["paths"]?.uint64 == 1)
        #expect(twice.json["issuerID"] == .null)
    }

    @Test("Without a running service, peers cannot be shown")
    func peersWithoutService() async throws {
        #expect(try await failure(Peers.self)?.status == .unavailable)
    }
}
