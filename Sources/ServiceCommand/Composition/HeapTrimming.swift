import Platform
import ServiceLifecycle

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Gives memory that is free back to the system. glibc's `free` does so only at the end of the heap, where a few objects
/// that outlive a burst of requests keep all of it.
struct HeapTrimming: Service {
    /// Long enough for the work to cost nothing: 1 ms at 50 MB, some 20 ms at 250 MB.
    static let interval = Duration.seconds(5)

    var clock: MonotonicClock = .system
    var trim: @Sendable () -> Void = HeapTrimming.trimOnce

    func run() async throws {
        // Trimming a large heap blocks for longer than the shared threads should.
        let executor = BlockingExecutor(label: "heap.trimming")
        await cancelWhenGracefulShutdown {
            while (try? await clock.sleep(clock.now() + Self.interval)) != nil {
                executor.perform(trim)
            }
        }
    }

    /// Trims the heap once.
    @Sendable static func trimOnce() { _ = trimming?(0) }

    // Swift's module of glibc lacks the header of this function; other C libraries have no such function.
    private static let trimming = dlsym(nil, "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (_ kept: Int) -> Int32).self)
    }
}
