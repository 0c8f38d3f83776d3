import LightningCoding
import LightningCrypto
import Platform

/// The payer's key for an invoice request, in a file readable by its owner only: with it the payer can later prove the
/// payment.
struct PayerKey {
    let key: SecretKey
    /// Whether the file does not exist yet.
    let isNew: Bool
    private let file: PrivateFile

    /// Reads the key from the file, or generates one when there is no file yet.
    init(in path: String) throws(ToolFault) {
        file = PrivateFile(path: path)
        isNew = !file.exists
        key = isNew ? try Self.fresh() : try Self.key(in: file)
    }

    /// Creates the file for a new key, with mode 0600.
    func keep() throws(ToolFault) {
        guard isNew else { return }
        let digits = key.withBytes { Hexadecimal.encode($0) }
        do throws(PrivateFileFault) {
            try file.create(Array((digits + "\n").utf8))
        } catch {
            throw .unwritable(file.path)
        }
    }

    /// A new random key.
    static func fresh() throws(ToolFault) -> SecretKey {
        do throws(CryptoFault) {
            return try SecretKey.random()
        } catch {
            throw .noRandomness
        }
    }

    private static func key(in file: PrivateFile) throws(ToolFault) -> SecretKey {
        let bytes: [UInt8]
        do throws(PrivateFileFault) {
            bytes = try file.contents(limit: 100)
        } catch .openToOthers {
            throw .openToOthers(file.path)
        } catch .tooLong {
            throw .payerKey
        } catch {
            throw .unreadable(file.path)
        }
        let digits = bytes.filter { !Character(Unicode.Scalar($0)).isWhitespace }
        do {
            return try SecretKey(Hexadecimal.decode(String(decoding: digits, as: UTF8.self)))
        } catch {
            throw .payerKey
        }
    }
}
