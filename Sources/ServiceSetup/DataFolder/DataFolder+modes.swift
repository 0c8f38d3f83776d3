import Platform

extension DataFolder {
    /// Private files (ledger, keys, token) that others than the owner may open, as text.
    package var openToOthers: [String] {
        get throws(CommandFailure) {
            let files = ["", "-wal", "-shm"].map { PrivateFile(path: ledger + $0) } + (try keys.map(\.file))
            return files.flatMap { file in
                file.modeOpenToOthers.map { CommandFailure(.openToOthers(mode: $0), at: file.path).reasons } ?? []
            }
        }
    }
}
