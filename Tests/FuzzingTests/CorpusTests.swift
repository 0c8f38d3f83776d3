import Foundation
import Fuzzing
import LightningCoding
import LightningFuzzing
import Testing

@Suite("The corpus of the fuzzer", .timeLimit(.minutes(5)))
struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    @Test("No input breaks a rule of its decoder", arguments: FuzzTarget.all.map(\.name))
    func replay(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let lines = try String(contentsOf: Self.folder.appending(path: name + ".hex"), encoding: .utf8)
        let inputs = try lines.split(separator: "\n").map { try Hexadecimal.decode($0) }
        #expect(!inputs.isEmpty)
        for input in inputs {
            #expect(throws: Never.self, "\(Hexadecimal.encode(input))") { try target.check(input) }
        }
    }

    @Test("Each file belongs to a decoder, and all are at most 2 MB")
    func size() throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.folder, includingPropertiesForKeys: [.fileSizeKey])
        #expect(Set(files.map { $0.deletingPathExtension().lastPathComponent }) == Set(FuzzTarget.all.map(\.name)))
        let sizes = try files.map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
        #expect(sizes.reduce(0, +) <= 2_000_000)
    }
}
