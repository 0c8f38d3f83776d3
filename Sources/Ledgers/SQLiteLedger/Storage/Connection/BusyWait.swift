import CSQLite
import Platform

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How long a connection waits for a lock that another process holds.
///
/// SQLite's own busy handler backs off to a tenth of a second. A service that commits continuously frees the lock only
/// for moments, which such a handler can miss for seconds; so this one retries every millisecond or two.
final class BusyWait {
    private let limit: Duration
    private var start = MonotonicTime.now

    init(limit: Duration) {
        self.limit = limit
    }

    /// Installs it as the busy handler. The connection must not outlive this object.
    func install(on connection: OpaquePointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_busy_handler(
            connection,
            { context, attempts in
                guard let context else { return 0 }
                return Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue().wait(after: attempts) ? 1 : 0
            },
            context
        )
    }

    /// Waits briefly; false when the time is up.
    func wait(after attempts: Int32) -> Bool {
        if attempts == 0 { start = .now }
        guard MonotonicTime.now - start < limit else { return false }
        usleep(attempts < 8 ? 250 : 1500)
        return true
    }
}
