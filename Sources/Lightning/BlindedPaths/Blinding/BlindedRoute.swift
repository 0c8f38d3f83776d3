import LightningCoding
public import LightningCrypto

/// An unencrypted route to a recipient, with the recipient's data for every node: the input of a blinded path.
public struct BlindedRoute: Sendable {
    /// One node, by its real id, with its data.
    public struct Node: Sendable {
        /// The real id.
        public let nodeID: PublicKey
        /// Its data.
        public var data: RecipientData

        /// Creates a node.
        public init(nodeID: PublicKey, data: RecipientData) {
            self.nodeID = nodeID
            self.data = data
        }
    }

    /// From the introduction node to the recipient.
    public var nodes: [Node]

    /// Creates a route over these nodes.
    public init(_ nodes: [Node]) {
        self.nodes = nodes
    }

    /// Blinds the route.
    ///
    /// - `secret`: fresh and random, e₀ of BOLT 4; anyone who knows it can unblind the path.
    /// - `introduction`: how to name the first node, if not by its id.
    ///
    /// Throws `noHops`, `tooManyHops`, `recipientDataTooLong`, `invalidRecipientData` or `unusableSecret`.
    public func blinded(
        secret: SecretKey, introduction: IntroductionNode? = nil
    ) throws(BlindedPathFault) -> BlindedPath {
        guard let first = nodes.first else { throw .noHops }
        var hops: [BlindedPath.Hop] = []
        var pathSecret = secret
        for node in nodes {
            hops.append(try node.blinded(advancing: &pathSecret))
        }
        return try BlindedPath(
            introductionNode: introduction ?? .node(first.nodeID), firstPathKey: secret.publicKey, hops: hops)
    }

    /// The path key at which the recipient will be reached when the route is blinded with `secret`: together with its
    /// own key, it lets the recipient sign under its blinded id (`HopSecret.blindedKey`) before any message has
    /// arrived.
    public func recipientPathKey(secret: SecretKey) throws(BlindedPathFault) -> PublicKey {
        guard !nodes.isEmpty else { throw .noHops }
        var pathSecret = secret
        do {
            for node in nodes.dropLast() {
                pathSecret = try HopSecret(pathSecret: pathSecret, nodeID: node.nodeID).nextPathSecret(pathSecret)
            }
        } catch {
            throw .unusableSecret
        }
        return pathSecret.publicKey
    }
}

extension BlindedRoute.Node {
    fileprivate func blinded(advancing pathSecret: inout SecretKey) throws(BlindedPathFault) -> BlindedPath.Hop {
        let plaintext = try rethrowing(data.encoded(), as: BlindedPathFault.invalidRecipientData)
        let blindedNodeID: PublicKey
        let encrypted: [UInt8]
        do {
            let secret = try HopSecret(pathSecret: pathSecret, nodeID: nodeID)
            blindedNodeID = try secret.blindedNodeID(of: nodeID)
            encrypted = try secret.seal(plaintext)
            pathSecret = try secret.nextPathSecret(pathSecret)
        } catch {
            throw .unusableSecret
        }
        return try BlindedPath.Hop(blindedNodeID: blindedNodeID, encryptedRecipientData: encrypted)
    }
}

extension BlindedRoute {
    /// Pads the data of all nodes to one length, so that lengths do not reveal which node is the recipient. Existing
    /// padding is replaced. Throws `invalidRecipientData`.
    public func padded() throws(BlindedPathFault) -> BlindedRoute {
        var route = self
        var counts: [Int] = []
        for index in nodes.indices {
            route.nodes[index].data.padding = nil
            let bytes = try rethrowing(
                route.nodes[index].data.encoded(), as: BlindedPathFault.invalidRecipientData)
            counts.append(bytes.count)
        }
        let longest = counts.max() ?? 0
        // A padding record takes at least 2 bytes and grows in jumps when its length field does, so a common length
        // that all can reach is always near.
        for total in longest... where counts.allSatisfy({ Padding(filling: total - $0) != nil }) {
            for (index, count) in counts.enumerated() {
                route.nodes[index].data.padding = Padding(filling: total - count)?.count
            }
            break
        }
        return route
    }
}

/// The record that fills a gap of some bytes, if possible.
private struct Padding {
    /// The bytes of its value; nil when the gap is zero and needs no record.
    let count: Int?

    init?(filling gap: Int) {
        guard gap > 0 else {
            count = nil
            return
        }
        // Type, a length of 1, 3 or 5 bytes, value.
        let fitting = [(2, 0...0xfc), (4, 0xfd...0xffff), (6, 0x1_0000...0xffff_ffff)]
            .first { head, range in range.contains(gap - head) }
        guard let (head, _) = fitting else { return nil }
        count = gap - head
    }
}
