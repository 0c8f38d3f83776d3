import Platform

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension Database {
    /// Listens on a channel, over a connection and a thread of its own, until the result is released.
    ///
    /// What it tells is a hint: while the connection is lost nothing is heard, so it also tells of each new connection.
    ///
    /// - Parameter told: called on that thread; must return at once.
    package func listen(to channel: String, _ told: @escaping @Sendable () -> Void) -> NotificationListener {
        NotificationListener(to: channel, of: server, jitter: jitter, told)
    }
}

/// Hears what is notified on a channel. Ends within a second of its release.
package final class NotificationListener: Sendable {
    private let isEnded: Guarded<Bool>

    fileprivate init(
        to channel: String, of server: ServerSettings, jitter: @escaping @Sendable () -> Double,
        _ told: @escaping @Sendable () -> Void
    ) {
        let isEnded = Guarded(false)
        self.isEnded = isEnded
        _ = DetachedThread.start {
            var delay = ReconnectDelay()
            while !isEnded.withLock({ $0 }) {
                Self.hear(channel, of: server, until: { isEnded.withLock { $0 } }) {
                    delay.reset()
                    told()
                }
                usleep(UInt32(clamping: delay.next(jitter: jitter()).wholeMilliseconds * 1000))
            }
        }
    }

    deinit {
        isEnded.withLock { $0 = true }
    }

    /// Ends when the connection is lost, or when told to.
    private static func hear(
        _ channel: String, of server: ServerSettings, until isEnded: () -> Bool, _ told: () -> Void
    ) {
        guard let connection = try? Connection.open(to: server, statementTimeout: .seconds(5)) else { return }
        do throws(BatchFault) {
            try connection.script("LISTEN \(channel)", until: MonotonicTime.now + .seconds(5))
            told()
            while !isEnded() {
                if try connection.hears(until: MonotonicTime.now + .seconds(1)) { told() }
            }
        } catch {
            // Connected anew by the caller.
        }
    }
}
