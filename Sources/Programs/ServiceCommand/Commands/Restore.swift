import ServiceSetup
import ArgumentParser
import LightningCoding
import Platform

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

struct Restore: InstallationCommand {
    static let configuration = CommandConfiguration(
        abstract: "Restore a data folder from a backup.",
        discussion: """
            The data folder must be empty or missing. Every file of the backup is first verified against \(BackupManifest.name); \
            then either all files appear in the data folder or none. A backup that is accessible to others is refused: whoever \
            has read it has every key.
            """
    )

    @OptionGroup var common: CommonOptions
    @Argument(help: ArgumentHelp("The folder of the backup.", valueName: "folder"))
    var source: String

    func perform() async throws(CommandFailure) -> CommandResult {
        let source = source.withoutTrailingSlashes
        let folder = DataFolder(path: try settings.configuration().dataDirectory.withoutTrailingSlashes)
        try folder.requireOwner()
        guard folder.isEmptyOrMissing else {
            throw CommandFailure(.cannotCreate, "\(folder.path) is not empty; restore needs an empty folder")
        }
        try Self.requirePrivateFolder(source)
        let manifest = try BackupManifest(verifying: source)
        Interruption.hold()
        defer { Interruption.release() }
        try Self.restore(manifest, from: source, to: folder.path)
        let names = manifest.entries.map(\.name)
        return CommandResult(
            text: "\(folder.path) holds \(names.joined(separator: ", ")).\n",
            json: ["dataDirectory": .string(folder.path), "files": .array(names.map { .string($0) })]
        )
    }

    private static func requirePrivateFolder(_ path: String) throws(CommandFailure) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw CommandFailure(PrivateFileFault(errno: errno), at: path) }
        guard facts.st_mode & S_IFMT == S_IFDIR else {
            throw CommandFailure(.data, "\(path) is not a folder; name one that `backup` has made")
        }
        guard facts.st_mode & 0o077 == 0 else {
            throw CommandFailure(
                .permission,
                "\(path): it is accessible to others (mode \(String(facts.st_mode & 0o7777, radix: 8))), and so have every key; if "
                    + "nobody has, chmod 700 \(path) and restore again")
        }
    }

    /// An existing folder is filled in place, since it may be a mount point or a link, or belong to the service's user.
    /// A new one is renamed into place at the end.
    private static func restore(
        _ manifest: BackupManifest, from source: String, to target: String
    ) throws(CommandFailure) {
        let isThere = PrivateFile(path: target).exists
        var facts = stat()
        guard isThere || lstat(target, &facts) != 0 else {
            throw CommandFailure(.cannotCreate, "\(target) is a dangling symbolic link")
        }
        if !isThere {
            let parent = PrivateFolder(containing: target)
            try rethrowing(parent.create()) { CommandFailure($0, at: parent.path) }
        }
        let staging = try StagingFolder(named: isThere ? target + "/restoring" : target + ".restoring")
        let copies = try staging.add(manifest.entries.map { (name: $0.name, path: source + "/" + $0.name) })
        for (entry, copy) in zip(manifest.entries, copies) { try entry.require(copy, in: source) }
        if isThere {
            // No service starts there while the files are moved.
            let lock = try ServiceLock(at: DataFolder(path: target).serviceLock)
            defer { withExtendedLifetime(lock) {} }
            try staging.requireNothingBeside(in: target)
            try staging.moveFiles(into: target, last: DataFolder.ledgerName)
        } else {
            try staging.rename(to: target)
        }
    }
}
