package import LNURL

/// An account name as typed.
package enum AccountArgument {
    /// Parses a name.
    package static func name(_ text: String) throws(CommandFailure) -> AddressName {
        do {
            return try AddressName(text)
        } catch {
            throw CommandFailure(
                .usage,
                "\(text) is no name: it must have 1 to \(AddressName.maximumCount) characters of a-z 0-9 - _ ."
            )
        }
    }
}
