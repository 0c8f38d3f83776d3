import LightningCoding
import Testing

@testable import ServiceCommand

@Suite("A connection with a Lightning node, as a person reads it", .timeLimit(.minutes(5)))
struct PeerLinesTests {
    private func features(_ bits: [Int], more: Bool) -> String? {
        let peer: JSONValue = [
            "nodeID": "02", "address": "127.0.0.1:9735", "state": "open", "onionMessages": true,
            "features": .array(bits.map { .integer($0) }), "moreFeatures": .bool(more),
        ]
        return PeerLines(peer).text.split(separator: "\n").first { $0.contains("features") }.map { String($0) }
    }

    @Test("Its features are named, up to a limit")
    func features() {
        #expect(features([1, 39], more: false) == "  features: 1 39")
        #expect(features([1, 39], more: true) == "  features: 1 39 and more")
        #expect(features([], more: false) == "  features: none")
        #expect(features(Array(0..<64), more: false)?.hasSuffix("62 63") == true)
        #expect(features(Array(0..<65), more: false)?.hasSuffix("62 63 and more") == true)
    }
}
