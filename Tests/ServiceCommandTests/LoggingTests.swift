import ServiceSetup
import LightningCoding
import Logging
import Platform
import Testing
@testable import ServiceCommand

@Suite("The log", .timeLimit(.minutes(5)))
struct LoggingTests {
    private func line(_ format: LogFormat, _ log: (Logger) -> Void) -> String {
        let written = Guarded("")
        let logger = Logger(label: "test") { _ in
            StructuredLogHandler(format: format, logLevel: .info, clock: { UnixTime(1_763_000_000) }) { text in
                written.withLock { $0 += text }
            }
        }
        log(logger)
        return written.withLock { $0 }
    }

    @Test("A text line has time, level, message and fields in order, each on one line")
    func text() {
        let line = line(.text) {
            $0.info("invoice settled", metadata: ["b": "two words", "a": "1", "c": "x=\n"])
        }
        #expect(line == "2025-11-13T02:13:20Z info invoice settled a=1 b=\"two words\" c=\"x=\\n\"\n")
    }

    @Test("A JSON line is one object")
    func json() throws {
        let line = line(.json) { $0.warning("a \"b\"", metadata: ["k": "v"]) }
        #expect(
            try JSONValue(parsing: line.trimmedNewline)
                == ["time": "2025-11-13T02:13:20Z", "level": "warning", "message": "a \"b\"", "k": "v"]
        )
    }

    /// What a node may send to exploit the log's format.
    private static let hostile =
        "no\n2025-11-13T02:13:21Z info invoice settled\r\u{1B}[2J\u{7F}\u{85}\u{2028}\u{202E}\u{0}"
        + String(repeating: "é", count: 1_000_000)

    @Test("Untrusted text is on one line, truncated, without terminal controls", arguments: [LogFormat.text, .json])
    func foreignWords(format: LogFormat) throws {
        let line = line(format) { $0.warning("\(Self.hostile)", metadata: ["cause": "\(Self.hostile)", "z": "1"]) }
        #expect(line.hasSuffix("\n") && line.dropLast().allSatisfy { !$0.isNewline })
        #expect(line.count < 3 * StructuredLogHandler.maximumText)
        for scalar in line.unicodeScalars.dropLast() {
            let category = scalar.properties.generalCategory
            #expect(![.control, .format, .lineSeparator, .paragraphSeparator].contains(category))
        }
        #expect(line.contains("é…") && line.contains("\\u{202e}"))
        guard format == .json else { return }
        let object = try #require(try JSONValue(parsing: line.trimmedNewline).object)
        #expect(object.members.map(\.key) == ["time", "level", "message", "cause", "z"])
    }

    @Test("A text of the maximum length is complete, a longer one is truncated")
    func bounds() {
        let longest = String(repeating: "a", count: StructuredLogHandler.maximumText)
        #expect(line(.text) { $0.info("m", metadata: ["k": "\(longest)"]) }.hasSuffix(" k=\(longest)\n"))
        #expect(line(.text) { $0.info("m", metadata: ["k": "\(longest)a"]) }.hasSuffix(" k=\(longest)…\n"))
    }

    @Test("Entries below the level are not written")
    func level() {
        #expect(line(.text) { $0.debug("x") }.isEmpty)
    }
}

extension String {
    fileprivate var trimmedNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
