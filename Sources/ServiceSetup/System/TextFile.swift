#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Why a file could not be read.
package enum FileFault: Error, Hashable, Sendable {
    /// There is no such file.
    case notFound
    /// It is longer than allowed.
    case tooLong
    /// Another system error: its number.
    case system(errno: Int32)

    /// The message for people.
    package var reason: String {
        switch self {
        case .notFound: "no such file"
        case .tooLong: "the file is too long"
        case .system(let number): String(cString: strerror(number))
        }
    }
}

/// A file that need not be private, such as the configuration.
package enum TextFile {
    /// The bytes of a file.
    package static func read(_ path: String, limit: Int) throws(FileFault) -> [UInt8] {
        guard let file = fopen(path, "rbe") else { throw errno == ENOENT ? .notFound : .system(errno: errno) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else { throw .system(errno: errno) }
        guard count <= limit else { throw .tooLong }
        return Array(bytes[..<count])
    }
}
