import ArgumentParser
import ServiceSetup
import LightningCoding
import Platform
import ResponderModel

struct Backup: InstallationCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the ledger and every key into a new folder, whether the service runs or not.",
        discussion: """
            The folder (mode 0700) must not exist; it is created completely or not at all, with the size and SHA-256 of each \
            file in \(BackupManifest.name). Whoever can read it can sign as the node. Use `restore` to restore it.
            """
    )

    @OptionGroup var common: CommonOptions
    @Argument(help: ArgumentHelp("The folder to create.", valueName: "folder"))
    var target: String

    func perform() async throws(CommandFailure) -> CommandResult {
        let target = target.withoutTrailingSlashes
        let installation = try await Installation.openComplete(settings.configuration())
        guard !PrivateFile(path: target).exists else {
            throw CommandFailure(.cannotCreate, "\(target) already exists")
        }
        Interruption.hold()
        defer { Interruption.release() }
        let staging = try StagingFolder(named: target)
        let ledger = staging.path + "/" + DataFolder.ledgerName
        try await CommandFailure.asking(await installation.ledger.snapshot(to: ledger))
        // After the ledger: what the copied ledger does not know yet is followed up. The other way around, it would
        // wait behind a cursor that the copied node has not reached.
        let nodes = try await installation.folder.copyEmbeddedNode(into: staging.path)
        // A key is stored before the ledger names its offer, so listing the keys after copying the ledger includes
        // every key that the copy needs.
        let keys = try installation.folder.keys.map { (name: $0.name, path: $0.file.path) }
        let entries =
            try ([DataFolder.ledgerName] + nodes).map { name throws(CommandFailure) in
                try BackupManifest.Entry(describing: staging.path + "/" + name, as: name)
            } + staging.add(keys)
        do {
            try PrivateFile(path: staging.path + "/" + BackupManifest.name)
                .create(BackupManifest(entries: entries).json(at: .now()).serializedBytes())
        } catch {
            throw CommandFailure(error, at: staging.path + "/" + BackupManifest.name)
        }
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
