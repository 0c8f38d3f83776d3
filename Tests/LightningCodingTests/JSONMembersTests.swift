import LightningCoding
import Testing

@Suite("Members of a JSON object", .timeLimit(.minutes(5)))
struct JSONMembersTests {
    private struct Fault: JSONMemberFault, Hashable {
        let path: String
        let problem: JSONMemberProblem

        init(member path: String, _ problem: JSONMemberProblem) {
            self.path = path
            self.problem = problem
        }
    }

    private let members: JSONMembers<Fault>

    init() throws {
        members = try JSONMembers(
            JSONValue(
                parsing: """
                    {"text":"a","flag":true,"most":18446744073709551615,"float":1.0,"none":null,
                     "inner":{"hops":[{"id":7},{"id":"x"}]},"list":[1]}
                    """))
    }

    @Test("Null is absent, and unknown members do not matter")
    func absence() throws {
        #expect(members.has("text") && !members.has("none") && !members.has("nothing"))
        #expect(try members.optionalText("none") == nil && members.optionalUnsigned("nothing") == nil)
        for key in ["none", "nothing"] {
            #expect(throws: Fault(member: key, .missing)) { try members.text(key) }
            #expect(throws: Fault(member: key, .missing)) { try members.parsed(key) { Int($0) } }
        }
    }

    @Test("Integers of 64 bits are exact, and only whole numbers are read")
    func integers() throws {
        #expect(try members.unsigned("most") == .max)
        #expect(throws: Fault(member: "float", .notWholeNumber)) { try members.unsigned("float") }
        #expect(throws: Fault(member: "most", .malformed)) { let _: UInt32 = try members.number("most") }
    }

    @Test("A fault says what is wrong")
    func types() throws {
        #expect(throws: Fault(member: "flag", .notText)) { try members.optionalText("flag") }
        #expect(throws: Fault(member: "text", .notAFlag)) { try members.flag("text") }
        #expect(throws: Fault(member: "text", .notAnObject)) { try members.member("text") }
        #expect(throws: Fault(member: "text", .notAnArray)) { try members.elements("text") }
        #expect(throws: Fault(member: "text", .malformed)) { try members.parsed("text") { Int($0) } }
        #expect(throws: Fault(member: "", .notAnObject)) { try JSONMembers<Fault>([]) }
    }

    @Test("A fault names the member by its path in the document")
    func paths() throws {
        let hops = try members.member("inner").elements("hops")
        #expect(try hops[0].unsigned("id") == 7)
        #expect(throws: Fault(member: "inner.hops[1].id", .notWholeNumber)) { try hops[1].unsigned("id") }
        #expect(throws: Fault(member: "list[0]", .notAnObject)) { try members.elements("list") }
    }
}
