import Testing
@testable import ServiceSetup

@Suite("The YAML reader", .timeLimit(.minutes(5)))
struct YAMLReaderTests {
    private func read(_ text: String) throws -> YAMLNode? { try YAMLReader.read(Array(text.utf8)) }

    @Test("Keys and values keep their positions")
    func places() throws {
        let node = try #require(try read("# comment\nlisten: 127.0.0.1:1\nlimits:\n  body: \"7\"\nlist: [a, b]\n"))
        guard case .mapping(let entries) = node.content else {
            Issue.record("no mapping")
            return
        }
        #expect(entries.map(\.key) == ["listen", "limits", "list"])
        #expect(entries[0].line == 2)
        #expect(entries[0].value == YAMLNode(content: .scalar("127.0.0.1:1"), line: 2))
        let seven = YAMLNode(content: .scalar("7"), line: 4)
        let body = YAMLNode.Entry(key: "body", line: 4, value: seven)
        #expect(entries[1].value.content == .mapping([body]))
        guard case .sequence(let elements) = entries[2].value.content else { return }
        #expect(elements.map(\.content) == [.scalar("a"), .scalar("b")])
    }

    @Test("Values that YAML would interpret stay text", arguments: ["no", "1_000", "0x10", "1e3", "~", "2026-11-21"])
    func scalars(text: String) throws {
        let node = try #require(try read("key: \(text)"))
        guard case .mapping(let entries) = node.content else { return }
        #expect(entries.first?.value.content == .scalar(text))
    }

    @Test("An empty file has no contents", arguments: ["", "# only words\n", "\n\n"])
    func empty(text: String) throws {
        #expect(try read(text) == nil)
    }

    @Test(
        "A fault states its position",
        arguments: [
            (
                "a: 1\nb: 2\na: 3\n",
                .duplicateKey("a", 3, first: 1)
            ),
            ("a: &x 1\nb: *x\n", .alias(2)),
            ("? [a]\n: 1\n", .keyIsNoText(1)),
            ("a: 1\n---\nb: 2\n", .secondDocument(2)),
            (String(repeating: "[", count: 17), .tooDeep(1)),
        ] as [(String, YAMLFault)]
    )
    func faults(text: String, fault: YAMLFault) {
        #expect(throws: fault) { try read(text) }
    }

    @Test("Invalid YAML is reported with its line")
    func syntax() throws {
        do {
            _ = try read("listen: a\n  admin-listen: b\n")
            Issue.record("read")
        } catch YAMLFault.syntax(_, let line) {
            #expect(line == 2)
        }
    }

    @Test("A file over a megabyte is not read")
    func tooLong() {
        #expect(throws: YAMLFault.tooLong) {
            try YAMLReader.read([UInt8](repeating: 0x20, count: YAMLReader.maximumLength + 1))
        }
    }
}
