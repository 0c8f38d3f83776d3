import LightningCoding
import LightningCrypto

/// The list of contents, the archive's last file: what a restored folder must be, byte for byte.
struct Manifest: Hashable, Sendable {
    static let name = "manifest.json"
    static let format = "lightning-responder backup"
    static let version: UInt64 = 1
    /// Some 130 bytes for each of the keys of offers that were imported.
    static let maximumSize = 1 << 24
    private static let limits = JSONLimits(maximumBytes: maximumSize, maximumMembers: 1_000_000)

    struct Entry: Hashable, Sendable {
        let name: String
        let size: UInt64
        /// SHA-256 of its bytes.
        let digest: [UInt8]
    }

    let entries: [Entry]

    var json: JSONValue {
        [
            "format": .string(Self.format), "version": .unsigned(Self.version),
            "software": .string(SoftwareVersion.text),
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

    init(entries: [Entry]) {
        self.entries = entries
    }

    init(_ bytes: [UInt8]) throws(ArchiveFault) {
        guard let json = try? JSONValue(parsing: bytes, limits: Self.limits), json["format"]?.string == Self.format,
            let version = json["version"]?.uint64, let files = json["files"]?.array
        else { throw .noManifest }
        guard version <= Self.version else { throw .newerVersion }
        entries = try files.map { file throws(ArchiveFault) in
            guard let name = file["name"]?.string, let size = file["size"]?.uint64,
                let digest = file["sha256"]?.string, let bytes = try? Hexadecimal.decode(digest)
            else { throw .noManifest }
            return Entry(name: name, size: size, digest: bytes)
        }
    }
}
