import Platform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A program run to its end, with files for its three streams.
///
/// Not Foundation's `Process`: on Linux it copies directory entries beyond the end of their buffer when it looks for open
/// files, which ends a test run in a segmentation fault once in a while.
package enum ChildProcess {
    /// The program could not be started: the number of the system's error.
    package struct StartFault: Error {
        /// The number, as in `errno`.
        package let number: Int32
    }

    /// Runs a program, with nothing of this process's environment but the options of a sanitizer.
    ///
    /// - Returns: its exit status, or 128 and the signal that ended it.
    package static func run(
        _ program: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String,
        output: String,
        errors: String
    ) async throws -> Int32 {
        let process = try start(
            [program] + arguments,
            environment.map { "\($0.key)=\($0.value)" },
            [(0, input, O_RDONLY), (1, output, O_WRONLY), (2, errors, O_WRONLY)]
        )
        return await withCheckedContinuation { continuation in
            // Swift's own tasks run on the threads of the global queue, of which there are as many as processors.
            let isStarted = DetachedThread.start { continuation.resume(returning: end(of: process)) }
            if !isStarted { continuation.resume(returning: end(of: process)) }
        }
    }

    /// Waits until a process has ended. Blocks.
    private static func end(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    static func start(
        _ words: [String],
        _ environment: [String],
        _ streams: [(descriptor: Int32, path: String, flags: Int32)]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // A connection of another test does not end while a program that has inherited it still runs.
        LineProgram.keepDescriptors()
        for stream in streams {
            posix_spawn_file_actions_addopen(&actions, stream.descriptor, stream.path, stream.flags, 0)
        }
        var arguments = words.map { strdup($0) } + [nil]
        let options = ["ASAN_OPTIONS", "TSAN_OPTIONS"].compactMap { (name: String) in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        var variables = (environment + options).map { strdup($0) } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var process: pid_t = 0
        let number = posix_spawn(&process, words[0], &actions, nil, &arguments, &variables)
        guard number == 0 else { throw StartFault(number: number) }
        return process
    }
}
