import LightningCoding
import Testing
@testable import LNURLCommand

@Suite("The schema of vector files", .timeLimit(.minutes(5)))
struct VectorFileTests {
    private static let ambiguous =
        "it has both expect and reject, or neither, or a list of fewer than two rules"
    private static let good = """
        {"standard":"S","subject":"echo","description":"D","source":"from S","cases":[
        {"name":"one","kind":"standard","input":{"a":1},"expect":{"a":1}},
        {"name":"two","kind":"policy","source":"elsewhere","input":{},"reject":"no-good"}],"rules":{"no-good":"It is not good."}}
        """

    private func parse(_ text: String) throws(VectorFault) -> VectorFile {
        try VectorFile(parsing: Array(text.utf8), path: "std/file.json")
    }

    @Test("A file is read with its cases")
    func reading() throws {
        let file = try parse(Self.good)
        #expect(file.path == "std/file.json")
        #expect(file.folder == "std")
        #expect(file.subject == "echo")
        #expect(file.cases.map(\.name) == ["one", "two"])
        #expect(file.cases.map(\.kind) == [.standard, .policy])
        #expect(file.cases.map(\.verdict) == [.expect(["a": 1]), .reject(rules: ["no-good"])])
    }

    @Test(
        "What breaks the schema is named, with the file and the case",
        arguments: [
            (#""standard":"S","#, "", "standard is missing, or of another type", nil),
            (#""subject":"echo""#, #""subject":7"#, "subject is missing, or of another type", nil),
            (#""description":"D""#, #""description":"""#, "description is missing, or of another type", nil),
            (#""source":"from S","#, "", "source is missing, or of another type", nil),
            (#""standard":"S""#, #""standrad":"S""#, "standrad is unknown", nil),
            (#","rules":{"no-good":"It is not good."}"#, "", "rules is missing, or of another type", nil),
            (#"{"no-good":"#, #"{"No-good":"#, "No-good is not the name of a rule", nil),
            (#"{"no-good":"#, #"{"no--good":"#, "no--good is not the name of a rule", nil),
            (#"{"no-good":"#, #"{"else":"Or.","no-good":"#, "the rule else rejects no case", nil),
            (#""It is not good.""#, #""""#, "no-good is missing, or of another type", nil),
            (#"{"no-good":"It is not good."}"#, "{}", "the rule no-good is not explained", "two"),
            (#""reject":"no-good""#, #""reject":"no-god""#, "the rule no-god is not explained", "two"),
            (#""kind":"policy""#, #""kind":"strict""#, "its kind is none of standard, policy and robustness", "two"),
            (#""kind":"policy","#, "", "kind is missing, or of another type", "two"),
            (#""reject":"no-good""#, #""reject":["no-good"]"#, ambiguous, "two"),
            (#""reject":"no-good""#, #""reject":["no-good","no-good"]"#, ambiguous, "two"),
            (#""reject":"no-good""#, #""reject":["no-good","no-god"]"#, "the rule no-god is not explained", "two"),
            (#""name":"two""#, #""name":"one""#, "two cases have this name", "one"),
            (#""name":"two","#, "", "name is missing, or of another type", "case 2"),
            (#","reject":"no-good""#, "", ambiguous, "two"),
            (#","expect":{"a":1}"#, #","expect":{"a":1},"reject":"no-good""#, ambiguous, "one"),
            (#","expect":{"a":1}"#, #","expect":1"#, ambiguous, "one"),
            (#""input":{"a":1},"#, "", "input is missing, or of another type", "one"),
            (#""expect""#, #""note":"","expect""#, "note is unknown", "one"),
            (#"{"a":1},"e"#, #"{"a":[{"b":1.0}]},"e"#, "a number is not an integer in range", "one"),
            (#"{"a":1},"e"#, #"{"a":18446744073709551616},"e"#, "a number is not an integer in range", "one"),
            (#""source":"elsewhere""#, #""source":1"#, "source is missing, or of another type", "two"),
        ] as [(String, String, String, String?)])
    func faults(part: String, replacement: String, problem: String, caseName: String?) {
        let text = Self.good.replacing(part, with: replacement)
        #expect(text != Self.good)
        let place = caseName.map { "std/file.json, “\($0)”" } ?? "std/file.json"
        #expect(throws: VectorFault.unusable("\(place): \(problem)")) { try parse(text) }
    }

    @Test("A file without cases, of another shape, or that is not JSON, is refused")
    func shapes() {
        let empty = #"{"standard":"S","subject":"s","description":"D","source":"x","cases":[],"rules":{}}"#
        #expect(throws: VectorFault.unusable("std/file.json: it has no cases")) { try parse(empty) }
        #expect(throws: VectorFault.unusable("std/file.json: it is not a JSON object")) { try parse("[]") }
        let reason = JSONFault(.unexpectedEnd, at: 1).reason
        #expect(throws: VectorFault.unusable("std/file.json: it is not JSON: \(reason)")) { try parse("{") }
    }

    @Test("A file and a folder that are not there are named")
    func unreadable() {
        #expect(throws: VectorFault.unreadable("std/none.json")) { try vectors.file("std/none.json") }
        let nowhere = VectorFolder(directory: vectors.directory + "/none")
        #expect(throws: VectorFault.unreadable(nowhere.directory)) { try nowhere.paths() }
    }
}
