import LightningCoding
import Testing

@testable import CoreLightning

@Suite("Objects in a stream", .timeLimit(.minutes(5)))
struct DocumentSplitterTests {
    private func split(_ pieces: [String], limits: JSONLimits = JSONLimits()) throws -> [String] {
        var splitter = DocumentSplitter(limits: limits)
        return try pieces.flatMap { try splitter.take($0.utf8) }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("Objects end at their closing brackets, however they are split and whatever lies between them")
    func boundaries() throws {
        let objects = [#"{"a":1}"#, #"{"b":{"c":["}]","\"{","\\"]}}"#, "{}"]
        #expect(try split([objects.joined()]) == objects)
        #expect(try split([objects.joined(separator: "\n\n") + " \r\n\t"]) == objects)
        #expect(try split(objects.joined(separator: "\n").map(String.init)) == objects)
    }

    @Test("Half an object is not returned")
    func half() throws {
        var splitter = DocumentSplitter(limits: JSONLimits())
        #expect(try splitter.take(#"{"a":"}"#.utf8).isEmpty)
        #expect(splitter.isWithinDocument)
        #expect(try splitter.take("\"}".utf8).count == 1)
        #expect(!splitter.isWithinDocument)
    }

    @Test("Only objects are accepted", arguments: ["x", "[", "\"", "}", "1", "HTTP/1.1 400", "\0"])
    func garbage(_ text: String) {
        #expect(throws: DocumentSplitter.Fault.notAnObject) { try split([text]) }
        #expect(throws: DocumentSplitter.Fault.notAnObject) { try split(["{}" + text]) }
    }

    @Test("An object may be as long as the limit, and not a byte longer")
    func size() throws {
        let limits = JSONLimits(maximumBytes: 10)
        #expect(try split([#"{"a":"bc"}"#, #"{"a":"bc"}"#], limits: limits).count == 2)
        #expect(throws: DocumentSplitter.Fault.tooLarge) { try split([#"{"a":"bcd"}"#], limits: limits) }
        #expect(throws: DocumentSplitter.Fault.tooLarge) { try split([#"{"a":"bcdef"#], limits: limits) }
    }

    @Test("Brackets may be nested as deeply as the limit, and not one level deeper")
    func depth() throws {
        let limits = JSONLimits(maximumDepth: 3)
        #expect(try split([#"{"a":[[]]}"#], limits: limits).count == 1)
        #expect(throws: DocumentSplitter.Fault.tooDeep) { try split([#"{"a":[[["#], limits: limits) }
    }
}
