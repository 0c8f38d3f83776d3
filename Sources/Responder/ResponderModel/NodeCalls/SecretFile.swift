import LightningCoding
package import LightningCrypto
import Platform

/// A file with a node's credentials that only its owner may open.
package struct SecretFile: Hashable, Sendable {
    package let path: String
    /// Its contents, for faults: `macaroon`.
    private let name: String

    package init(_ name: String, path: String) {
        self.name = name
        self.path = path
    }

    /// Its bytes, at most 64 KiB.
    ///
    /// - Throws: `BackendFault.refused`, which says what to do about it.
    package func bytes() throws(BackendFault) -> SecretBytes {
        let bytes = try rethrowing(PrivateFile(path: path).contents(limit: 64 << 10)) { (fault: PrivateFileFault) in
            BackendFault.refused("the \(name) file \(path): \(fault.reason)")
        }
        return SecretBytes(bytes)
    }

    package func text() throws(BackendFault) -> SecretBytes {
        let text = try bytes().copiedBytes.trimmed
        guard !text.isEmpty else { throw .refused("the \(name) file \(path) is empty") }
        return SecretBytes(text)
    }
}
