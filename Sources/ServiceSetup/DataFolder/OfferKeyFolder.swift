package import Bolt12
import LightningCoding
package import LightningCrypto
package import Platform
package import ResponderCore

/// The issuer keys of offers that were made elsewhere: a file for each, named after the offer's id.
package struct OfferKeyFolder: Sendable {
    package let path: String

    package static let name = "offer-keys"
    private static let fileExtension = ".key"

    /// The files, by id; none when nothing was imported yet.
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

    /// Reads the keys that are not among those read before.
    package func read(into keys: ImportedKeys) throws(CommandFailure) {
        for (id, file) in try files() where keys[id] == nil {
            keys.add(try SecretKeyText.key(in: file), for: id)
        }
    }

    /// Keeps the issuer key of an offer.
    ///
    /// - Throws: when the key is another offer's; nothing is kept then.
    package func keep(_ key: SecretKey, of offer: Offer) throws(CommandFailure) {
        guard key.publicKey == offer.issuerID else { throw CommandFailure(OfferRefusal.wrongKey) }
        let file = file(of: offer.id)
        do {
            try PrivateFolder(path: path).create()
            try file.create(SecretKeyText.bytes(of: key))
        } catch {
            // What is kept under this id was found to be this offer's key.
            guard error == .exists else { throw CommandFailure(error, at: file.path) }
        }
    }

    private func file(of id: OfferID) -> PrivateFile {
        PrivateFile(path: path + "/" + id.hexadecimal + Self.fileExtension)
    }
}
