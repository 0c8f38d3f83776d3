import Platform

extension DataFolder {
    /// What others than the owner may open of what must be private, in words: files of the ledger, keys, the token.
    package var openToOthers: [String] {
        get throws(CommandFailure) {
            let files = ["", "-wal", "-shm"].map { PrivateFile(path: ledger + $0) } + (try keys.map(\.file))
            return files.flatMap { file in
                file.modeOpenToOthers.map { CommandFailure(.openToOthers(mode: $0), at: file.path).reasons } ?? []
            }
        }
    }
}
