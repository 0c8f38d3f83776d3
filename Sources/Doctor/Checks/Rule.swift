/// What a check relies on: a document and what it says.
public struct Rule: Hashable, Sendable {
    /// The document, such as `LUD-06`; `practice` where wallets rely on what no document says.
    public let document: String
    /// What it says, as a sentence.
    public let text: String

    /// Creates a rule.
    public init(_ document: String, _ text: String) {
        self.document = document
        self.text = text
    }
}

/// A wallet, library or shop that failed at a server that breaks a rule.
public struct BrokenClient: Hashable, Sendable {
    /// What failed: `Alby`, or what happened: `BitBanana refuses the invoice`.
    public let name: String
    /// Where it was reported: `owner/repository#number`.
    public let source: String

    /// Creates a report.
    public init(_ name: String, _ source: String) {
        self.name = name
        self.source = source
    }
}

/// How bad it is to break a rule.
public enum Severity: String, Hashable, Sendable {
    /// A document demands it, or money is lost: breaking it fails.
    case must
    /// A document recommends it, or known wallets need it: breaking it is a warning.
    case should
}
