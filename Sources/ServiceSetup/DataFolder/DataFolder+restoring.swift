import Platform

extension DataFolder {
    /// Whether restoring a backup here would lose nothing. The folder `lost+found` belongs to a mount point.
    package var isEmptyOrMissing: Bool {
        do {
            return try PrivateFolder(path: path).names().allSatisfy { $0 == "lost+found" }
        } catch {
            return error == .notFound
        }
    }
}
