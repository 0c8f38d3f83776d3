import ServiceSetup
import LightningCoding
import Logging
import Platform

/// Writes log lines to standard error, with metadata as fields.
///
/// Fields may hold text from a node, a peer or a sender: each is truncated to `maximumText` characters, and line
/// breaks, terminal control characters and bidirectional controls are escaped.
struct StructuredLogHandler: LogHandler {
    /// The longest message and field value, in Unicode scalars.
    static let maximumText = 500

    let format: LogFormat
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var clock: WallClock = { .now() }
    var write: @Sendable (String) -> Void = { StandardStream.error.write($0) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            .map { (name: $0.key, value: Self.bounded("\($0.value)")) }
        let time = clock().iso8601
        switch format {
        case .text: write(Self.text(time, event, fields))
        case .json: write(Self.json(time, event, fields))
        }
    }

    private static func text(_ time: String, _ event: LogEvent, _ fields: [(name: String, value: String)]) -> String {
        let message = bounded("\(event.message)")
        let rest = fields.map { " \($0.name)=\(quoted($0.value))" }.joined()
        return "\(time) \(event.level) \(oneLine(message))\(rest)\n"
    }

    private static func json(_ time: String, _ event: LogEvent, _ fields: [(name: String, value: String)]) -> String {
        var object: JSONObject = [
            "time": .string(time), "level": .string(event.level.rawValue),
            "message": .string(bounded("\(event.message)").printable),
        ]
        for field in fields { object[field.name] = .string(field.value.printable) }
        return JSONValue.object(object).serialized() + "\n"
    }

    /// A value with a space or quote is written as a JSON string, so that each entry stays on one line.
    private static func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x3D && $0 != 0x7F }
        return (isPlain ? value : JSONValue.string(value).serialized()).printable
    }

    private static func oneLine(_ text: String) -> String {
        (text.contains(where: \.isNewline) ? JSONValue.string(text).serialized() : text).printable
    }

    /// The text, truncated with a mark when too long.
    private static func bounded(_ text: String) -> String {
        guard
            let end = text.unicodeScalars.index(
                text.startIndex, offsetBy: maximumText, limitedBy: text.endIndex), end < text.endIndex
        else { return text }
        return String(text.unicodeScalars[..<end]) + "…"
    }
}
