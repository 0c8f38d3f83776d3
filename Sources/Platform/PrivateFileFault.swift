#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Why a private file was not created or read.
public enum PrivateFileFault: Error, Hashable, Sendable {
    /// There is no such file.
    case notFound
    /// A file of that name exists already.
    case exists
    /// Users other than the owner have access: its permission bits, such as 0o644.
    case openToOthers(mode: UInt16)
    /// It is a folder, a device or a pipe.
    case notAFile
    /// It is longer than the limit.
    case tooLong
    /// A system error, by its number.
    case system(errno: Int32)

    /// The text for people, to follow the file's name.
    public var reason: String {
        switch self {
        case .notFound: "no such file"
        case .exists: "the file already exists"
        case .openToOthers(let mode): "it is accessible to others (mode \(String(mode, radix: 8))); it must be 600"
        case .notAFile: "it is not a regular file"
        case .tooLong: "it is too long"
        case .system(let number): String(cString: strerror(number))
        }
    }
}
