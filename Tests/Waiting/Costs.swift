#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How many times the processor time of one piece of work another takes.
///
/// The time of this thread alone counts, and of several rounds the least of each, so that other work on the machine changes
/// nothing.
package func costs(of work: () throws -> Void, comparedWith other: () throws -> Void) rethrows -> Double {
    var least = (work: UInt64.max, other: UInt64.max)
    for _ in 0..<9 {
        least.other = min(least.other, try processorTime(of: other))
        least.work = min(least.work, try processorTime(of: work))
    }
    return Double(least.work) / Double(max(least.other, 1))
}

/// Nanoseconds that this thread spends on some work.
private func processorTime(of work: () throws -> Void) rethrows -> UInt64 {
    let start = threadTime()
    try work()
    return threadTime() - start
}

private func threadTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Texts that cost most when they are compared by canonical equivalence, beside plain ones of the same size.
package enum CostlyText {
    /// `x` with combining marks of two classes in the wrong order: `bytes` bytes of UTF-8, a multiple of 4 and one more.
    package static func marks(_ bytes: Int) -> String {
        let count = (bytes - 1) / 4
        return "x" + String(repeating: "\u{301}", count: count) + String(repeating: "\u{316}", count: count)
    }

    /// As many bytes that cost nothing.
    package static func plain(_ bytes: Int) -> String { String(repeating: "x", count: 4 * ((bytes - 1) / 4) + 1) }
}
