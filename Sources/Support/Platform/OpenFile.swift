#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An open file, closed when it goes out of scope.
package struct OpenFile: ~Copyable {
    private let number: Int32

    init(_ number: Int32) throws(PrivateFileFault) {
        self.number = number
        guard number >= 0 else { throw PrivateFileFault(errno: errno) }
    }

    /// - Parameter isRegular: whether everything but a file is refused, instead of waiting for whoever writes to a pipe.
    package init(reading path: String, isRegular: Bool = false) throws(PrivateFileFault) {
        number = open(path, O_RDONLY | O_CLOEXEC | (isRegular ? O_NONBLOCK : 0))
        guard number >= 0 else { throw PrivateFileFault(errno: errno) }
        if isRegular, try facts().st_mode & S_IFMT != S_IFREG { throw .notAFile }
    }

    /// Creates a new file, readable by its owner only.
    package init(making path: String) throws(PrivateFileFault) {
        try self.init(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    }

    /// Empties a file or creates one, readable by everyone.
    package init(overwriting path: String) throws(PrivateFileFault) {
        try self.init(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644))
    }

    /// Standard input, which itself stays open.
    package static func standardInput() throws(PrivateFileFault) -> OpenFile {
        try OpenFile(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3))
    }

    deinit {
        if number >= 0 { close(number) }
    }

    func facts() throws(PrivateFileFault) -> stat {
        var facts = stat()
        guard fstat(number, &facts) == 0 else { throw .system(errno: errno) }
        return facts
    }

    /// The whole rest; throws `tooLong` when it has more than that many bytes.
    package func contents(limit: Int) throws(PrivateFileFault) -> [UInt8] {
        let bytes = try read(limit + 1)
        guard bytes.count <= limit else { throw .tooLong }
        return bytes
    }

    /// Up to this many bytes; fewer only at the end.
    package func read(_ count: Int) throws(PrivateFileFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(count, 64 << 10))
        while bytes.count < count {
            let wanted = min(chunk.count, count - bytes.count)
            let found = chunk.withUnsafeMutableBytes { systemRead(number, $0.baseAddress, wanted) }
            if found < 0, errno == EINTR { continue }
            // Whoever started this program may read the same pipe without waiting.
            if found < 0, errno == EAGAIN {
                var readable = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
                poll(&readable, 1, -1)
                continue
            }
            guard found >= 0 else { throw .system(errno: errno) }
            guard found > 0 else { break }
            bytes += chunk[..<found]
        }
        return bytes
    }

    package func write(_ bytes: [UInt8]) throws(PrivateFileFault) { try Self.write(bytes, to: number) }

    fileprivate static func write(_ bytes: [UInt8], to number: Int32) throws(PrivateFileFault) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { systemWrite(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(errno: errno) }
            written += count
        }
    }

    /// Returns once the data is on disk.
    package func synchronize() throws(PrivateFileFault) {
        guard fsync(number) == 0 else { throw .system(errno: errno) }
    }
}

// Renamed, since the type has methods of the same names.

private func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(number, buffer, count)
}

private func systemWrite(_ number: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(number, buffer, count)
}

/// Standard output and standard error, unbuffered, so that lines of several threads do not mix.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes a text; false when that failed, such as on a full disk.
    @discardableResult
    package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    package func write(_ bytes: [UInt8]) -> Bool { (try? OpenFile.write(bytes, to: rawValue)) != nil }
}
