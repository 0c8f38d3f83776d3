public import LightningCoding

/// One file of `Vectors/`: cases of one operation of one standard.
public struct VectorFile: Hashable, Sendable {
    /// Where it lies, from the folder of all vectors on: `bolt-11/decode.json`.
    public let path: String
    /// The standard as it calls itself: `BOLT 11`.
    public let standard: String
    /// The operation; with the folder it selects the runner.
    public let subject: String
    /// Which input a runner takes and what it compares.
    public let description: String
    /// The cases in order, each name once.
    public let cases: [VectorCase]
    /// Every rule that rejects a case, and what it says.
    public let rules: [VectorRule]

    /// The folder below that of all vectors: `bolt-11`.
    public var folder: String {
        String(path.prefix { $0 != "/" })
    }
}

/// One input and what must come of it.
public struct VectorCase: Hashable, Sendable {
    /// What must come of an input.
    public enum Verdict: Hashable, Sendable {
        /// The input is accepted, and gives at least these values.
        case expect(JSONObject)
        /// The input breaks this rule.
        case reject(rule: String)
    }

    /// A sentence that no other case of the file has.
    public let name: String
    /// Where the expected values come from.
    public let source: String
    /// What the operation is given.
    public let input: JSONObject
    /// What must come of it.
    public let verdict: Verdict
}

/// A rule that rejects inputs.
public struct VectorRule: Hashable, Sendable {
    /// Lower-case words joined by hyphens.
    public let name: String
    /// What the rule says, and where it stands.
    public let explanation: String

    /// A rule and what it says.
    public init(name: String, explanation: String) {
        self.name = name
        self.explanation = explanation
    }
}
