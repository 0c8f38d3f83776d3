import Platform

extension DataFolder {
    /// What may be in a folder that holds no data.
    package static let namesOfEmpty: Set<String> = ["lost+found", lockName]

    /// Whether restoring a backup here would lose nothing. The folder `lost+found` belongs to a mount point; a
    /// lock is left by whoever has looked for a service.
    package var isEmptyOrMissing: Bool {
        do {
            return try PrivateFolder(path: path).names().allSatisfy { Self.namesOfEmpty.contains($0) }
        } catch {
            return error == .notFound
        }
    }
}
