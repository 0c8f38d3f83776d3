import LightningCoding
import ResponderModel
import Testing
@testable import ServiceSetup

@Suite("The chain of our own Lightning peer", .timeLimit(.minutes(5)))
struct PeerChainTests {
    private static let peer =
        "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798@127.0.0.1:9735"

    private func configuration(_ text: String) throws(ConfigurationFaults) -> ServiceConfiguration {
        try ServiceConfiguration(SettingSources(flags: [:], environment: [:], file: ("c.yaml", Array(text.utf8))))
    }

    /// Two nodes, with these additional lines, and a peer.
    private func text(_ main: String = "", _ test: String = "", peer: String = "connect: [\(Self.peer)]") -> String {
        """
        onion-peer:
          \(peer)
        backends:
          main:
            kind: hook
            url: http://127.0.0.1:1/
            \(main)
          test:
            kind: hook
            url: http://127.0.0.1:2/
            \(test)

        """
    }

    private func chain(_ text: String, _ answers: [String: Network]) async throws -> Network? {
        try await configuration(text).peerChain { name throws(BackendFault) in
            guard let network = answers[name.description] else { throw .timedOut }
            return network
        }
    }

    @Test(
        "Backends configured for several chains are reported with the line of the peer, before anything starts",
        arguments: ["connect: [\(Self.peer)]", "listen: 127.0.0.1:9735"])
    func configured(peer: String) throws {
        let key = peer.prefix { $0 != ":" }
        do {
            _ = try configuration(text("network: bitcoin", "network: signet", peer: peer))
            Issue.record("taken")
        } catch {
            #expect(
                error.faults.map(\.description) == [
                    "c.yaml, line 2: onion-peer.\(key) must be on the one chain of all backends, and they are on several: "
                        + "main on bitcoin, test on signet"
                ])
        }
        _ = try configuration(text("network: bitcoin", "network: bitcoin", peer: peer))
        _ = try configuration(text("network: bitcoin", "network: signet", peer: "connections: 2"))
    }

    @Test("Unconfigured chains are asked for; the embedded node does not count beside configured ones")
    func asked() async throws {
        #expect(try await chain(text("network: signet"), ["test": .signet]) == .signet)
        #expect(try await chain(text(), ["main": .bitcoin, "test": .bitcoin]) == .bitcoin)
        #expect(try await chain("onion-peer:\n  listen: 127.0.0.1:1\n", ["embedded": .regtest]) == .regtest)
    }

    @Test("Nodes that do not answer are skipped; when none answers, the chain is unknown")
    func silent() async throws {
        #expect(try await chain(text("network: signet"), [:]) == .signet)
        #expect(try await chain(text(), ["test": .testnet]) == .testnet)
        #expect(try await chain(text(), [:]) == nil)
    }

    @Test("Nodes that report several chains are named")
    func contradiction() async throws {
        await #expect(
            throws: CommandFailure(
                .configuration,
                "onion-peer must be on the one chain of all backends, and they are on several: main on bitcoin, "
                    + "test on regtest")
        ) { try await chain(text("network: bitcoin"), ["test": .regtest]) }
    }
}
