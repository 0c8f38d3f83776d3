import Platform

extension DataFolder {
    /// Whether nothing would be lost if a backup were restored here. The folder `lost+found` belongs to a mount point.
    package var isEmptyOrMissing: Bool {
        do {
            return try PrivateFolder(path: path).names().allSatisfy { $0 == "lost+found" }
        } catch {
            return error == .notFound
        }
    }
}
