import Foundation
import LightningCoding
import TemporaryFolders
import Testing
@testable import LNURLCommand

@Suite("Other implementations", .timeLimit(.minutes(5)))
struct ExternalTests {
    private static let file = VectorFile(
        path: "std/echo.json", subject: "echo",
        cases: [
            VectorCase(
                name: "one", kind: .standard, input: ["a": 1],
                verdict: .expect(["a": 1, "o": ["x": 1, "y": 2]])),
            VectorCase(
                name: "two", kind: .standard, input: ["b": 1], verdict: .reject(rules: ["no-good", "bad"])),
        ])

    private func outcomes(_ script: String, timeout: Duration = .seconds(20)) async -> [VectorResult.Outcome] {
        let program = ExternalImplementation(["/bin/sh", "-c", script], timeout: timeout)
        return await outcomes(program)
    }

    private func outcomes(_ program: ExternalImplementation) async -> [VectorResult.Outcome] {
        var outcomes: [VectorResult.Outcome] = []
        for vector in Self.file.cases { outcomes.append(await program.judge(vector, of: Self.file)) }
        return outcomes
    }

    /// A loop that answers each line.
    private func loop(_ answers: String) -> String {
        "while read -r line; do case $line in *'\"name\":\"one\"'*) echo '\(answers.split(separator: "|")[0])';; "
            + "*) echo '\(answers.split(separator: "|").last ?? "")';; esac; done"
    }

    @Test(
        "An answer is compared member by member, in any order, and a refusal by its rule if one is named",
        arguments: [
            (#"{"values":{"o":{"y":2,"x":1},"a":1,"more":7}}|{"reject":"bad"}"#, [.passed, .passed]),
            (#"{"values":{"a":1},"omits":["o"]}|{"reject":true}"#, [.passed, .passed]),
            (
                #"{"values":{},"omits":["a","o"]}|{"reject":true}"#,
                [.skipped(reason: "no value that the case expects is known"), .passed]
            ),
            (
                #"{"values":{"a":2,"o":{"x":1,"y":2}}}|{"reject":"else"}"#,
                [.failed(reason: "a is 2, not 1"), .failed(reason: "rejected by else, not by no-good or bad")]
            ),
            (
                #"{"reject":"no-good"}|{"values":{}}"#,
                [.failed(reason: "rejected by no-good"), .failed(reason: "accepted, not rejected by no-good or bad")]
            ),
            (#"{"skip":"no"}|{"skip":"no"}"#, [.skipped(reason: "no"), .skipped(reason: "no")]),
            (
                #"hello|{"values":{},"reject":true}"#,
                Array(
                    repeating: .failed(reason: "the answer is not one JSON object with values, reject or skip"),
                    count: 2)
            ),
        ] as [(String, [VectorResult.Outcome])])
    func answers(answers: String, outcomes expected: [VectorResult.Outcome]) async {
        #expect(await outcomes(loop(answers)) == expected)
    }

    @Test("A program that exits after each case is started again")
    func oneAtATime() async {
        #expect(
            await outcomes(#"read -r line; echo '{"skip":"no"}'"#) == [.skipped(reason: "no"), .skipped(reason: "no")])
    }

    @Test("A program that ends, cannot be started, or never answers fails its cases")
    func silence() async {
        let ended = VectorResult.Outcome.failed(reason: "the program ended without an answer")
        #expect(await outcomes("exit 1") == [ended, ended])
        let missing = ExternalImplementation(["/nowhere/at-all"])
        #expect(await outcomes(missing) == [ended, ended])
        let late = VectorResult.Outcome.failed(reason: "the program gave no answer in time")
        #expect(await outcomes("read -r line; read -r other", timeout: .milliseconds(50)) == [late, late])
    }

    private static var vectors: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors").path()
    }

    @Test("A program that was started three times and has never answered is not started again")
    func silentProgram() async throws {
        let folder = TemporaryFolder()
        let starts = folder.path + "/starts"
        let program = ExternalImplementation(["/bin/sh", "-c", "echo x >> \(starts); exit 1"])
        await #expect(throws: VectorFault.silentProgram("echo x >> \(starts); exit 1")) {
            try await program.run(VectorFolder(directory: Self.vectors))
        }
        #expect(try String(contentsOfFile: starts, encoding: .utf8).split(separator: "\n").count == 3)
        let other = ExternalImplementation(["/bin/sh", "-c", "read -r line && echo '{\"skip\":\"no\"}'"])
        let report = try await other.run(VectorFolder(directory: Self.vectors, only: ["bech32/encode"]))
        #expect(report.results.skipped > 3)
    }

    @Test("Only the wanted folders and files are run, and one that does not exist is refused")
    func only() async throws {
        let folder = VectorFolder(directory: Self.vectors, only: ["bigsize", "bech32/encode"])
        #expect(try folder.paths() == ["bech32/encode.json", "bigsize/decode.json", "bigsize/encode.json"])
        #expect(throws: VectorFault.unreadable("bech")) {
            try VectorFolder(directory: Self.vectors, only: ["bigsize", "bech"]).paths()
        }
        let known = try #require(KnownFailures(parsing: Array(#"{"bolt-11/decode.json":{"x":"why"}}"#.utf8)))
        #expect(known.applied(to: VectorReport(files: []), of: folder).results.failed == 0)
    }

    @Test("A known failure is no failure; one that passes, or has no case, is")
    func known() throws {
        let known = try #require(
            KnownFailures(parsing: Array(#"{"std/echo.json":{"one":"why","two":"why","three":"why"}}"#.utf8)))
        let report = VectorReport(files: [
            VectorFileReport(
                path: "std/echo.json",
                results: [
                    VectorResult(name: "one", outcome: .failed(reason: "a is 2")),
                    VectorResult(name: "two", outcome: .passed), VectorResult(name: "four", outcome: .passed),
                ])
        ])
        let applied = known.applied(to: report, of: VectorFolder(directory: "Vectors"))
        #expect(
            applied.results.map(\.outcome) == [
                .known(reason: "why (a is 2)"), .failed(reason: "listed as a known failure, but does not fail"),
                .passed,
                .failed(reason: "listed as a known failure, but there is no such case"),
            ])
        let results = applied.results
        #expect((results.passed, results.failed, results.known, results.skipped) == (1, 2, 1, 0))
        #expect(!applied.isSuccess)
    }
}
