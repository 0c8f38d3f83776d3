@testable import Conformance
import Testing

/// `Vectors/` of this package.
let vectors = VectorFolder(
    directory: #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Vectors")

@Suite("Every vector file", .timeLimit(.minutes(4)))
struct VectorTests {
    @Test("passes in all its cases", arguments: try vectors.paths())
    func passes(path: String) async throws {
        let report = await VectorRegistry.all.run(try vectors.file(path))
        #expect(report.remarks == [])
        #expect(report.failed == 0)
        #expect(report.passed > 0)
    }

    @Test("is in the report on the whole folder")
    func wholeFolder() async throws {
        let report = try await VectorRegistry.all.run(vectors)
        #expect(report.isSuccess)
        #expect(report.files.map(\.path) == (try vectors.paths()))
    }

    @Test("is there for every runner of the registry")
    func everyRunnerHasAFile() throws {
        let files = try vectors.paths().map { try vectors.file($0) }
        let subjects = Set(files.map { "\($0.folder), \($0.subject)" })
        #expect(VectorRegistry.all.subjects.subtracting(subjects) == [])
    }
}
