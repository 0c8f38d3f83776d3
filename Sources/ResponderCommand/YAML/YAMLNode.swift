/// A value of a YAML document, with the place where it stands.
///
/// Scalars stay text: what they mean is known to the setting that they are for, not to YAML's guesses (`no`, `1_000`).
struct YAMLNode: Hashable, Sendable {
    indirect enum Content: Hashable, Sendable {
        case scalar(String)
        case sequence([YAMLNode])
        case mapping([Entry])
    }

    /// One key of a mapping.
    struct Entry: Hashable, Sendable {
        let key: String
        let place: TextPlace
        let value: YAMLNode
    }

    let content: Content
    let place: TextPlace
}

/// A place in a text; the first character stands in line 1, column 1.
struct TextPlace: Hashable, Sendable, CustomStringConvertible {
    let line: Int
    let column: Int

    var description: String { "line \(line), column \(column)" }
}
