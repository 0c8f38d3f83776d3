#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A folder for private files (mode 0700).
public struct PrivateFolder: Hashable, Sendable {
    /// Its path.
    public let path: String

    /// Names a folder, which may not exist yet.
    public init(path: String) {
        self.path = path
    }

    /// The folder that contains a file.
    public init(containing file: String) {
        guard let slash = file.lastIndex(of: "/") else {
            path = "."
            return
        }
        path = slash == file.startIndex ? "/" : String(file[..<slash])
    }

    /// Creates the folder and its missing parents. An existing one is not changed.
    public func create() throws(PrivateFileFault) {
        if mkdir(path, 0o700) == 0 { return }
        switch errno {
        case EEXIST:
            return
        case ENOENT where path.contains("/"):
            try PrivateFolder(containing: path).create()
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(errno: errno) }
        default:
            throw .system(errno: errno)
        }
    }

    /// The names of its entries, sorted.
    public func names() throws(PrivateFileFault) -> [String] {
        guard let folder = opendir(path) else { throw errno == ENOENT ? .notFound : .system(errno: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Makes the entries of the folder durable.
    public func synchronize() throws(PrivateFileFault) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system(errno: errno) }
    }
}
