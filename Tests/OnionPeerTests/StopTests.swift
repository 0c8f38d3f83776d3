import Bolt12
import LightningCoding
import LightningCrypto
import OnionMessages
import Platform
import Testing
@testable import OnionPeer

@Suite("Stopping a node", .timeLimit(.minutes(5)))
struct StopTests {
    @Test("What has arrived is answered, all answers are sent, and then the connections close")
    func answersFirst() async throws {
        let requests = 6
        try await Crossing.run(changing: {
            $0.limits.departures = RateLimit(burst: 1, interval: .milliseconds(300))
        }) { crossing in
            for number in 0..<requests {
                try crossing.send(
                    .invoiceRequest(crossing.request(UInt8(number)).stream.bytes), replyPath: crossing.back(over: []))
            }
            let node = RunningNode(node: crossing.node, listening: nil)
            try await node.wait { $0.statuses.first?.traffic.onionsIn == UInt64(requests) }
            crossing.node.stop()
            for _ in 0..<requests {
                guard case .invoice = try await crossing.answer() else { throw Counterpart.Unexpected() }
            }
            try await node.wait { $0.links(with: crossing.relay).isEmpty }
        }
    }

    @Test("Later messages are dropped, and new connections are refused")
    func takesNothing() async throws {
        try await RunningNode.run(key: Counterpart.key(0x61)) {
            $0.listen = RunningNode.anyPort
        } _: { running in
            let address = try #require(running.address)
            let dialler = PeerConnector(network: .regtest)
            let (link, _) = try await dialler.connect(to: address, as: Counterpart.key(0x62))
            try await running.wait { !$0.nodes.isEmpty }
            running.node.stop()
            link.send([1])
            try await running.wait { $0.statuses.first?.traffic.dropped == [.busy: 1] }
            await #expect(throws: ConnectionEnd.self) {
                _ = try await dialler.connect(to: address, as: Counterpart.key(0x63))
            }
            #expect(running.node.nodes == [Counterpart.key(0x62).publicKey])
        }
    }
}
