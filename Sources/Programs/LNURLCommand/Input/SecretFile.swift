import Devices
import LightningCoding
import LightningCrypto
import Platform

/// A secret in a file readable by its owner only. With a payer's key the payer can later prove the payment.
struct SecretFile<Secret> {
    let secret: Secret
    private let file: PrivateFile
    /// What the file is to hold, which does not exist yet; nil for one that exists.
    private let newLine: String?

    var isNew: Bool { newLine != nil }

    func existing() throws(ToolFault) -> Secret {
        guard !isNew else { throw .unreadable(file.path) }
        return secret
    }

    /// Creates the file for a new secret, with mode 0600.
    func keep() throws(ToolFault) {
        guard let newLine else { return }
        try rethrowing(file.create(Array((newLine + "\n").utf8)), as: ToolFault.unwritable(file.path))
    }
}

extension SecretFile<SecretKey> {
    /// Reads a key, or draws one when there is no file yet.
    init(keyIn path: String) throws(ToolFault) {
        file = PrivateFile(path: path)
        if file.exists {
            let digits = try file.secret(limit: 100, orTooLong: .payerKey)
                .filter { !Character(Unicode.Scalar($0)).isWhitespace }
            secret = try rethrowing(
                SecretKey(Hexadecimal.decode(String(decoding: digits, as: UTF8.self))), as: ToolFault.payerKey)
            newLine = nil
        } else {
            secret = try .fresh()
            newLine = secret.withBytes { Hexadecimal.encode($0) }
        }
    }
}

extension SecretFile<DeviceSecret> {
    init(deviceSecretIn path: String) throws(ToolFault) {
        file = PrivateFile(path: path)
        if file.exists {
            let text = String(decoding: try file.secret(limit: 100), as: UTF8.self).trimmedLine
            guard let found = DeviceSecret(text) else { throw .deviceSecret }
            secret = found
            newLine = nil
        } else {
            secret = try rethrowing(DeviceSecret(random: SystemRandom.bytes), as: ToolFault.noRandomness)
            newLine = secret.disclosed
        }
    }
}

extension SecretKey {
    static func fresh() throws(ToolFault) -> SecretKey {
        try rethrowing(SecretKey.random(), as: ToolFault.noRandomness)
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
}
