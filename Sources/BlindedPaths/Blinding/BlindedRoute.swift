public import LightningCrypto

/// A route to a recipient with his orders for every node, in the clear: what a blinded path is made of.
public struct BlindedRoute: Sendable {
    /// One node, by its real id, and the orders for it.
    public struct Node: Sendable {
        /// The real id.
        public let nodeID: PublicKey
        /// The orders.
        public var data: RecipientData

        /// A node and the orders for it.
        public init(nodeID: PublicKey, data: RecipientData) {
            self.nodeID = nodeID
            self.data = data
        }
    }

    /// From the introduction node to the recipient.
    public var nodes: [Node]

    /// A route over these nodes.
    public init(_ nodes: [Node]) {
        self.nodes = nodes
    }

    /// Blinds the route.
    ///
    /// - `secret`: fresh and random, e₀ of BOLT 4; with it everybody could unblind the path.
    /// - `introduction`: how to name the first node, when not by its id.
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

    /// The path key with which the recipient will be reached when the route is blinded with `secret`: what he needs, beside
    /// his own key, for signing under his blinded id (`HopSecret.blindedKey`) without a message having come in.
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
        let plaintext: [UInt8]
        do {
            plaintext = try data.encoded()
        } catch {
            throw .invalidRecipientData
        }
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
