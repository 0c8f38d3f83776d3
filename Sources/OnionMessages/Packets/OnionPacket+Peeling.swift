import LightningCoding
public import LightningCrypto

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
