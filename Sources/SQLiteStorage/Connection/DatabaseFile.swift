import PrivateFiles

/// The making of a database file that only its owner may open. SQLite gives its companions (`-wal`, `-shm`) the same mode.
enum DatabaseFile {
    /// Makes an empty file, and its folder, unless they exist.
    static func create(at path: String) throws(StorageFault) {
        guard !PrivateFile(path: path).exists else { return }
        do {
            try PrivateFolder(containing: path).create()
            try PrivateFile(path: path).create([])
        } catch .exists {
            return  // another process was quicker
        } catch {
            throw StorageFault(error)
        }
    }
}
