import LightningCoding
import Testing

@testable import ServiceCommand

@Suite("The list of a backup's files", .timeLimit(.minutes(5)))
struct BackupManifestTests {
    private static let digest = String(repeating: "07", count: 32)

    private func manifest(_ names: String..., version: Int = 1, format: String = BackupManifest.format) -> [UInt8] {
        let files = names.map { name in
            JSONValue.object(["name": .string(name), "size": 65, "sha256": .string(Self.digest)])
        }
        return JSONValue.object([
            "format": .string(format), "version": .integer(version), "files": .array(files),
        ]).serializedBytes()
    }

    @Test("A manifest is read as it was written, even with twenty thousand keys")
    func manyKeys() throws {
        let digest = [UInt8](repeating: 7, count: 32)
        let written = BackupManifest(
            entries: (0..<20_000).map { .init(name: "offer-keys/\($0).key", size: 65, digest: digest) })
        let bytes = written.json(at: UnixTime(1_763_000_000)).serializedBytes()
        #expect(bytes.count <= BackupManifest.maximumSize)
        #expect(try BackupManifest(bytes) == written)
    }

    @Test("It states when the backup was made")
    func time() {
        #expect(
            BackupManifest(entries: []).json(at: UnixTime(1_763_000_000))["createdAt"] == "2025-11-13T02:13:20Z")
    }

    @Test(
        "A name that would escape the folder, or that no backup contains, is refused",
        arguments: [
            "../a", "/a", "a/../b", "a/b/c", "a//b", "a/", "a/..", "./a", "..", ".", "", ".hidden", "a/.b", "a b",
            "a\u{0}b", "a\u{301}", "manifest.json",
        ])
    func names(name: String) {
        #expect(throws: BackupManifest.Fault.badName) { try BackupManifest(manifest(name)) }
    }

    @Test("Names used by backups are accepted", arguments: ["ledger.sqlite", "offer-keys/00ff.key", "a", "a_b/c-d.e"])
    func goodNames(name: String) throws {
        #expect(try BackupManifest(manifest(name)).entries.map(\.name) == [name])
    }

    @Test("A duplicate name is refused")
    func duplicate() {
        #expect(throws: BackupManifest.Fault.duplicate("a")) { try BackupManifest(manifest("a", "b", "a")) }
    }

    @Test("A manifest of a newer version is refused as such, and anything else as malformed")
    func otherLists() {
        #expect(throws: BackupManifest.Fault.newerVersion) { try BackupManifest(manifest("a", version: 2)) }
        #expect(throws: BackupManifest.Fault.malformed) { try BackupManifest(manifest("a", format: "tar")) }
        for text in ["", "[]", #"{"format":"lightning-responder backup","version":1}"#] {
            #expect(throws: BackupManifest.Fault.malformed) { try BackupManifest(Array(text.utf8)) }
        }
    }
}
