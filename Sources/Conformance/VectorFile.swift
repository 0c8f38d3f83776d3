public import LightningCoding

/// One file of `Vectors/`: cases of one operation of one standard.
public struct VectorFile: Hashable, Sendable {
    /// Its path relative to the vectors folder: `bolt-11/decode.json`.
    public let path: String
    /// The name of the standard: `BOLT 11`.
    public let standard: String
    /// The operation; together with the folder it selects the runner.
    public let subject: String
    /// The input of the runner, and what it compares.
    public let description: String
    /// The cases in order, with unique names.
    public let cases: [VectorCase]
    /// Every rule that rejects a case, with its explanation.
    public let rules: [VectorRule]

    /// Its folder: `bolt-11`.
    public var folder: String {
        String(path.prefix { $0 != "/" })
    }
}

/// One input and its expected result.
public struct VectorCase: Hashable, Sendable {
    /// The expected result of an input.
    public enum Verdict: Hashable, Sendable {
        /// The input is accepted, and yields at least these values.
        case expect(JSONObject)
        /// The input breaks these rules; any may be named.
        case reject(rules: [String])
    }

    /// What demands the result.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A published document.
        case standard
        /// This project: a limit, or a choice that a document leaves.
        case policy
        /// Nothing but care: no document describes such an input.
        case robustness
    }

    /// A sentence, unique within the file.
    public let name: String
    /// What demands the expected result.
    public let kind: Kind
    /// Where the expected values come from.
    public let source: String
    /// The input of the operation.
    public let input: JSONObject
    /// The expected result.
    public let verdict: Verdict
}

/// A rule that rejects inputs.
public struct VectorRule: Hashable, Sendable {
    /// Lower-case words joined by hyphens.
    public let name: String
    /// What the rule says, and its source.
    public let explanation: String
}
