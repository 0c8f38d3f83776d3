#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A program that runs as long as this is held, with nothing of this process's environment and no input.
package final class BackgroundProcess: Sendable {
    private let process: pid_t

    /// Starts a program, in a folder of its own if one is named.
    ///
    /// - Parameter output: the file that takes what it writes to either stream; must exist.
    package init(_ program: String, _ arguments: [String], in folder: String? = nil, output: String) throws {
        process = try ChildProcess.start(
            (folder.map { ["/usr/bin/env", "-C", $0] } ?? []) + [program] + arguments,
            [],
            [(0, "/dev/null", O_RDONLY), (1, output, O_WRONLY | O_APPEND), (2, output, O_WRONLY | O_APPEND)]
        )
    }

    deinit {
        // It may have inherited from this thread that it must not hear gentler signals.
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
    }
}
