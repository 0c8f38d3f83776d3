#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A thread of its own for work that blocks, which Swift's shared threads must not.
public enum DetachedThread {
    /// Runs the work on a new thread; false when the system has none to give.
    public static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let context = Unmanaged.passRetained(Work(work)).toOpaque()
        guard pthread_create(&thread, nil, { DetachedThread.run($0) }, context) == 0 else {
            Unmanaged<Work>.fromOpaque(context).release()
            return false
        }
        return true
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
        pthread_detach(pthread_self())
        // A peer that is gone is a fault of its transfer, not the end of the process.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        work.body()
        return nil
    }
}
