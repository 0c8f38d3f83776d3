import ServiceSetup
import LightningCoding
import LightningCrypto
import Platform

/// The files of a backup, with size and digest.
struct BackupManifest: Hashable, Sendable {
    static let name = "manifest.json"
    static let format = "lightning-responder backup"
    static let version: UInt64 = 1
    /// About 130 bytes for each imported offer key.
    static let maximumSize = 1 << 24
    private static let limits = JSONLimits(maximumBytes: maximumSize, maximumMembers: 1_000_000)

    struct Entry: Hashable, Sendable {
        /// A file name, or folder name, `/` and file name.
        let name: String
        /// In bytes.
        let size: UInt64
        /// SHA-256 of its content.
        let digest: [UInt8]
    }

    enum Fault: Error, Hashable, Sendable {
        case malformed
        case newerVersion
        /// A name has characters other than A-Z a-z 0-9 . _ -, or would escape the folder.
        case badName
        case duplicate(String)

        var reason: String {
            switch self {
            case .malformed: "not the manifest of a backup"
            case .newerVersion: "made by a newer version of this software"
            case .badName: "it names a file that does not belong in a backup"
            case .duplicate(let name): "it names \(name) twice"
            }
        }
    }

    let entries: [Entry]

    func json(at now: UnixTime) -> JSONValue {
        [
            "format": .string(Self.format), "version": .unsigned(Self.version),
            "software": .string(SoftwareVersion.text), "createdAt": .string(now.iso8601),
            "files": .array(
                entries.map {
                    [
                        "name": .string($0.name), "size": .unsigned($0.size),
                        "sha256": .string(Hexadecimal.encode($0.digest)),
                    ]
                }
            ),
        ]
    }
}

extension BackupManifest {
    init(_ bytes: [UInt8]) throws(Fault) {
        guard let json = try? JSONValue(parsing: bytes, limits: Self.limits), json["format"]?.string == Self.format,
            let version = json["version"]?.uint64, let files = json["files"]?.array
        else { throw .malformed }
        guard version <= Self.version else { throw .newerVersion }
        var names: Set<String> = []
        entries = try files.map { file throws(Fault) in
            guard let name = file["name"]?.string, let size = file["size"]?.uint64,
                let digest = file["sha256"]?.string, let bytes = try? Hexadecimal.decode(digest)
            else { throw .malformed }
            guard Self.isAllowed(name) else { throw .badName }
            guard names.insert(name).inserted else { throw .duplicate(name) }
            return Entry(name: name, size: size, digest: bytes)
        }
    }

    /// Whether a file name is allowed: ASCII only, and at most one folder deep.
    private static func isAllowed(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count <= 2 && name != Self.name
            && parts.allSatisfy { part in
                part.first != nil && part.first != UInt8(ascii: ".")
                    && part.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                            UInt8(ascii: "-"):
                            true
                        default: false
                        }
                    }
            }
    }
}

extension BackupManifest.Entry {
    private static let chunk = 1 << 16

    /// Describes a file that does not change meanwhile.
    ///
    /// - Parameter take: receives the bytes, piece by piece.
    init(
        describing path: String, as name: String,
        _ take: ([UInt8]) throws(CommandFailure) -> Void = { _ throws(CommandFailure) in }
    ) throws(CommandFailure) {
        let file = try rethrowing(OpenFile(reading: path, isRegular: true)) { CommandFailure($0, at: path) }
        var digest = SHA256()
        var size: UInt64 = 0
        while true {
            let bytes = try rethrowing(file.read(Self.chunk)) { CommandFailure($0, at: path) }
            if bytes.isEmpty { break }
            try Interruption.check()
            digest.update(bytes)
            try take(bytes)
            size += UInt64(bytes.count)
        }
        self.init(name: name, size: size, digest: digest.finalized())
    }

    /// Copies a file that does not change meanwhile, readable by its owner only; the copy is durable on return.
    init(copying path: String, as name: String, into folder: String) throws(CommandFailure) {
        let target = folder + "/" + name
        let copy = try rethrowing(OpenFile(making: target)) { CommandFailure($0, at: target) }
        try self.init(describing: path, as: name) { bytes throws(CommandFailure) in
            try rethrowing(copy.write(bytes)) { CommandFailure($0, at: target) }
        }
        try rethrowing(copy.synchronize()) { CommandFailure($0, at: target) }
    }
}

extension BackupManifest {
    /// Reads the manifest of a backup and verifies every file against it.
    ///
    /// - Throws: when anything differs from what was backed up.
    init(verifying folder: String) throws(CommandFailure) {
        let path = folder + "/" + Self.name
        let bytes = try rethrowing(OpenFile(reading: path, isRegular: true).read(Self.maximumSize + 1)) {
            CommandFailure($0, at: path)
        }
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
    func require(_ found: Self, in folder: String) throws(CommandFailure) {
        guard found == self else {
            throw CommandFailure(.data, "\(folder)/\(name): not the file that was backed up")
        }
    }
}
