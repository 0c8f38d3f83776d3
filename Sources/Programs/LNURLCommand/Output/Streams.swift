import LightningCoding
import Platform

/// Files and standard input, read whole up to a limit, and files that are written.
enum Streams {
    /// Enough for any response of a service, without exhausting memory.
    private static let maximumCount = 4 << 20

    /// Reads a file, or standard input for `-`.
    static func read(_ path: String) throws(ToolFault) -> [UInt8] {
        do {
            let file = path == "-" ? try OpenFile.standardInput() : try OpenFile(reading: path)
            return try file.contents(limit: maximumCount)
        } catch .tooLong {
            throw .tooLongInput(path)
        } catch {
            throw .unreadable(path)
        }
    }

    /// Reads a text, without surrounding white space.
    static func readText(_ path: String) throws(ToolFault) -> String {
        let bytes = try read(path)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(path) }
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }

    /// Writes a file readable by everyone.
    static func write(_ bytes: [UInt8], to path: String) throws(ToolFault) {
        try rethrowing(OpenFile(overwriting: path).write(bytes), as: ToolFault.unwritable(path))
    }
}

/// A progress line on standard error: rewritten on a terminal, written once elsewhere.
final class Progress: Sendable {
    private let isTerminal = StandardStream.error.isTerminal
    private let isShown = Guarded(false)

    /// - Parameter once: what is written in its place where it cannot be rewritten.
    func show(_ line: String, once: String) {
        let isFirst = isShown.withLock { isShown in
            defer { isShown = true }
            return !isShown
        }
        if isTerminal {
            StandardStream.error.write("\r\u{1B}[K… \(line)")
        } else if isFirst {
            StandardStream.error.write("… \(once)\n")
        }
    }

    func end() {
        if isTerminal, isShown.withLock({ $0 }) { StandardStream.error.write("\r\u{1B}[K") }
    }
}
