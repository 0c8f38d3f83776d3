import Installing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An open file, closed when it goes out of scope.
struct FileDescriptor: ~Copyable {
    private let number: Int32

    /// Opens a file to be read.
    init(reading path: String) throws(ArchiveFault) {
        number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw .system(errno: errno) }
    }

    /// Makes a file that was not there, for nobody but its owner.
    init(making path: String) throws(ArchiveFault) {
        number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .system(errno: errno) }
    }

    /// Makes a folder for nobody but its owner, unless it is there.
    static func makeFolder(_ path: String) throws(ArchiveFault) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(errno: errno) }
    }

    deinit {
        close(number)
    }

    /// Up to so many bytes; fewer only at the end.
    func read(_ count: Int) throws(ArchiveFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let found = bytes[filled...].withUnsafeMutableBytes { systemRead(number, $0.baseAddress, $0.count) }
            if found < 0, errno == EINTR { continue }
            guard found >= 0 else { throw .system(errno: errno) }
            guard found > 0 else { break }
            filled += found
        }
        return Array(bytes[..<filled])
    }

    func write(_ bytes: [UInt8]) throws(ArchiveFault) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { systemWrite(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(errno: errno) }
            written += count
        }
    }

    /// Returns when the disk has it.
    func synchronize() throws(ArchiveFault) {
        guard fsync(number) == 0 else { throw .system(errno: errno) }
    }

    /// Its size in bytes.
    func size() throws(ArchiveFault) -> UInt64 {
        var facts = stat()
        guard fstat(number, &facts) == 0 else { throw .system(errno: errno) }
        return UInt64(max(0, facts.st_size))
    }
}
