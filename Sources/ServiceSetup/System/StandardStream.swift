#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Standard output and standard error, unbuffered, so that lines of several threads do not mix.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes a text; false when that failed, such as on a full disk.
    @discardableResult
    package func write(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite(rawValue, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }
}
