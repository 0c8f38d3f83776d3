import LightningCoding
public import LightningCrypto

/// The packet that nodes forward to each other, one layer less at each (BOLT 4, `onion_message_packet`).
public struct OnionPacket: Hashable, Sendable {
    /// The lengths of `payloads` that BOLT 4 recommends, in bytes. Any other could reveal a message's origin.
    public enum Size: Int, CaseIterable, Sendable {
        /// For whatever fits.
        case small = 1300
        /// For the rest.
        case large = 32768
    }

    /// The length of the HMAC in bytes.
    public static let codeCount = 32

    private static let version: UInt8 = 0
    private static let pointCount = 33
    /// A 2-byte payload with its length, and the next HMAC.
    private static let leastPayloadCount = 3 + codeCount

    /// The sender's ephemeral key for the receiving node.
    public let publicKey: PublicKey
    /// The encrypted payloads: at least 35 bytes.
    public let payloads: [UInt8]
    /// Authenticates `payloads`: 32 bytes.
    public let authenticationCode: [UInt8]

    init(publicKey: PublicKey, payloads: [UInt8], authenticationCode: [UInt8]) {
        self.publicKey = publicKey
        self.payloads = payloads
        self.authenticationCode = authenticationCode
    }

    /// Parses exactly one packet. Throws `tooShort`, `unknownVersion` or `invalidPublicKey`.
    public init(_ bytes: ArraySlice<UInt8>) throws(OnionFault) {
        guard bytes.count >= 1 + Self.pointCount + Self.leastPayloadCount + Self.codeCount else { throw .tooShort }
        guard let version = bytes.first, version == Self.version else {
            throw .unknownVersion(bytes.first ?? Self.version)
        }
        let rest = bytes.dropFirst()
        publicKey = try rethrowing(PublicKey(rest.prefix(Self.pointCount)), as: OnionFault.invalidPublicKey)
        payloads = Array(rest.dropFirst(Self.pointCount).dropLast(Self.codeCount))
        authenticationCode = Array(rest.suffix(Self.codeCount))
    }

    /// The packet in wire format: `payloads` and 66 bytes.
    public var bytes: [UInt8] {
        var writer = ByteWriter(capacity: byteCount)
        write(to: &writer)
        return writer.bytes
    }

    var byteCount: Int { 1 + Self.pointCount + payloads.count + Self.codeCount }

    func write(to writer: inout ByteWriter) {
        writer.write(Self.version)
        writer.write(publicKey.bytes)
        writer.write(payloads)
        writer.write(authenticationCode)
    }
}

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

extension OnionPacket {
    /// The content of a node's layer.
    public struct Peeled: Hashable, Sendable {
        /// The TLV stream for this node.
        public let payload: [UInt8]
        /// The packet for the next node; nil when there is none.
        public let next: OnionPacket?
    }

    /// Peels one layer (BOLT 4, "Onion Decryption", without associated data). The HMAC is checked before anything is
    /// decrypted.
    ///
    /// `blindedKey`: that of the id by which the sender addresses the node.
    ///
    /// Throws `badAuthenticationCode`, `payloadOutOfBounds` or `unusableKey`.
    public func peeled(by blindedKey: SecretKey) throws(OnionFault) -> Peeled {
        do {
            let secret = try LayerSecret(publicKey: publicKey, blindedKey: blindedKey)
            guard secret.isCode(authenticationCode, of: payloads) else { throw OnionFault.badAuthenticationCode }
            return try peeled(by: secret)
        } catch let fault as OnionFault {
            throw fault
        } catch {
            throw .unusableKey
        }
    }

    private func peeled(by secret: LayerSecret) throws -> Peeled {
        let clear = try secret.crypt(payloads)
        var reader = ByteReader(clear)
        let (payload, code) = try Self.first(from: &reader)
        // Only an all-zero HMAC marks the end.
        guard code.contains(where: { $0 != 0 }) else { return Peeled(payload: Array(payload), next: nil) }
        let consumed = reader.offset
        let rest = reader.readRemaining() + (try secret.stream(from: clear.count, count: consumed))
        let next = OnionPacket(
            publicKey: try secret.nextPublicKey(), payloads: Array(rest), authenticationCode: Array(code))
        return Peeled(payload: Array(payload), next: next)
    }

    private static func first(
        from reader: inout ByteReader
    ) throws(OnionFault) -> (payload: ArraySlice<UInt8>, code: ArraySlice<UInt8>) {
        do {
            let length = try reader.readBigSize()
            guard length >= 2, let count = Int(exactly: length) else { throw OnionFault.payloadOutOfBounds }
            return (try reader.read(count), try reader.read(codeCount))
        } catch {
            throw .payloadOutOfBounds
        }
    }
}
