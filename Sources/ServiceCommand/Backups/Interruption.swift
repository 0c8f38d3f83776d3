import ServiceSetup

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Lets an interrupted command clean up: a partial backup is a folder full of keys.
enum Interruption {
    /// Set by the signal handler and read by the command; a handler may do no more.
    nonisolated(unsafe) private static var isWanted: sig_atomic_t = 0
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// From now on these signals do not terminate the process.
    static func hold() {
        for number in signals { signal(number) { _ in Interruption.isWanted = 1 } }
    }

    /// Lets the signals terminate the process again.
    static func release() {
        for number in signals { signal(number, SIG_DFL) }
    }

    /// Throws if one of the signals arrived.
    static func check() throws(CommandFailure) {
        guard isWanted == 0 else { throw CommandFailure(.unavailable, "interrupted; nothing was made") }
    }
}
