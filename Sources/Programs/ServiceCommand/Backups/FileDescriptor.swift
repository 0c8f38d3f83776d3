import ServiceSetup
import Platform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An open file, closed when it goes out of scope.
struct FileDescriptor: ~Copyable {
    private let number: Int32
    private let path: String

    init(reading path: String) throws(CommandFailure) {
        // Non-blocking: opening a pipe would block forever.
        number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        self.path = path
        guard number >= 0 else { throw CommandFailure(errno: errno, at: path) }
        var facts = stat()
        guard fstat(number, &facts) == 0 else { throw CommandFailure(errno: errno, at: path) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw CommandFailure(PrivateFileFault.notAFile, at: path) }
    }

    /// Creates a new file, readable by its owner only.
    init(making path: String) throws(CommandFailure) {
        number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        self.path = path
        guard number >= 0 else { throw CommandFailure(errno: errno, at: path) }
    }

    deinit {
        if number >= 0 { close(number) }
    }

    /// Up to this many bytes; fewer only at the end.
    func read(_ count: Int) throws(CommandFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let found = bytes[filled...].withUnsafeMutableBytes { systemRead(number, $0.baseAddress, $0.count) }
            if found < 0, errno == EINTR { continue }
            guard found >= 0 else { throw CommandFailure(errno: errno, at: path) }
            guard found > 0 else { break }
            filled += found
        }
        return Array(bytes[..<filled])
    }

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { systemWrite(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw CommandFailure(errno: errno, at: path) }
            written += count
        }
    }

    /// Returns once the data is on disk.
    func synchronize() throws(CommandFailure) {
        guard fsync(number) == 0 else { throw CommandFailure(errno: errno, at: path) }
    }
}

extension CommandFailure {
    init(errno number: Int32, at path: String) {
        let fault: PrivateFileFault =
            switch number {
            case ENOENT: .notFound
            case EEXIST, ENOTEMPTY: .exists
            default: .system(errno: number)
            }
        self.init(fault, at: path)
    }
}
