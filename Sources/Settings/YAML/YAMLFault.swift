/// Why a text is not a YAML document that we accept.
package enum YAMLFault: Error, Hashable, Sendable {
    /// The text is longer than `YAMLReader.maximumLength`.
    case tooLong
    /// Not YAML; the parser's message.
    case syntax(String, TextPlace)
    /// Mappings or sequences nested deeper than `YAMLReader.maximumDepth`.
    case tooDeep(TextPlace)
    /// `*name`: aliases are not supported.
    case alias(TextPlace)
    /// A key that is itself a mapping or a sequence.
    case keyIsNoText(TextPlace)
    /// A duplicate key in one mapping.
    case duplicateKey(String, TextPlace, first: TextPlace)
    /// A second document after `---`.
    case secondDocument(TextPlace)
}
