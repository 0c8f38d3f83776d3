import LightningCoding
import PrivateFiles
import TemporaryFolders
import Testing

@testable import ResponderCommand

@Suite("The archive of a backup", .timeLimit(.minutes(4)))
struct ArchiveTests {
    private let folder = TemporaryFolder()
    private var archive: String { folder.path + "/archive" }

    private func pack(_ files: [String: [UInt8]]) throws {
        var writer = try ArchiveWriter(making: archive, at: UnixTime(1_763_000_000))
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            let file = PrivateFile(path: folder.path + "/source")
            try file.create(bytes)
            try writer.add(file.path, as: name)
            file.remove()
        }
        _ = try writer.finish()
    }

    private func unpack() throws -> [String] {
        let target = folder.path + "/unpacked"
        try PrivateFolder(path: target).create()
        return try ArchiveReader(reading: archive).unpack(into: target).entries.map(\.name)
    }

    private func alter(_ change: (inout [UInt8]) -> Void) throws {
        var bytes = try PrivateFile(path: archive).contents(limit: 1 << 20)
        PrivateFile(path: archive).remove()
        change(&bytes)
        try PrivateFile(path: archive).create(bytes)
    }

    @Test("A list of contents is read as it was written, also one of twenty thousand keys")
    func manyKeys() throws {
        let digest = [UInt8](repeating: 7, count: 32)
        let written = Manifest(
            entries: (0..<20_000).map { Manifest.Entry(name: "offer-keys/\($0).key", size: 65, digest: digest) })
        let bytes = written.json.serializedBytes()
        #expect(bytes.count <= Manifest.maximumSize)
        #expect(try Manifest(bytes) == written)
    }

    @Test(
        "What was packed comes out as it was, for its owner alone", arguments: [0, 1, 511, 512, 513, 65_536, 100_000])
    func roundTrip(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try pack(["a.key": bytes, "b": [1], "keys/c": [2]])
        #expect(try unpack() == ["a.key", "b", "keys/c"])
        // `contents` refuses a file that others may open.
        #expect(try PrivateFile(path: folder.path + "/unpacked/a.key").contents(limit: count) == bytes)
        #expect(try PrivateFile(path: folder.path + "/unpacked/keys/c").contents(limit: 1) == [2])
    }

    @Test("The archive is for its owner alone, and whole blocks of tar")
    func mode() throws {
        try pack(["a": [1, 2, 3]])
        #expect(try PrivateFile(path: archive).contents(limit: 1 << 20).count % TarHeader.count == 0)
    }

    @Test("A changed byte is found, wherever it is", arguments: [0, 100, 130, 150, 512, 514])
    func altered(position: Int) throws {
        try pack(["a": Array("some words".utf8)])
        try alter { $0[position] ^= 1 }
        #expect(throws: ArchiveFault.self) { try unpack() }
    }

    @Test("A changed content is named")
    func alteredContent() throws {
        try pack(["a": Array("some words".utf8)])
        try alter { $0[514] ^= 1 }
        #expect(throws: ArchiveFault.altered("a")) { try unpack() }
    }

    @Test("A cut-off archive is refused", arguments: [10, 600, 1024, 1100])
    func truncated(count: Int) throws {
        try pack(["a": Array("some words".utf8)])
        try alter { $0 = Array($0[..<count]) }
        #expect(throws: ArchiveFault.truncated) { try unpack() }
    }

    @Test("What is no archive is refused")
    func notAnArchive() throws {
        try PrivateFile(path: archive).create([UInt8](repeating: 0x41, count: 2048))
        #expect(throws: ArchiveFault.notAnArchive) { try unpack() }
    }

    @Test("An archive without a list of contents is refused")
    func noManifest() throws {
        try PrivateFile(path: archive).create([UInt8](repeating: 0, count: 1024))
        #expect(throws: ArchiveFault.noManifest) { try unpack() }
    }

    @Test(
        "A name that would lead out of the folder is refused",
        arguments: ["../a", "/a", "a/../b", "a/b/c", "a//b", "a/", "a/..", "./a", "..", ".", ""])
    func names(name: String) {
        #expect(throws: ArchiveFault.badName) {
            try TarHeader(name: name, size: 0, mode: 0o600, modifiedAt: 0)
        }
    }

    @Test("A name that would lead out of the folder is refused when it is read, too")
    func hostileName() throws {
        var block = try TarHeader(name: "xx_evil", size: 0, mode: 0o600, modifiedAt: 0).bytes
        for (index, byte) in "../evil".utf8.enumerated() { block[index] = byte }
        let sum = block.enumerated().reduce(0) { $0 + Int((148..<156).contains($1.offset) ? 0x20 : $1.element) }
        let digits = String(sum, radix: 8)
        let field = Array(String(repeating: "0", count: 6 - digits.count).utf8) + Array(digits.utf8)
        block.replaceSubrange(148..<154, with: field)
        #expect(throws: ArchiveFault.badName) { try TarHeader(block) }
    }
}
