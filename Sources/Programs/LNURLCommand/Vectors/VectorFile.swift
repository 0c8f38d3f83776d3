package import LightningCoding

/// One file of `Vectors/`: cases of one operation of one standard.
package struct VectorFile: Sendable {
    /// Its path relative to the vectors folder: `bolt-11/decode.json`.
    package let path: String
    /// The operation; together with the folder it selects the runner.
    package let subject: String
    /// The cases in order, with unique names.
    package let cases: [VectorCase]

    /// Its folder: `bolt-11`.
    package var folder: String {
        String(path.prefix { $0 != "/" })
    }
}

package struct VectorCase: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// The input is accepted, and yields at least these values.
        case expect(JSONObject)
        /// The input breaks these rules; any may be named.
        case reject(rules: [String])
    }

    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case standard
        /// This project: a limit, or a choice that a document leaves.
        case policy
        /// Nothing but care: no document describes such an input.
        case robustness
    }

    /// A sentence, unique within the file.
    package let name: String
    package let kind: Kind
    package let input: JSONObject
    package let verdict: Verdict
}
