import ServiceSetup
import ArgumentParser
import LightningCoding
import Platform
import SQLiteLedger

/// Copies ledger and keys into a folder.
struct Backup: ReportingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the ledger and every key into a folder, while the service runs or not.",
        discussion: """
            The folder (mode 0700) must not exist; it appears complete or not at all, with the size and the SHA-256 of each \
            file in \(BackupManifest.name). Whoever reads it can sign in the node's name. `restore` makes a data folder of it.
            """
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: ArgumentHelp("The folder to make.", valueName: "folder"))
    var target: String
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let target = target.withoutTrailingSlashes
        let installation = try await Installation.openComplete(settings.configuration())
        guard !PrivateFile(path: target).exists else {
            throw CommandFailure(.cannotCreate, "\(target): there is such a file or folder already")
        }
        Interruption.hold()
        defer { Interruption.release() }
        let staging = try StagingFolder(named: target)
        let ledger = staging.path + "/" + DataFolder.ledgerName
        try await CommandFailure.asking(await installation.ledger.backup(to: ledger))
        // A key is stored before the ledger names its offer, so listing the keys after copying the ledger includes
        // every key that the copy needs.
        let keys = try installation.folder.keys.map { (name: $0.name, path: $0.file.path) }
        let entries =
            [try BackupManifest.Entry(describing: ledger, as: DataFolder.ledgerName)] + (try staging.add(keys))
        try rethrowing(
            PrivateFile(path: staging.path + "/" + BackupManifest.name)
                .create(BackupManifest(entries: entries).json(at: .now()).serializedBytes()),
            as: { CommandFailure($0, at: staging.path + "/" + BackupManifest.name) })
        try staging.rename(to: target)
        return CommandResult(
            text: "\(target) holds \(entries.map(\.name).joined(separator: ", ")).\n",
            json: ["folder": .string(target), "files": .array(entries.map { .string($0.name) })]
        )
    }
}

extension String {
    /// The path without trailing slashes, so that it can serve as a prefix for sibling paths.
    var withoutTrailingSlashes: String {
        var path = Substring(self)
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        return String(path)
    }
}
