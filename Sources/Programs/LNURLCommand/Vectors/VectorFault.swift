package import LightningCoding

/// Why a vector file is invalid, and where.
package struct VectorFault: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The file or folder cannot be read.
        case unreadable
        case notJSON(JSONFault)
        /// The file, a case or an input is not an object.
        case notAnObject
        /// A required member is missing or has the wrong type.
        case missing(String)
        case unknownMember(String)
        /// A number that is not an integer from -2^63 to 2^64-1.
        case notAnInteger
        case empty
        /// Two cases have the same name.
        case duplicateName
        /// A case with both `expect` and `reject`, or with neither.
        case ambiguousVerdict
        /// A case of a kind that there is not.
        case unknownKind
        /// A rule's name that is not lower-case words joined by hyphens.
        case badRuleName(String)
        /// A rejecting rule without explanation.
        case unexplainedRule(String)
        /// An explained rule that no case uses.
        case unusedRule(String)
        /// The program was started several times, and has never answered.
        case silentProgram
    }

    package let kind: Kind
    /// The file, relative to the vectors folder.
    package let file: String
    /// The case, if any: its name, or its number when the name is missing.
    package let caseName: String?

    package init(_ kind: Kind, file: String, caseName: String? = nil) {
        self.kind = kind
        self.file = file
        self.caseName = caseName
    }

    /// The same as `reason`.
    package var description: String { reason }

    /// For the report: file, case and what is wrong.
    package var reason: String {
        caseName.map { "\(file), “\($0)”: \(kind.reason)" } ?? "\(file): \(kind.reason)"
    }
}

extension VectorFault.Kind {
    fileprivate var reason: String {
        switch self {
        case .unreadable: "it cannot be read"
        case .notJSON(let fault): "it is not JSON: \(fault.reason)"
        case .notAnObject: "it is not a JSON object"
        case .missing(let member): "\(member) is missing, or of another type"
        case .unknownMember(let member): "\(member) is unknown"
        case .notAnInteger: "a number is not an integer in range"
        case .empty: "it has no cases"
        case .duplicateName: "two cases have this name"
        case .ambiguousVerdict: "it has both expect and reject, or neither, or a list of fewer than two rules"
        case .unknownKind: "its kind is none of standard, policy and robustness"
        case .badRuleName(let rule): "\(rule) is not the name of a rule"
        case .unexplainedRule(let rule): "the rule \(rule) is not explained"
        case .unusedRule(let rule): "the rule \(rule) rejects no case"
        case .silentProgram: "it was started three times, and gave no answer"
        }
    }
}
