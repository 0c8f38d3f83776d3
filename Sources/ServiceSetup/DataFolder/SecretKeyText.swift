import LightningCoding
package import LightningCrypto
package import Platform

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
