/// Why a text is not a YAML document that we read.
package enum YAMLFault: Error, Hashable, Sendable {
    /// The text is longer than `YAMLReader.maximumLength`.
    case tooLong
    /// Not YAML; the parser's own words.
    case syntax(String, TextPlace)
    /// Mappings or sequences deeper than `YAMLReader.maximumDepth`.
    case tooDeep(TextPlace)
    /// `*name`: a document of settings repeats nothing.
    case alias(TextPlace)
    /// A key that is itself a mapping or a sequence.
    case keyIsNoText(TextPlace)
    /// The same key twice in one mapping.
    case duplicateKey(String, TextPlace, first: TextPlace)
    /// A second document after `---`.
    case secondDocument(TextPlace)
}
