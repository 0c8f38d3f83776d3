import ServiceSetup

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Lets a command that is told to end take back what it has made: a part of a backup is a folder full of keys.
enum Interruption {
    /// Written by the signal's handler and read by the command, which is all that a handler may do.
    nonisolated(unsafe) private static var isWanted: sig_atomic_t = 0
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// From now on the process is not ended by these signals.
    static func hold() {
        for number in signals { signal(number) { _ in Interruption.isWanted = 1 } }
    }

    /// Lets the signals end the process again.
    static func release() {
        for number in signals { signal(number, SIG_DFL) }
    }

    /// Ends the work if one of the signals came.
    static func check() throws(CommandFailure) {
        guard isWanted == 0 else { throw CommandFailure(.unavailable, "interrupted; nothing was made") }
    }
}
