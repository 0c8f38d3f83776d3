import Installing
import ArgumentParser
import LightningCoding
import PrivateFiles
import SQLiteLedger

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Makes a data folder of an archive.
struct Restore: ReportingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a data folder of an archive that `backup` has made.",
        discussion: """
            The data folder must be empty or missing. The archive is unpacked beside it and compared with its list of \
            contents first; the folder appears whole or not at all. An archive that others may open is refused: whoever \
            has read it has every key.
            """
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "The archive.")
    var file: String
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let folder = DataFolder(path: try settings.configuration().dataDirectory)
        guard folder.isEmptyOrMissing else {
            throw CommandFailure(.cannotCreate, "\(folder.path) is not empty; nothing is restored over what is there")
        }
        if let mode = PrivateFile(path: file).modeOpenToOthers {
            throw CommandFailure(
                .permission,
                "\(file): others may open it (mode \(String(mode, radix: 8))), and so have every key; if nobody has, "
                    + "chmod 600 \(file) and restore again")
        }
        let unpacked = DataFolder(path: folder.path + ".restoring")
        guard unpacked.isEmptyOrMissing else {
            throw CommandFailure(
                .cannotCreate, "\(unpacked.path) is left from a restore that broke off; remove it first")
        }
        try unpacked.create()
        let manifest: Manifest
        do {
            manifest = try ArchiveReader(reading: file).unpack(into: unpacked.path)
        } catch {
            unpacked.removeFiles()
            throw CommandFailure(error, at: file)
        }
        guard rename(unpacked.path, folder.path) == 0 else {
            throw CommandFailure(PrivateFileFault.system(errno: errno), at: folder.path)
        }
        let names = manifest.entries.map(\.name)
        return CommandResult(
            text: "\(folder.path) holds \(names.joined(separator: ", ")).\n",
            json: ["dataDirectory": .string(folder.path), "files": .array(names.map { .string($0) })]
        )
    }
}
