import LightningCoding
public import LightningCrypto
import Platform
public import Contracts

/// A file with a node's credentials that only its owner may open.
public struct SecretFile: Hashable, Sendable {
    /// Its path.
    public let path: String
    /// Its contents, for faults: `macaroon`.
    private let name: String

    /// Names a file; it is read only when needed.
    public init(_ name: String, path: String) {
        self.name = name
        self.path = path
    }

    /// Its bytes, at most 64 KiB.
    ///
    /// - Throws: `BackendFault.refused`, which says what to do about it.
    public func bytes() throws(BackendFault) -> SecretBytes {
        do {
            return SecretBytes(try PrivateFile(path: path).contents(limit: 64 << 10))
        } catch {
            throw .refused("the \(name) file \(path) " + Self.explanation(error))
        }
    }

    /// Its text, without surrounding white space.
    public func text() throws(BackendFault) -> SecretBytes {
        let text = try bytes().copiedBytes.trimmed
        guard !text.isEmpty else { throw .refused("the \(name) file \(path) is empty") }
        return SecretBytes(text)
    }

    private static func explanation(_ fault: PrivateFileFault) -> String {
        switch fault {
        case .notFound: "is not there"
        case .exists, .notAFile: "is no file"
        case .openToOthers(let mode): "is open to other users (mode \(String(mode, radix: 8))): chmod 600"
        case .tooLong: "is too long"
        case .system(let errno): "cannot be read (errno \(errno))"
        }
    }
}
