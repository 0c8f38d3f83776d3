#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A folder for one test, empty at first, and gone with the last one who holds it.
package final class TemporaryFolder: Sendable {
    /// Where it lies.
    package let path: String

    /// Makes a folder.
    ///
    /// - Parameter isInMemory: whether it may be one whose files are not on a disk, for databases that are made thousands
    ///   of times.
    package init(isInMemory: Bool = false) {
        let parent = isInMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var name = Array("\(parent)/responder-test.XXXXXX".utf8CString)
        mkdtemp(&name)
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    /// The names of what lies in it, sorted.
    package var names: [String] { Self.names(in: path) }

    private static func remove(_ path: String) {
        for name in names(in: path) { remove(path + "/" + name) }
        if unlink(path) != 0 { rmdir(path) }
    }

    /// The names of what lies in any folder, sorted.
    package static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
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
}
