import Platform

extension DataFolder {
    /// Private files (databases, keys, token) that others than the owner may open, as text.
    package var openToOthers: [String] {
        get throws(CommandFailure) {
            let databases = [ledger, embeddedNode].flatMap { path in
                ["", "-wal", "-shm"].map { PrivateFile(path: path + $0) }
            }
            let files = databases + (try keys.map(\.file))
            return files.flatMap { file in
                file.modeOpenToOthers.map { CommandFailure(.openToOthers(mode: $0), at: file.path).reasons } ?? []
            }
        }
    }
}
