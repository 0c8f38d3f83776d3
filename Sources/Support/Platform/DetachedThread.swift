#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A dedicated thread for blocking work, which must not run on Swift's shared threads.
package enum DetachedThread {
    /// Runs the work on a new thread; false when the system cannot create one.
    package static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
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
        // A closed connection must fail its transfer, not end the process.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        work.body()
        return nil
    }
}
