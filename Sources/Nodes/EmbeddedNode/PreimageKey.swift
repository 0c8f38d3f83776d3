import LightningCoding
import LightningCrypto
import Platform

/// Derives the preimage of an invoice from its payment secret, so that the node can honor an invoice of which it has
/// lost the record.
struct PreimageKey: Sendable {
    private let key: HMACSHA256.Keyed

    init(of nodeKey: SecretKey) {
        let tag = Array("embedded node: preimages".utf8)
        key = HMACSHA256.Keyed(nodeKey.withBytes { HMACSHA256.deriveSecret(from: tag, key: $0) })
    }

    func preimage(for secret: PaymentSecret) throws(CryptoFault) -> Preimage {
        try Preimage(key.deriveSecret(from: secret.secret))
    }
}

/// The node's signing key, kept in a file of its own.
enum NodeKey {
    /// Reads the key, or creates a missing one if allowed. Processes that start at once get the same key.
    static func load(
        from path: String,
        orMaking makes: Bool,
        random: RandomSource
    ) throws(EmbeddedFault) -> SecretKey {
        let file = PrivateFile(path: path)
        do {
            return try read(file)
        } catch .keyFile(.notFound) where makes {
            try make(file, random: random)
            return try read(file)
        }
    }

    private static func read(_ file: PrivateFile) throws(EmbeddedFault) -> SecretKey {
        let contents: [UInt8]
        do {
            contents = try file.contents(limit: 65)
        } catch .tooLong {
            throw .malformedKey
        } catch {
            throw .keyFile(error)
        }
        let digits = contents.last == UInt8(ascii: "\n") ? contents.dropLast() : contents[...]
        guard
            let bytes = try? Hexadecimal.decode(String(decoding: digits, as: UTF8.self)),
            let key = try? SecretKey(bytes)
        else { throw .malformedKey }
        return key
    }

    private static func make(_ file: PrivateFile, random: RandomSource) throws(EmbeddedFault) {
        guard let key = try? SecretKey(random: random) else { throw .noRandomness }
        let text = key.withBytes { Hexadecimal.encode($0) } + "\n"
        do {
            try PrivateFolder(containing: file.path).create()
            try file.create(text.utf8)
        } catch .exists {
            return  // another process was quicker, and its key is the node's
        } catch {
            throw .keyFile(error)
        }
    }
}
