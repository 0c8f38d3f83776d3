import LightningCoding
public import BlindedPaths
public import LightningCrypto

extension OnionMessage {
    /// What a node must do with a message.
    public enum Peeled: Equatable, Sendable {
        /// Forward it.
        case forward(OnionMessage, to: NextNode)
        /// It has arrived.
        case received(ReceivedMessage)
    }

    /// How often one message may be addressed to the same node in a row. Paths that hide their length do so up to ten
    /// times.
    public static let maximumOwnHops = 16

    /// Peels one node's layer, and all following ones for the same node, such as those of dummy hops.
    ///
    /// Throws why the message is to be ignored.
    public func peeled(by nodeKey: SecretKey) throws(OnionFault) -> Peeled {
        var message = self
        for _ in 0...Self.maximumOwnHops {
            let peeled = try message.withoutLayer(of: nodeKey)
            guard case .forward(let next, .node(nodeKey.publicKey)) = peeled else { return peeled }
            message = next
        }
        throw .loop
    }

    private func withoutLayer(of nodeKey: SecretKey) throws(OnionFault) -> Peeled {
        let secret: HopSecret
        let blindedKey: SecretKey
        do {
            secret = try HopSecret(pathKey: pathKey, nodeKey: nodeKey)
            blindedKey = try secret.blindedKey(of: nodeKey)
        } catch {
            throw .unusableKey
        }
        let peeled = try packet.peeled(by: blindedKey)
        let payload = try MessagePayload(parsing: peeled.payload)
        guard let next = peeled.next else { return .received(try ReceivedMessage(payload, secret)) }
        return try Self.forwarded(next, payload, secret)
    }

    private static func forwarded(
        _ packet: OnionPacket, _ payload: MessagePayload, _ secret: HopSecret
    ) throws(OnionFault) -> Peeled {
        guard let sealed = payload.encryptedRecipientData else { throw .noRecipientData }
        guard !payload.hasFurtherFields else { throw .furtherFieldsBeforeTheEnd }
        let data = try secret.opened(sealed)
        guard case .forward(let node) = try data.order(isFinal: false) else { throw .order(.noNextNode) }
        let pathKey = try rethrowing(secret.nextPathKey(data), as: OnionFault.unusableKey)
        return .forward(OnionMessage(pathKey: pathKey, packet: packet), to: node)
    }
}

extension HopSecret {
    /// The decrypted data for the node.
    func opened(_ sealed: [UInt8]) throws(OnionFault) -> RecipientData {
        try rethrowing(open(sealed), as: OnionFault.recipientData)
    }
}

extension RecipientData {
    /// What the data means for a message.
    func order(isFinal: Bool) throws(OnionFault) -> MessageInstruction {
        try rethrowing(MessageInstruction(self, isFinal: isFinal), as: OnionFault.order)
    }
}
