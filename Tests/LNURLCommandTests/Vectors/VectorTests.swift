import Foundation
import Testing
@testable import LNURLCommand

/// `Vectors/` of this package.
let vectors = VectorFolder(
    directory: #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/Vectors")

@Suite("Every vector file", .timeLimit(.minutes(5)))
struct VectorTests {
    @Test("passes in all its cases", arguments: try vectors.paths())
    func passes(path: String) async throws {
        let report = try await VectorRunner.all.run(VectorFolder(directory: vectors.directory, only: [path]))
        #expect(report.results.remarks == [])
        #expect(report.isSuccess)
    }

    @Test("is in the report on the whole folder")
    func wholeFolder() async throws {
        let report = try await VectorRunner.all.run(vectors)
        #expect(report.isSuccess)
        #expect(report.files.map(\.path) == (try vectors.paths()))
    }

    @Test("is there for every runner")
    func everyRunnerHasAFile() throws {
        let files = try vectors.paths().map { try vectors.file($0) }
        let subjects = Set(files.map { "\($0.folder), \($0.subject)" })
        #expect(Set(VectorRunner.all.map { "\($0.standard), \($0.subject)" }).subtracting(subjects) == [])
    }

    @Test("is counted by kind in the README")
    func counted() throws {
        let cases = try vectors.paths().flatMap { try vectors.file($0).cases }
        let counts = Dictionary(grouping: cases, by: \.kind).mapValues(\.count)
        let readme = try String(contentsOfFile: vectors.directory + "/README.md", encoding: .utf8)
        for kind in VectorCase.Kind.allCases {
            let row = readme.split(separator: "\n").first { $0.contains("| `\(kind.rawValue)` |") }
            #expect(row?.hasSuffix("| \(counts[kind] ?? 0) |") == true, "\(kind.rawValue): \(counts[kind] ?? 0)")
        }
    }
}
