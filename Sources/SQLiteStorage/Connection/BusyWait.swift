import CSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How long a connection waits for a lock that another process holds.
///
/// SQLite's own waiting grows to a tenth of a second between two attempts. A service that commits without a pause leaves the
/// lock free for moments only, which such a rare caller misses for seconds; so this one asks every millisecond or two.
final class BusyWait {
    private let limit: Duration
    private var start = ContinuousClock.now

    init(limit: Duration) {
        self.limit = limit
    }

    /// Makes a connection wait so. The connection must not outlive this object.
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

    /// Waits a little; false when the time is up.
    func wait(after attempts: Int32) -> Bool {
        if attempts == 0 { start = .now }
        guard start.duration(to: .now) < limit else { return false }
        usleep(attempts < 8 ? 250 : 1500)
        return true
    }
}
