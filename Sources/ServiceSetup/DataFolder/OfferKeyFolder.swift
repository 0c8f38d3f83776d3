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

    /// Stores the issuer key of an offer.
    ///
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

    private func file(of id: OfferID) -> PrivateFile {
        PrivateFile(path: path + "/" + id.hexadecimal + Self.fileExtension)
    }
}
