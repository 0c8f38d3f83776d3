#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is not secret: a certificate.
public struct SharedFile: Hashable, Sendable {
    /// Its path.
    public let path: String

    /// Names a file, which may not exist yet.
    public init(path: String) {
        self.path = path
    }

    /// Reads the file, whatever its permissions.
    ///
    /// - Parameter limit: its maximum length, in bytes.
    public func contents(limit: Int) throws(PrivateFileFault) -> [UInt8] {
        try PrivateFile.contents(of: path, limit: limit, isSecret: false)
    }
}
