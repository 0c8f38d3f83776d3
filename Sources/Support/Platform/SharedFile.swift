#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is not secret: a certificate.
package struct SharedFile: Hashable, Sendable {
    package let path: String

    /// Names a file, which may not exist yet.
    package init(path: String) {
        self.path = path
    }

    /// Reads the file, whatever its permissions.
    ///
    /// - Parameter limit: its maximum length, in bytes.
    package func contents(limit: Int) throws(PrivateFileFault) -> [UInt8] {
        try PrivateFile.contents(of: path, limit: limit, isSecret: false)
    }
}

/// Observers that are notified of facts, on the caller's thread.
package final class Observers<Fact: Sendable>: Sendable {
    private let observers = Guarded<[@Sendable (Fact) -> Void]>([])

    package init() {}

    /// Adds an observer. It must return at once.
    package func add(_ observer: @escaping @Sendable (Fact) -> Void) {
        observers.withLock { $0.append(observer) }
    }

    /// Notifies all observers, in the order in which they were added.
    package func tell(_ fact: Fact) {
        for observer in observers.withLock({ $0 }) { observer(fact) }
    }
}
