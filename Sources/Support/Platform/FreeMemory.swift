#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Memory that has been freed. glibc keeps most of it once there were many connections or answers at the same time.
package enum FreeMemory {
    /// No header that Swift can import declares it, and only glibc has it.
    private static let trim = dlsym(nil, "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (_ padding: Int) -> Int32).self)
    }

    /// Gives it back to the system, which takes some milliseconds where there is much.
    package static func giveBack() {
        _ = trim?(0)
    }
}
