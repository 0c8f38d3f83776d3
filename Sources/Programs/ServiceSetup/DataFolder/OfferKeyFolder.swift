package import Bolt12
import LightningCoding
package import LightningCrypto
package import Platform
package import ResponderCore

/// The issuer keys of imported offers: a file for each, named after the offer id.
package struct OfferKeyFolder: Sendable {
    package let path: String

    package static let name = "offer-keys"
    private static let fileExtension = ".key"

    /// The files, by id; none before the first import.
    package func files() throws(CommandFailure) -> [(id: OfferID, file: PrivateFile)] {
        let names: [String]
        do {
            names = try PrivateFolder(path: path).names()
        } catch {
            guard error == .notFound else { throw CommandFailure(error, at: path) }
            return []
        }
        return names.compactMap { name in
            guard name.hasSuffix(Self.fileExtension),
                let bytes = try? Hexadecimal.decode(name.dropLast(Self.fileExtension.count)), let id = OfferID(bytes)
            else { return nil }
            return (id, file(of: id))
        }
    }

    /// Reads the keys not read before.
    package func read(into keys: ImportedKeys) throws(CommandFailure) {
        for (id, file) in try files() where keys[id] == nil {
            keys.add(try SecretKeyText.key(in: file), for: id)
        }
    }

    /// - Throws: when the key belongs to another offer; nothing is stored then.
    package func keep(_ key: SecretKey, of offer: Offer) throws(CommandFailure) {
        guard key.publicKey == offer.issuerID else { throw CommandFailure(OfferRefusal.wrongKey) }
        let file = file(of: offer.id)
        do {
            try PrivateFolder(path: path).create()
            try file.create(SecretKeyText.bytes(of: key))
        } catch {
            // A key already stored under this id was verified to be this offer's.
            guard error == .exists else { throw CommandFailure(error, at: file.path) }
        }
    }

    func path(of id: OfferID) -> String { path + "/" + id.hexadecimal + Self.fileExtension }

    private func file(of id: OfferID) -> PrivateFile { PrivateFile(path: path(of: id)) }
}

/// A secret key in a file: 64 hexadecimal digits and a newline.
package enum SecretKeyText {
    package static let maximumCount = 65

    package static func bytes(of key: SecretKey) -> [UInt8] {
        Array((key.withBytes { Hexadecimal.encode($0) } + "\n").utf8)
    }

    package static func key(in contents: [UInt8], of file: PrivateFile) throws(CommandFailure) -> SecretKey {
        let digits = contents.last == UInt8(ascii: "\n") ? contents.dropLast() : contents[...]
        guard let bytes = try? Hexadecimal.decode(String(decoding: digits, as: UTF8.self)),
            let key = try? SecretKey(bytes)
        else { throw CommandFailure(.data, "\(file.path): not 64 hexadecimal digits of a key") }
        return key
    }

    /// The key in an existing file that only its owner may open.
    package static func key(in file: PrivateFile) throws(CommandFailure) -> SecretKey {
        let contents = try rethrowing(file.contents(limit: maximumCount)) { CommandFailure($0, at: file.path) }
        return try key(in: contents, of: file)
    }
}
