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
        try file.create(line: key.withBytes { Hexadecimal.encode($0) })
    }

    static func fresh() throws(ToolFault) -> SecretKey {
        try rethrowing(SecretKey.random(), as: ToolFault.noRandomness)
    }

    private static func key(in file: PrivateFile) throws(ToolFault) -> SecretKey {
        let bytes = try file.secret(limit: 100, orTooLong: .payerKey)
        let digits = bytes.filter { !Character(Unicode.Scalar($0)).isWhitespace }
        return try rethrowing(
            SecretKey(Hexadecimal.decode(String(decoding: digits, as: UTF8.self))), as: ToolFault.payerKey)
    }
}

extension PrivateFile {
    /// What is in the file, which only its owner may open.
    func secret(limit: Int, orTooLong tooLong: ToolFault? = nil) throws(ToolFault) -> [UInt8] {
        try rethrowing(contents(limit: limit)) { (fault: PrivateFileFault) -> ToolFault in
            switch fault {
            case .openToOthers: .openToOthers(path)
            case .tooLong: tooLong ?? .unreadable(path)
            default: .unreadable(path)
            }
        }
    }

    /// Creates the file with mode 0600, and a line in it.
    func create(line: String) throws(ToolFault) {
        try rethrowing(create(Array((line + "\n").utf8)), as: ToolFault.unwritable(path))
    }
}
