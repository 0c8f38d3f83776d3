#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that only its owner may open (mode 0600): a key, a token, a ledger.
public struct PrivateFile: Hashable, Sendable {
    /// Its path.
    public let path: String

    /// Names a file, which may not exist yet.
    public init(path: String) {
        self.path = path
    }

    /// Whether a file or folder of that name exists.
    public var exists: Bool { access(path, F_OK) == 0 }

    /// Whether the file exists and is not empty.
    public var hasContents: Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_size > 0
    }

    /// The permission bits, such as 0o640, when users other than the owner have access; nil when they have none or the
    /// file does not exist.
    public var modeOpenToOthers: UInt16? {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & 0o077 != 0 else { return nil }
        return UInt16(facts.st_mode & 0o7777)
    }

    /// Creates the file with these contents, complete and durable on return.
    ///
    /// If several processes create it at once, exactly one succeeds, and readers never see a part: the contents are
    /// first written under another name and then linked.
    ///
    /// - Throws: `exists` when the file exists; it is then unchanged.
    public func create(_ contents: some Collection<UInt8>) throws(PrivateFileFault) {
        var name = Array((path + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&name)  // mode 0600, whatever the umask
        guard descriptor >= 0 else { throw .system(errno: errno) }
        let temporary = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { unlink(temporary) }
        do {
            try Self.append(Array(contents), to: descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        guard close(descriptor) == 0 else { throw .system(errno: errno) }
        guard link(temporary, path) == 0 else { throw errno == EEXIST ? .exists : .system(errno: errno) }
        try PrivateFolder(containing: path).synchronize()
    }

    /// Reads the file.
    ///
    /// - Parameter limit: its maximum length, in bytes.
    /// - Throws: `openToOthers` when group or others have any permission on it, before a byte is read.
    public func contents(limit: Int) throws(PrivateFileFault) -> [UInt8] {
        try Self.contents(of: path, limit: limit, isSecret: true)
    }

    static func contents(of path: String, limit: Int, isSecret: Bool) throws(PrivateFileFault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw errno == ENOENT ? .notFound : .system(errno: errno) }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system(errno: errno) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard !isSecret || facts.st_mode & 0o077 == 0 else { throw .openToOthers(mode: UInt16(facts.st_mode & 0o7777)) }
        let bytes = try bytes(from: descriptor, atMost: limit + 1)
        guard bytes.count <= limit else { throw .tooLong }
        return bytes
    }

    /// Deletes the file, if it exists.
    public func remove() {
        unlink(path)
    }

    private static func append(_ bytes: [UInt8], to descriptor: Int32) throws(PrivateFileFault) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(errno: errno) }
            written += count
        }
        guard fsync(descriptor) == 0 else { throw .system(errno: errno) }
    }

    private static func bytes(from descriptor: Int32, atMost count: Int) throws(PrivateFileFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count < count {
            let wanted = min(chunk.count, count - bytes.count)
            let found = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, wanted) }
            if found < 0, errno == EINTR { continue }
            guard found >= 0 else { throw .system(errno: errno) }
            guard found > 0 else { break }
            bytes.append(contentsOf: chunk[..<found])
        }
        return bytes
    }
}
