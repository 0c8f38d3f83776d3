import LightningCoding
import Testing
@testable import LNURLCommand

@Suite("Running vectors", .timeLimit(.minutes(5)))
struct VectorRunnerTests {
    private func outcomes(
        of cases: [String], subject: String = "echo", rules: String
    ) async throws -> [VectorResult.Outcome] {
        let text = """
            {"standard":"S","subject":"\(subject)","description":"D","source":"x","rules":{\(rules)},
             "cases":[\(cases.joined(separator: ","))]}
            """
        let file = try VectorFile(parsing: Array(text.utf8), path: "std/file.json")
        var outcomes: [VectorResult.Outcome] = []
        for vector in file.cases { outcomes.append(await [VectorRunner.echo].judge(vector, of: file)) }
        return outcomes
    }

    @Test("A case passes when every value that it names is what came out")
    func values() async throws {
        let found = try await outcomes(
            of: [
                #"{"name":"same","kind":"standard","input":{"a":1,"b":"é"},"expect":{"b":"é","a":1}}"#,
                #"{"name":"other","kind":"standard","input":{"a":1},"expect":{"a":2}}"#,
                #"{"name":"missing","kind":"standard","input":{"a":1},"expect":{"b":null}}"#,
                #"{"name":"spelling","kind":"standard","input":{"a":"\u00e9"},"expect":{"a":"e\u0301"}}"#,
            ], rules: "")
        #expect(
            found == [
                .passed, .failed(reason: "a is 1, not 2"), .failed(reason: "b is nothing, not null"),
                .failed(reason: "a is \"\u{e9}\", not \"e\u{301}\""),
            ])
    }

    @Test("A case to be rejected passes when its own rule rejects it")
    func rules() async throws {
        let found = try await outcomes(
            of: [
                #"{"name":"1","kind":"standard","input":{"reject":"empty"},"reject":"empty"}"#,
                #"{"name":"2","kind":"standard","input":{"reject":"empty"},"reject":"full"}"#,
                #"{"name":"3","kind":"standard","input":{"a":1},"reject":"full"}"#,
                #"{"name":"4","kind":"standard","input":{"reject":"empty"},"expect":{}}"#,
                #"{"name":"5","kind":"standard","input":{"reject":"unnamed"},"reject":"empty"}"#,
                #"{"name":"6","kind":"standard","input":{"reject":7},"reject":"empty"}"#,
            ], rules: #""empty":"E.","full":"F.""#)
        #expect(
            found == [
                .passed, .failed(reason: "rejected by empty, not by full"),
                .failed(reason: "accepted, not rejected by full"), .failed(reason: "rejected by empty"),
                .failed(reason: "a fault without the name of a rule: it is nested too deeply, at byte 0"),
                .failed(reason: "input reject is missing or unusable"),
            ])
    }

    @Test("A file of an unknown subject fails in every case")
    func unknownSubject() async throws {
        let found = try await outcomes(
            of: [
                #"{"name":"1","kind":"standard","input":{},"expect":{}}"#,
                #"{"name":"2","kind":"standard","input":{},"reject":"r"}"#,
            ],
            subject: "sing", rules: #""r":"R.""#)
        #expect(found == [.failed(reason: "no runner for std, sing"), .failed(reason: "no runner for std, sing")])
    }

    @Test("Inputs are typed: bytes are lower-case hexadecimal, integers have 64 bits")
    func inputs() throws {
        let members: JSONObject = [
            "bytes": "00ff", "upper": "FF", "odd": "0", "n": .unsigned(.max), "neg": -1, "none": .null,
        ]
        let input = VectorInput(members)
        #expect(try input.bytes("bytes") == [0x00, 0xff])
        #expect(try input.unsigned("n") == .max)
        #expect(input.has("n") && !input.has("none") && !input.has("absent"))
        for name in ["upper", "odd", "n", "absent"] {
            #expect(throws: InputFault(member: name)) { try input.bytes(name) }
        }
        #expect(throws: InputFault(member: "neg")) { try input.unsigned("neg") }
        #expect(throws: InputFault(member: "bytes")) { try input.flag("bytes") }
        #expect(throws: InputFault(member: "absent")) { try input.value("absent") }
    }

    @Test("The report counts, and prints what did not pass")
    func report() {
        let report = VectorReport(files: [
            VectorFileReport(
                path: "a/b.json",
                results: [
                    VectorResult(name: "one", outcome: .passed),
                    VectorResult(name: "two", outcome: .failed(reason: "why")),
                ]),
            VectorFileReport(
                path: "c.json", results: [VectorResult(name: nil, outcome: .failed(reason: "c.json: it has no cases"))]),
        ])
        #expect((report.results.passed, report.results.failed) == (1, 2))
        #expect(!report.isSuccess)
        #expect(
            report.table == """
                File       Passed   Failed
                a/b.json        1        1
                    failed: “two”: why
                c.json          0        1
                    failed: c.json: it has no cases
                Total           1        2
                """)
        #expect(report.json["failed"] == 2)
        #expect(report.json["files"]?.array?.first?["remarks"] == ["failed: “two”: why"])
    }

    @Test("A report on nothing is no success")
    func nothing() {
        #expect(!VectorReport(files: []).isSuccess)
    }
}

extension VectorRunner {
    /// Gives its input back; `reject` in it names how it ends instead.
    fileprivate static let echo = VectorRunner("std", "echo") { input in
        guard input.has("reject") else { return input.object }
        throw try input.text("reject") == "empty" ? BrokenRule(rule: "empty") as any Error : JSONFault(.tooDeep, at: 0)
    }
}
