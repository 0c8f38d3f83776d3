#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is no secret: a certificate.
public struct SharedFile: Hashable, Sendable {
    /// Where it lies.
    public let path: String

    /// Names a file, which may not exist yet.
    public init(path: String) {
        self.path = path
    }

    /// Reads the file, whoever else may.
    ///
    /// - Parameter limit: how many bytes it may have at the most.
    public func contents(limit: Int) throws(PrivateFileFault) -> [UInt8] {
        try PrivateFile.contents(of: path, limit: limit, isSecret: false)
    }
}
