public import LightningCoding

/// The input of a case. A runner reads it member by member; a missing or mistyped member is a fault of the case and
/// fails it, even when rejection is expected.
public typealias VectorInput = JSONMembers<InputFault>

/// Why a runner cannot use an input.
public struct InputFault: JSONMemberFault, Hashable {
    /// The member that is missing or unusable, by its path.
    public let member: String

    /// Creates a fault of a member.
    public init(member path: String, _ problem: JSONMemberProblem = .malformed) { member = path }
}

extension VectorInput {
    /// Bytes, in lower-case hexadecimal.
    public func bytes(_ name: String) throws(InputFault) -> [UInt8] {
        try parsed(name) { text in
            let bytes = try Hexadecimal.decode(text)
            return Hexadecimal.encode(bytes) == text ? bytes : nil
        }
    }
}
