import Dispatch

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program that reads and writes lines: a child process with its standard input and output on one socket.
///
/// A socket instead of two pipes, so that writing to an ended program is an error and raises no signal. It is closed
/// with the last reference to the child, so that nobody can write to or stop another socket with the same number.
package final class LineProgram: Sendable {
    private let socket: Int32
    private let process: pid_t

    /// How long a program may leave its input unread before it counts as stuck, in seconds.
    private static let timeout = 5
    private static let longestLine = 1 << 20

    /// Starts a program, which is found in `PATH`.
    ///
    /// - Parameter environment: its environment variables; nil for those of this process.
    /// - Throws: the system's error number.
    package init(_ command: [String], environment: [String: String]?) throws(StartFault) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Self.stream, 0, &ends) == 0 else { throw StartFault(number: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var timeout = timeval(tv_sec: Self.timeout, tv_usec: 0)
        setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        defer { _ = systemClose(ends[1]) }
        do throws(StartFault) {
            process = try Self.spawn(command, environment, on: ends[1])
        } catch {
            _ = systemClose(ends[0])
            throw error
        }
        socket = ends[0]
    }

    deinit {
        _ = systemClose(socket)
    }

    /// Why a program was not started: the system's error number.
    package struct StartFault: Error, Hashable {
        package let number: Int32
    }

    /// Sends bytes; false when the program has ended or does not read. Blocks.
    package func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemSend(socket, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads lines until the program ends, or writes one that has no end; then terminates it. Of a line that is too long,
    /// one byte more than the longest may have is taken, as soon as it is there, and the rest is passed over. Blocks.
    package func readLines(_ take: ([UInt8]) -> Void) {
        var line: [UInt8] = []
        var passedOver = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while passedOver < 64 * Self.longestLine {
            let count = buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            // A fast way past what is not taken.
            if line.count > Self.longestLine, memchr(buffer, 10, count) == nil {
                passedOver += count
                continue
            }
            passedOver = 0
            for byte in buffer.prefix(count) {
                if byte == UInt8(ascii: "\n") {
                    if line.count <= Self.longestLine { take(line) }
                    line = []
                } else if line.count <= Self.longestLine {
                    line.append(byte)
                    if line.count > Self.longestLine { take(line) }
                }
            }
        }
        terminate()
    }

    /// Closes the program's input and ends its output, so that readers finish.
    package func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Waits for the program to exit, then terminates it, then kills it.
    private func terminate() {
        stop()
        for signal in [0, SIGTERM, SIGKILL] {
            if signal != 0 { kill(process, signal) }
            for _ in 0..<50 {
                var status: Int32 = 0
                let result = waitpid(process, &status, WNOHANG)
                if result == process || (result < 0 && errno != EINTR) { return }
                usleep(10_000)
            }
        }
    }

    private static func spawn(
        _ command: [String],
        _ environment: [String: String]?,
        on end: Int32
    ) throws(StartFault) -> pid_t {
        guard let program = command.first else { throw StartFault(number: ENOENT) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, end, 0)
        posix_spawn_file_actions_adddup2(&actions, end, 1)
        keepDescriptors()
        // Not the signals that this thread blocks, and the process ignores: it must be possible to end the program.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments = command.map { strdup($0) } + [nil]
        var variables = (environment ?? [:]).map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var process: pid_t = 0
        let number =
            environment == nil
            ? posix_spawnp(&process, program, &actions, &attributes, &arguments, environ)
            : posix_spawnp(&process, program, &actions, &attributes, &arguments, &variables)
        guard number == 0 else { throw StartFault(number: number) }
        return process
    }

    /// Keeps a program that is started from inheriting our listeners and connections.
    package static func keepDescriptors() {
        for descriptor in 3..<min(Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))), 65_536) {
            let flags = fcntl(descriptor, F_GETFD)
            if flags >= 0, flags & FD_CLOEXEC == 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
        }
    }

    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif
}

private func systemClose(_ descriptor: Int32) -> Int32 {
    close(descriptor)
}

private func systemSend(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
    send(socket, bytes.baseAddress, bytes.count, 0)
    #else
    send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
}
