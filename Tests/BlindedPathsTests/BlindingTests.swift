import BlindedPaths
import LightningCrypto
import Testing

@Suite("Blinding", .timeLimit(.minutes(5)))
struct BlindingTests {
    @Test("A path that leads into another is walked across the seam")
    func concatenation() throws {
        let keys = try Node.keys(.alice, .bob, .carol, .dave)
        let theirs = try MessagePath.route(
            to: keys[3].publicKey, through: [MessagePath.Relay(nodeID: keys[2].publicKey)], pathID: SecretBytes([7])
        ).blinded(secret: SecretKey(filled(1)))
        let ours = try MessagePath.route(
            through: keys[..<2].map { MessagePath.Relay(nodeID: $0.publicKey) }, into: theirs,
            introduction: keys[2].publicKey
        ).blinded(secret: SecretKey(filled(2)))
        let joined = try ours.followed(by: theirs)
        let read = try walk(joined, keys: keys)
        #expect(read.map(\.nextNodeID) == keys.dropFirst().map(\.publicKey) + [nil])
        #expect(read.map(\.nextPathKeyOverride) == [nil, theirs.firstPathKey, nil, nil])
        #expect(read[3].pathID == SecretBytes([7]))
        #expect(joined.introductionNode == .node(keys[0].publicKey))
    }

    @Test("Without the override the node behind the seam cannot read its orders")
    func seamWithoutOverride() throws {
        let keys = try Node.keys(.alice, .bob)
        let theirs = try MessagePath.route(to: keys[1].publicKey, pathID: nil).blinded(secret: SecretKey(filled(1)))
        var route = MessagePath.route(
            through: [MessagePath.Relay(nodeID: keys[0].publicKey)], into: theirs, introduction: keys[1].publicKey)
        route.nodes[0].data.nextPathKeyOverride = nil
        let joined = try route.blinded(secret: SecretKey(filled(2))).followed(by: theirs)
        #expect(throws: NotTheNode.self) { try walk(joined, keys: keys) }
    }

    @Test("No relays make no path")
    func noNodes() throws {
        let path = try MessagePath.route(to: Node.eve.id, pathID: nil).blinded(
            secret: SecretKey(filled(1)))
        #expect(throws: BlindedPathFault.noHops) {
            try MessagePath.route(through: [], into: path, introduction: Node.eve.id)
                .blinded(secret: SecretKey(filled(2)))
        }
        #expect(throws: BlindedPathFault.noHops) { try BlindedRoute([]).blinded(secret: SecretKey(filled(2))) }
    }

    @Test("The blinded key signs for the blinded id")
    func blindedKeySigns() throws {
        let eve = try Node.eve.key
        let path = try MessagePath.route(to: eve.publicKey, pathID: SecretBytes([1])).blinded(
            secret: SecretKey(filled(9)))
        let key = try HopSecret(pathKey: path.firstPathKey, nodeKey: eve).blindedKey(of: eve)
        let hash = SHA256.hash("invoice".utf8)
        let signature = try key.schnorrSignature(of: hash, auxiliaryRandom: nil)
        #expect(path.hops[0].blindedNodeID.verifies(signature, of: hash))
        #expect(!eve.publicKey.verifies(signature, of: hash))
    }

    @Test("Another secret makes another path of the same route")
    func anotherSecret() throws {
        let route = try MessagePath.route(to: Node.eve.id, pathID: SecretBytes([1]))
        let one = try route.blinded(secret: SecretKey(filled(1)))
        let other = try route.blinded(secret: SecretKey(filled(2)))
        #expect(one.hops[0] != other.hops[0])
        #expect(one.firstPathKey != other.firstPathKey)
        #expect(try route.blinded(secret: SecretKey(filled(1))) == one)
    }

    @Test("A node that is not of the path reads nothing, and no node reads another's orders")
    func strangers() throws {
        let keys = try Node.keys(.alice, .bob)
        let path = try MessagePath.route(
            to: keys[1].publicKey, through: [MessagePath.Relay(nodeID: keys[0].publicKey)], pathID: SecretBytes([1])
        ).blinded(secret: SecretKey(filled(1)))
        for (key, hop) in try [(Node.carol.key, path.hops[0]), (keys[0], path.hops[1]), (keys[1], path.hops[0])] {
            let secret = try HopSecret(pathKey: path.firstPathKey, nodeKey: key)
            #expect(throws: RecipientDataFault.undecryptable) { try secret.open(hop.encryptedRecipientData) }
        }
    }
}

@Suite("Padding", .timeLimit(.minutes(5)))
struct PaddingTests {
    @Test("All orders of a padded path have one length, whatever the lengths before", arguments: 0..<300)
    func oneLength(count: Int) throws {
        let bob = try MessagePath.Relay(nodeID: Node.bob.id)
        let path = try MessagePath.route(
            to: Node.eve.id, through: [bob], pathID: SecretBytes(filled(1, count: count)), dummyHops: 1
        ).blinded(secret: SecretKey(filled(3)))
        #expect(Set(path.hops.map(\.encryptedRecipientData.count)).count == 1)
        let keys = try Node.keys(.bob, .eve, .eve)
        #expect(try walk(path, keys: keys)[2].pathID?.count == count)
    }

    @Test("Padding again changes nothing")
    func again() throws {
        let bob = try MessagePath.Relay(nodeID: Node.bob.id)
        let route = try MessagePath.route(to: Node.eve.id, through: [bob], pathID: SecretBytes([1]))
        #expect(try route.padded().nodes.map(\.data) == route.nodes.map(\.data))
    }

    @Test("Without padding the lengths differ")
    func unpadded() throws {
        let bob = try MessagePath.Relay(nodeID: Node.bob.id)
        let path = try MessagePath.route(
            to: Node.eve.id, through: [bob], pathID: SecretBytes([1]), isPadded: false
        ).blinded(secret: SecretKey(filled(3)))
        #expect(path.hops.map(\.encryptedRecipientData.count) == [35 + 16, 3 + 16])
    }
}

@Suite("Message paths", .timeLimit(.minutes(5)))
struct MessagePathTests {
    @Test("Dummy hops lead the recipient to himself, until the last")
    func dummyHops() throws {
        let keys = try Node.keys(.bob, .eve, .eve, .eve)
        let path = try MessagePath.route(
            to: keys[1].publicKey, through: [MessagePath.Relay(nodeID: keys[0].publicKey)],
            pathID: SecretBytes([1, 2]), dummyHops: 2
        ).blinded(secret: SecretKey(filled(4)))
        let read = try walk(path, keys: keys)
        #expect(read.map(\.nextNodeID) == [keys[1].publicKey, keys[1].publicKey, keys[1].publicKey, nil])
        #expect(read.map(\.pathID) == [nil, nil, nil, SecretBytes([1, 2])])
        #expect(Set(path.hops.map(\.blindedNodeID)).count == 4)
    }

    @Test("255 nodes fit into a path, 256 do not")
    func limit() throws {
        let eve = try Node.eve.id
        let secret = try SecretKey(filled(4))
        #expect(try MessagePath.route(to: eve, pathID: nil, dummyHops: 254).blinded(secret: secret).hops.count == 255)
        #expect(throws: BlindedPathFault.tooManyHops) {
            try MessagePath.route(to: eve, pathID: nil, dummyHops: 255).blinded(secret: secret)
        }
    }
}
