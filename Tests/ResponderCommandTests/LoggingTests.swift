import Installing
import LightningCoding
import Locking
import Logging
import Testing

@testable import ResponderCommand

@Suite("The log")
struct LoggingTests {
    private func line(_ format: LogFormat, _ log: (Logger) -> Void) -> String {
        let written = Guarded("")
        let logger = Logger(label: "test") { _ in
            StructuredLogHandler(format: format, level: .info, clock: { UnixTime(1_763_000_000) }) { text in
                written.withLock { $0 += text }
            }
        }
        log(logger)
        return written.withLock { $0 }
    }

    @Test("A text line has time, level, message and fields in order, each on one line")
    func text() {
        let line = line(.text) {
            $0.info("invoice settled", metadata: ["b": "two words", "a": "1", "c": "x=\n", "hb.request.id": "7"])
        }
        #expect(line == "2025-11-13T02:13:20Z info invoice settled a=1 b=\"two words\" c=\"x=\\n\" request-id=7\n")
    }

    @Test("A JSON line is one object")
    func json() throws {
        let line = line(.json) { $0.warning("a \"b\"", metadata: ["k": "v"]) }
        #expect(
            try JSONValue(parsing: line.trimmedNewline)
                == ["time": "2025-11-13T02:13:20Z", "level": "warning", "message": "a \"b\"", "k": "v"]
        )
    }

    @Test("Lines below the level are not written")
    func level() {
        #expect(line(.text) { $0.debug("x") }.isEmpty)
    }
}

extension String {
    fileprivate var trimmedNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
