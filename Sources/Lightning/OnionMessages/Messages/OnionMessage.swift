public import BlindedPaths
public import LightningCoding
public import LightningCrypto

/// An onion message between two nodes (BOLT 4, `onion_message`).
public struct OnionMessage: Hashable, Sendable {
    /// The path key, from which the receiving node derives the secrets of its layer.
    public let pathKey: PublicKey
    /// The onion.
    public let packet: OnionPacket

    /// Creates a message.
    public init(pathKey: PublicKey, packet: OnionPacket) {
        self.pathKey = pathKey
        self.packet = packet
    }

    /// Parses a message after its type: `path_key`, `len`, packet. Further bytes are an undefined extension, and
    /// ignored. Lengths and version are checked before any point is parsed.
    ///
    /// Throws `tooShort`, `unknownVersion`, `invalidPathKey` or `invalidPublicKey`.
    public init(body: ArraySlice<UInt8>) throws(OnionFault) {
        var reader = ByteReader(body)
        let point: ArraySlice<UInt8>
        let packet: ArraySlice<UInt8>
        do {
            point = try reader.read(33)
            packet = try reader.read(Int(reader.readUInt16()))
        } catch {
            throw .tooShort
        }
        self.packet = try OnionPacket(packet)
        pathKey = try rethrowing(PublicKey(point), as: OnionFault.invalidPathKey)
    }

    /// The message after its type.
    public var body: [UInt8] {
        var writer = ByteWriter(capacity: 35 + packet.byteCount)
        writer.write(pathKey.bytes)
        // A parsed packet had a two-byte length, and a created one has an `OnionPacket.Size`.
        writer.writeUInt16(UInt16(clamping: packet.byteCount))
        packet.write(to: &writer)
        return writer.bytes
    }
}

extension OnionMessage {
    /// A message to the introduction node of `path`, and from there to its end.
    ///
    /// - `content`, `replyPath`, `unknownRecords`: for the last node. An answer must not carry a reply path: some
    ///   payers refuse it (Eclair issue 3322).
    /// - `size`: nil for the smallest that fits.
    /// - `sessionKey`: fresh and random.
    ///
    /// Throws `tooLong`, `invalidRecords` or `unusableKey`.
    public init(
        over path: BlindedPath, content: MessageContent?, replyPath: BlindedPath? = nil,
        unknownRecords: [TLVRecord] = [], size: OnionPacket.Size? = nil, sessionKey: SecretKey
    ) throws(OnionBuildingFault) {
        var layers: [OnionPacket.Layer] = []
        for (index, hop) in path.hops.enumerated() {
            var payload = MessagePayload(encryptedRecipientData: hop.encryptedRecipientData)
            if index == path.hops.count - 1 {
                payload.content = content
                payload.replyPath = replyPath
                payload.unknownRecords = unknownRecords
            }
            let bytes = try rethrowing(payload.encoded(), as: OnionBuildingFault.invalidRecords)
            layers.append(OnionPacket.Layer(blindedNodeID: hop.blindedNodeID, payload: bytes))
        }
        let packet = try OnionPacket(layers, size: size, sessionKey: sessionKey)
        self.init(pathKey: path.firstPathKey, packet: packet)
    }
}

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
