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
        try rethrowing(file.create(Array((digits + "\n").utf8)), as: ToolFault.unwritable(file.path))
    }

    static func fresh() throws(ToolFault) -> SecretKey {
        try rethrowing(SecretKey.random(), as: ToolFault.noRandomness)
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
        return try rethrowing(
            SecretKey(Hexadecimal.decode(String(decoding: digits, as: UTF8.self))), as: ToolFault.payerKey)
    }
}
