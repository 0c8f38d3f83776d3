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
