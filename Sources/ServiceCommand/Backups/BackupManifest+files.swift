import ServiceSetup
import LightningCrypto

extension BackupManifest.Entry {
    private static let chunk = 1 << 16

    /// Describes a file that does not change meanwhile.
    ///
    /// - Parameter take: receives the bytes, piece by piece.
    init(
        describing path: String, as name: String,
        _ take: ([UInt8]) throws(CommandFailure) -> Void = { _ throws(CommandFailure) in }
    ) throws(CommandFailure) {
        let file = try FileDescriptor(reading: path)
        var digest = SHA256()
        var size: UInt64 = 0
        while case let bytes = try file.read(Self.chunk), !bytes.isEmpty {
            try Interruption.check()
            digest.update(bytes)
            try take(bytes)
            size += UInt64(bytes.count)
        }
        self.init(name: name, size: size, digest: digest.finalized())
    }

    /// Copies a file that does not change meanwhile, readable by its owner only; the copy is durable on return.
    init(copying path: String, as name: String, into folder: String) throws(CommandFailure) {
        let copy = try FileDescriptor(making: folder + "/" + name)
        try self.init(describing: path, as: name) { bytes throws(CommandFailure) in try copy.write(bytes) }
        try copy.synchronize()
    }
}

extension BackupManifest {
    /// Reads the manifest of a backup and verifies every file against it.
    ///
    /// - Throws: when anything differs from what was backed up.
    init(verifying folder: String) throws(CommandFailure) {
        let path = folder + "/" + Self.name
        let bytes = try FileDescriptor(reading: path).read(Self.maximumSize + 1)
        do throws(Fault) {
            try self.init(bytes)
        } catch {
            throw CommandFailure(.data, "\(path): \(error.reason)")
        }
        guard entries.contains(where: { $0.name == DataFolder.ledgerName }) else {
            throw CommandFailure(.data, "\(path): it names no \(DataFolder.ledgerName)")
        }
        for entry in entries {
            try entry.require(try Entry(describing: folder + "/" + entry.name, as: entry.name), in: folder)
        }
    }
}

extension BackupManifest.Entry {
    /// Refuses a file that does not match this entry.
    func require(_ found: Self, in folder: String) throws(CommandFailure) {
        guard found == self else {
            throw CommandFailure(.data, "\(folder)/\(name): not the file that was backed up")
        }
    }
}
