import BlindedPaths
import LightningCoding
import Testing

// What is refused on reading, rule by rule, stands in Vectors/route-blinding/path.json and payinfo.json.

@Suite("Blinded paths on the wire", .timeLimit(.minutes(5)))
struct WireTests {
    private func hop(_ data: [UInt8] = []) throws -> BlindedPath.Hop {
        try BlindedPath.Hop(blindedNodeID: Node.bob.id, encryptedRecipientData: data)
    }

    private func path(hops count: Int, start: IntroductionNode? = nil) throws -> BlindedPath {
        let node = try Node.alice.id
        return try BlindedPath(
            introductionNode: start ?? .node(node), firstPathKey: node,
            hops: [BlindedPath.Hop](repeating: hop([1, 2, 3]), count: count))
    }

    @Test("A path has 1 to 255 hops")
    func hopCount() throws {
        #expect(throws: BlindedPathFault.noHops) { try path(hops: 0) }
        #expect(try path(hops: 1).bytes.count == 33 + 33 + 1 + 38)
        #expect(try BlindedPath(path(hops: 255).bytes) == path(hops: 255))
        #expect(throws: BlindedPathFault.tooManyHops) { try path(hops: 256) }
    }

    @Test("What is encrypted for a hop has at most 65535 bytes")
    func hopData() throws {
        let node = try Node.alice.id
        let longest = try BlindedPath(
            introductionNode: .node(node), firstPathKey: node, hops: [hop(filled(7, count: 65535))])
        #expect(try BlindedPath(longest.bytes) == longest)
        #expect(throws: BlindedPathFault.recipientDataTooLong) { try hop(filled(7, count: 65536)) }
    }

    @Test("A channel as introduction takes 24 bytes less than a node")
    func channelIntroduction() throws {
        let channel = try ShortChannelID(text: "700000x1234x1")
        for direction in [IntroductionNode.Direction.node1, .node2] {
            let short = try path(hops: 1, start: .channel(channel, direction: direction))
            #expect(try short.bytes.count == path(hops: 1).bytes.count - 24)
            #expect(short.bytes[0] == direction.rawValue)
            #expect(try BlindedPath(short.bytes) == short)
        }
    }

    @Test("A path ends where its bytes end")
    func trailing() throws {
        let path = try path(hops: 1)
        #expect(throws: BlindedPathFault.encoding(CodingFault(.trailingBytes, at: path.bytes.count))) {
            try BlindedPath(path.bytes + [2])
        }
    }

    @Test("A payinfo has fees, limits and features")
    func payinfo() throws {
        let one = try BlindedPayinfo(
            feeBase: 1, feeProportionalMillionths: 2, cltvExpiryDelta: 3, htlcMinimum: Millisatoshi(4),
            htlcMaximum: Millisatoshi(5), features: [2, 0])
        #expect(
            one.bytes == [0, 0, 0, 1, 0, 0, 0, 2, 0, 3] + [0, 0, 0, 0, 0, 0, 0, 4] + [0, 0, 0, 0, 0, 0, 0, 5] + [
                0, 2, 2, 0,
            ])
        #expect(try BlindedPayinfo(one.bytes) == one)
        #expect(throws: BlindedPathFault.encoding(CodingFault(.trailingBytes, at: one.bytes.count))) {
            try BlindedPayinfo(one.bytes + [0])
        }
        #expect(throws: BlindedPathFault.featuresTooLong) {
            try BlindedPayinfo(
                feeBase: 0, feeProportionalMillionths: 0, cltvExpiryDelta: 0, htlcMinimum: .zero, htlcMaximum: .zero,
                features: filled(0, count: 65536))
        }
    }

    @Test("No prefix of a path is a path, and none crashes")
    func prefixes() throws {
        let bytes = try path(hops: 2).bytes
        for count in bytes.indices {
            #expect(throws: BlindedPathFault.self) { try BlindedPath(bytes.prefix(count)) }
        }
    }
}
