import PrivateFiles

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension DataFolder {
    /// Whether nothing would be lost if a restored folder took its place.
    package var isEmptyOrMissing: Bool {
        do {
            return try PrivateFolder(path: path).names().isEmpty
        } catch {
            return error == .notFound
        }
    }

    /// Removes the folder with all that is in it.
    package func removeFiles() {
        Self.remove(path)
    }

    private static func remove(_ path: String) {
        for name in (try? PrivateFolder(path: path).names()) ?? [] { remove(path + "/" + name) }
        if unlink(path) != 0 { rmdir(path) }
    }
}
