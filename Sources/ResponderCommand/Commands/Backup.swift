import Responding
import Installing
import ArgumentParser
import LightningCoding
import PrivateFiles
import Receiving
import SQLiteLedger

/// Copies ledger and keys into one archive.
struct Backup: ReportingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the ledger and every key into one archive, while the service runs or not.",
        discussion: """
            The archive is a plain tar file (mode 0600): whoever reads it can sign in the node's name. It must not exist. \
            `restore` makes a data folder of it.
            """
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "The archive to make.")
    var file: String
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let installation = try await Installation.openComplete(settings.configuration())
        guard !PrivateFile(path: file).exists else {
            throw CommandFailure(.cannotCreate, "\(file): there is such a file already")
        }
        let keys = try installation.folder.keys
        let copy = PrivateFile(path: file + ".ledger")
        do {
            try await installation.ledger.backup(to: copy.path)
        } catch {
            throw CommandFailure(error)
        }
        defer { copy.remove() }
        let manifest: Manifest
        do {
            manifest = try archive(keys, ledger: copy)
        } catch {
            PrivateFile(path: file).remove()
            throw CommandFailure(error, at: file)
        }
        let names = manifest.entries.map(\.name)
        return CommandResult(
            text: "\(file) holds \(names.joined(separator: ", ")).\n",
            json: ["archive": .string(file), "files": .array(names.map { .string($0) })]
        )
    }

    private func archive(
        _ keys: [(name: String, file: PrivateFile)], ledger: PrivateFile
    ) throws(ArchiveFault) -> Manifest {
        var archive = try ArchiveWriter(making: file, at: .now())
        try archive.add(ledger.path, as: DataFolder.ledgerName)
        for key in keys { try archive.add(key.file.path, as: key.name) }
        return try archive.finish()
    }
}

extension CommandFailure {
    /// An archive that was not made or not unpacked.
    init(_ fault: ArchiveFault, at path: String) {
        if case .system(let number) = fault {
            self.init(PrivateFileFault.system(errno: number), at: path)
        } else {
            self.init(.data, "\(path): \(fault.reason)")
        }
    }
}
