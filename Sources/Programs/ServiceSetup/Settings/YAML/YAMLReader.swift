import CYAML
import LightningCoding

/// Parses one YAML document with libyaml, keeping the line of every key and value. The first line is 1.
package struct YAMLReader: ~Copyable {
    package static let maximumLength = 1 << 20
    package static let maximumDepth = 16

    private let parser: UnsafeMutablePointer<yaml_parser_t>

    /// The document in a text; nil when it is empty apart from comments.
    package static func read(_ text: [UInt8]) throws(YAMLFault) -> YAMLNode? {
        guard text.count <= maximumLength else { throw .tooLong }
        let result: Result<YAMLNode?, YAMLFault> = text.withUnsafeBufferPointer { buffer in
            let reader = YAMLReader(buffer)
            return Result { () throws(YAMLFault) in try reader.readDocument() }
        }
        return try result.get()
    }

    /// The bytes are read while parsing, so they must outlive the reader.
    private init(_ text: UnsafeBufferPointer<UInt8>) {
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deinitialize(count: 1)
        parser.deallocate()
    }

    private func readDocument() throws(YAMLFault) -> YAMLNode? {
        _ = try next()
        guard try next().kind != YAML_STREAM_END_EVENT else { return nil }
        let root = try node(after: try next(), depth: 0)
        _ = try next()
        let end = try next()
        guard end.kind == YAML_STREAM_END_EVENT else { throw .secondDocument(end.line) }
        return root
    }

    private func node(after event: Event, depth: Int) throws(YAMLFault) -> YAMLNode {
        guard depth < Self.maximumDepth else { throw .tooDeep(event.line) }
        switch event.kind {
        case YAML_SCALAR_EVENT: return YAMLNode(content: .scalar(event.text), line: event.line)
        case YAML_SEQUENCE_START_EVENT: return try sequence(from: event.line, depth: depth + 1)
        case YAML_MAPPING_START_EVENT: return try mapping(from: event.line, depth: depth + 1)
        default: throw .alias(event.line)
        }
    }

    private func sequence(from line: Int, depth: Int) throws(YAMLFault) -> YAMLNode {
        var elements: [YAMLNode] = []
        var event = try next()
        while event.kind != YAML_SEQUENCE_END_EVENT {
            elements.append(try node(after: event, depth: depth))
            event = try next()
        }
        return YAMLNode(content: .sequence(elements), line: line)
    }

    private func mapping(from line: Int, depth: Int) throws(YAMLFault) -> YAMLNode {
        var entries: [YAMLNode.Entry] = []
        var lines: [ExactText: Int] = [:]
        var event = try next()
        while event.kind != YAML_MAPPING_END_EVENT {
            guard event.kind == YAML_SCALAR_EVENT else { throw .keyIsNoText(event.line) }
            if let first = lines.updateValue(event.line, forKey: ExactText(event.text)) {
                throw .duplicateKey(event.text, event.line, first: first)
            }
            let value = try node(after: try next(), depth: depth)
            entries.append(YAMLNode.Entry(key: event.text, line: event.line, value: value))
            event = try next()
        }
        return YAMLNode(content: .mapping(entries), line: line)
    }

    private struct Event {
        let kind: yaml_event_type_t
        let text: String
        let line: Int
    }

    private static func line(_ mark: yaml_mark_t) -> Int { Int(mark.line) + 1 }

    private func next() throws(YAMLFault) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else {
            let problem = parser.pointee.problem.map { String(cString: $0) } ?? "not readable"
            throw .syntax(problem, Self.line(parser.pointee.problem_mark))
        }
        defer { yaml_event_delete(&event) }
        var text = ""
        if event.type == YAML_SCALAR_EVENT {
            let scalar = event.data.scalar
            text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
        }
        return Event(kind: event.type, text: text, line: Self.line(event.start_mark))
    }
}

/// A value of a YAML document, with its line.
///
/// Scalars stay text: their type comes from their setting, not from YAML's guesses (`no`, `1_000`).
package struct YAMLNode: Hashable, Sendable {
    package indirect enum Content: Hashable, Sendable {
        case scalar(String)
        case sequence([YAMLNode])
        case mapping([Entry])
    }

    package struct Entry: Hashable, Sendable {
        package let key: String
        package let line: Int
        package let value: YAMLNode
    }

    package let content: Content
    package let line: Int
}

/// Why a text is not a YAML document that we accept, with the line.
package enum YAMLFault: Error, Hashable, Sendable {
    case tooLong
    case syntax(String, Int)
    case tooDeep(Int)
    case alias(Int)
    case keyIsNoText(Int)
    case duplicateKey(String, Int, first: Int)
    case secondDocument(Int)
}
