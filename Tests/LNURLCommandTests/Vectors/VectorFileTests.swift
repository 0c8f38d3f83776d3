import LightningCoding
import Testing
@testable import LNURLCommand

@Suite("The schema of vector files", .timeLimit(.minutes(4)))
struct VectorFileTests {
    private static let good = """
        {"standard":"S","subject":"echo","description":"D","source":"from S","cases":[
        {"name":"one","kind":"standard","input":{"a":1},"expect":{"a":1}},
        {"name":"two","kind":"policy","source":"elsewhere","input":{},"reject":"no-good"}],"rules":{"no-good":"It is not good."}}
        """

    private func parse(_ text: String) throws(VectorFault) -> VectorFile {
        try VectorFile(parsing: Array(text.utf8), path: "std/file.json")
    }

    @Test("A file is read with its cases, their sources and its rules")
    func reading() throws {
        let file = try parse(Self.good)
        #expect(file.path == "std/file.json")
        #expect(file.folder == "std")
        #expect(file.standard == "S")
        #expect(file.subject == "echo")
        #expect(file.cases.map(\.name) == ["one", "two"])
        #expect(file.cases.map(\.source) == ["from S", "elsewhere"])
        #expect(file.cases.map(\.verdict) == [.expect(["a": 1]), .reject(rules: ["no-good"])])
        #expect(file.rules == [VectorRule(name: "no-good", explanation: "It is not good.")])
    }

    @Test(
        "What breaks the schema is named, with the file and the case",
        arguments: [
            (#""standard":"S","#, "", .missing("standard"), nil),
            (#""subject":"echo""#, #""subject":7"#, .missing("subject"), nil),
            (#""description":"D""#, #""description":"""#, .missing("description"), nil),
            (#""source":"from S","#, "", .missing("source"), nil),
            (#""standard":"S""#, #""standrad":"S""#, .unknownMember("standrad"), nil),
            (#","rules":{"no-good":"It is not good."}"#, "", .missing("rules"), nil),
            (#"{"no-good":"#, #"{"No-good":"#, .badRuleName("No-good"), nil),
            (#"{"no-good":"#, #"{"no--good":"#, .badRuleName("no--good"), nil),
            (#"{"no-good":"#, #"{"else":"Or.","no-good":"#, .unusedRule("else"), nil),
            (#""It is not good.""#, #""""#, .missing("no-good"), nil),
            (#"{"no-good":"It is not good."}"#, "{}", .unexplainedRule("no-good"), "two"),
            (#""reject":"no-good""#, #""reject":"no-god""#, .unexplainedRule("no-god"), "two"),
            (#""kind":"policy""#, #""kind":"strict""#, .unknownKind, "two"),
            (#""kind":"policy","#, "", .missing("kind"), "two"),
            (#""reject":"no-good""#, #""reject":["no-good"]"#, .ambiguousVerdict, "two"),
            (#""reject":"no-good""#, #""reject":["no-good","no-good"]"#, .ambiguousVerdict, "two"),
            (#""reject":"no-good""#, #""reject":["no-good","no-god"]"#, .unexplainedRule("no-god"), "two"),
            (#""name":"two""#, #""name":"one""#, .duplicateName, "one"),
            (#""name":"two","#, "", .missing("name"), "case 2"),
            (#","reject":"no-good""#, "", .ambiguousVerdict, "two"),
            (#","expect":{"a":1}"#, #","expect":{"a":1},"reject":"no-good""#, .ambiguousVerdict, "one"),
            (#","expect":{"a":1}"#, #","expect":1"#, .ambiguousVerdict, "one"),
            (#""input":{"a":1},"#, "", .missing("input"), "one"),
            (#""expect""#, #""note":"","expect""#, .unknownMember("note"), "one"),
            (#"{"a":1},"e"#, #"{"a":[{"b":1.0}]},"e"#, .notAnInteger, "one"),
            (#"{"a":1},"e"#, #"{"a":18446744073709551616},"e"#, .notAnInteger, "one"),
            (#""source":"elsewhere""#, #""source":1"#, .missing("source"), "two"),
        ] as [(String, String, VectorFault.Kind, String?)])
    func faults(part: String, replacement: String, kind: VectorFault.Kind, caseName: String?) {
        let text = Self.good.replacing(part, with: replacement)
        #expect(text != Self.good)
        #expect(throws: VectorFault(kind, file: "std/file.json", caseName: caseName)) { try parse(text) }
    }

    @Test("A file without cases, of another shape, or that is not JSON, is refused")
    func shapes() {
        let empty = #"{"standard":"S","subject":"s","description":"D","source":"x","cases":[],"rules":{}}"#
        #expect(throws: VectorFault(.empty, file: "std/file.json")) { try parse(empty) }
        #expect(throws: VectorFault(.notAnObject, file: "std/file.json")) { try parse("[]") }
        let fault = JSONFault(.unexpectedEnd, at: 1)
        #expect(throws: VectorFault(.notJSON(fault), file: "std/file.json")) { try parse("{") }
    }

    @Test("A file and a folder that are not there are named")
    func unreadable() {
        #expect(throws: VectorFault(.unreadable, file: "std/none.json")) { try vectors.file("std/none.json") }
        let nowhere = VectorFolder(directory: vectors.directory + "/none")
        #expect(throws: VectorFault(.unreadable, file: nowhere.directory)) { try nowhere.paths() }
    }
}
