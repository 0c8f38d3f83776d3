package import LightningCoding

/// The input of a case. A runner reads it member by member; a missing or mistyped member is a fault of the case and
/// fails it, even when rejection is expected.
package typealias VectorInput = JSONMembers<InputFault>

package struct InputFault: JSONMemberFault, Hashable {
    /// The member that is missing or unusable, by its path.
    package let member: String

    package init(member path: String, _ problem: JSONMemberProblem = .malformed) { member = path }
}

extension VectorInput {
    /// Bytes, in lower-case hexadecimal.
    package func bytes(_ name: String) throws(InputFault) -> [UInt8] {
        try parsed(name) { text in
            let bytes = try Hexadecimal.decode(text)
            return Hexadecimal.encode(bytes) == text ? bytes : nil
        }
    }
}
