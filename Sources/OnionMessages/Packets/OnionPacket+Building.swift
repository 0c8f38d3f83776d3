import LightningCoding
public import LightningCrypto

extension OnionPacket {
    /// One node of a packet's route: its blinded id and its payload.
    public struct Layer: Sendable {
        /// The blinded id.
        public let blindedNodeID: PublicKey
        /// The TLV stream: at least 2 bytes, since shorter ones have another meaning in payments.
        public let payload: [UInt8]

        /// Creates a layer.
        public init(blindedNodeID: PublicKey, payload: [UInt8]) {
            self.blindedNodeID = blindedNodeID
            self.payload = payload
        }
    }

    /// Encrypts the layers, the last one first (BOLT 4, "Packet Construction", without associated data).
    ///
    /// - `size`: nil for the smallest that fits.
    /// - `sessionKey`: fresh and random; anyone who knows it can decrypt the packet.
    ///
    /// Throws `noLayers`, `payloadTooShort`, `tooLong` or `unusableKey`.
    public init(
        _ layers: [Layer], size: Size? = nil, sessionKey: SecretKey
    ) throws(OnionBuildingFault) {
        guard !layers.isEmpty else { throw .noLayers }
        guard layers.allSatisfy({ $0.payload.count >= 2 }) else { throw .payloadTooShort }
        let framed = layers.map(\.framedPayload)
        let needed = framed.reduce(0) { $0 + $1.count + Self.codeCount }
        guard let size = size ?? Size.allCases.first(where: { needed <= $0.rawValue }), needed <= size.rawValue else {
            throw .tooLong
        }
        do {
            let secrets = try Self.secrets(of: layers, sessionKey)
            let filler = try Self.filler(secrets, framed, size)
            var payloads = try LayerSecret.padding(of: sessionKey, count: size.rawValue)
            var code = [UInt8](repeating: 0, count: Self.codeCount)
            for (index, secret) in secrets.enumerated().reversed() {
                let own = framed[index] + code
                payloads = try secret.crypt(own + payloads.dropLast(own.count))
                if index == secrets.indices.last {
                    payloads.replaceSubrange((payloads.count - filler.count)..., with: filler)
                }
                code = secret.code(of: payloads)
            }
            self.init(publicKey: sessionKey.publicKey, payloads: payloads, authenticationCode: code)
        } catch {
            throw .unusableKey
        }
    }

    private static func secrets(
        of layers: [Layer], _ sessionKey: SecretKey
    ) throws(CryptoFault) -> [LayerSecret] {
        var key = sessionKey
        var secrets: [LayerSecret] = []
        for layer in layers {
            let secret = try LayerSecret(secret: key, blindedNodeID: layer.blindedNodeID)
            secrets.append(secret)
            if secrets.count < layers.count { key = try secret.nextSecret(key) }
        }
        return secrets
    }

    /// The bytes that the nodes on the route will have appended when the last one receives the packet; its HMAC covers
    /// them.
    private static func filler(
        _ secrets: [LayerSecret], _ framed: [[UInt8]], _ size: Size
    ) throws(CryptoFault) -> [UInt8] {
        var filler: [UInt8] = []
        for (secret, payload) in zip(secrets, framed).dropLast() {
            let start = size.rawValue - filler.count
            filler += repeatElement(0, count: payload.count + codeCount)
            let stream = try secret.stream(from: start, count: filler.count)
            filler = zip(filler, stream).map { $0 ^ $1 }
        }
        return filler
    }
}

extension OnionPacket.Layer {
    /// The payload after its length.
    fileprivate var framedPayload: [UInt8] {
        var writer = ByteWriter(capacity: payload.count + 3)
        writer.writeBigSize(UInt64(payload.count))
        writer.write(payload)
        return writer.bytes
    }
}
