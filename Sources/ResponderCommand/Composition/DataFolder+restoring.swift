#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension DataFolder {
    /// Whether nothing would be lost if a restored folder took its place.
    var isEmptyOrMissing: Bool {
        guard let names = names() else { return errno == ENOENT }
        return names.isEmpty
    }

    /// Removes the folder with the files in it.
    func removeFiles() {
        for name in names() ?? [] { unlink(path + "/" + name) }
        rmdir(path)
    }

    /// What is in the folder; nil when it cannot be read.
    private func names() -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
