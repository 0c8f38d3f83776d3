public import LightningCoding

/// Which member of what an app sends is wrong.
public struct DeviceMemberFault: JSONMemberFault, ReadableFault, Hashable {
    /// Its path; empty for the document.
    public let member: String
    /// What is wrong with it.
    public let problem: JSONMemberProblem

    /// The fault of the member at that path.
    public init(member path: String, _ problem: JSONMemberProblem) {
        member = path
        self.problem = problem
    }

    /// The text for the developer of an app.
    public var reason: String {
        let name = member.isEmpty ? "the body" : member
        return switch problem {
        case .missing: "\(name) is missing"
        case .malformed: "\(name) is malformed"
        case .notText, .notAFlag, .notWholeNumber, .notAnObject, .notAnArray:
            "\(name) must be \(problem.expected ?? "something else")"
        }
    }
}
