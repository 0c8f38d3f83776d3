#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Standard output and standard error, unbuffered, so that lines of several threads do not mix.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    package func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite(rawValue, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
