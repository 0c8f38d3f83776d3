/// A value of a YAML document, with its place.
///
/// Scalars stay text: their type comes from their setting, not from YAML's guesses (`no`, `1_000`).
package struct YAMLNode: Hashable, Sendable {
    package indirect enum Content: Hashable, Sendable {
        case scalar(String)
        case sequence([YAMLNode])
        case mapping([Entry])
    }

    /// One key of a mapping.
    package struct Entry: Hashable, Sendable {
        package let key: String
        package let place: TextPlace
        package let value: YAMLNode
    }

    package let content: Content
    package let place: TextPlace
}

/// A place in a text; the first character is at line 1, column 1.
package struct TextPlace: Hashable, Sendable, CustomStringConvertible {
    package let line: Int
    package let column: Int

    package var description: String { "line \(line), column \(column)" }
}
