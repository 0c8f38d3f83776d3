import Settings
package import LNURL
package import Contracts

/// An account as typed: `alice` in the main domain, or `alice@example.org`.
package struct AccountArgument: Hashable, Sendable {
    /// The name.
    package let name: AddressName
    /// The domain; nil for the main one.
    package let domain: DomainName?

    /// Parses an account.
    package init(_ text: String) throws(CommandFailure) {
        if let name = try? AddressName(text) {
            self.name = name
            domain = nil
        } else if let id = try? AccountID(text) {
            name = id.name
            domain = id.domain
        } else {
            throw CommandFailure(
                .usage,
                "\(text) is not a valid name: it must have 1 to \(AddressName.maximumCount) characters of a-z 0-9 - _ . "
                    + "and may be followed by @ and a domain"
            )
        }
    }

    /// The account, where `main` is the main domain.
    package func id(main: DomainName) -> AccountID { AccountID(name, at: domain ?? main) }
}

extension Installation {
    /// The account as typed.
    package func id(of account: AccountArgument) -> AccountID {
        account.id(main: DomainName(of: configuration.publicURL))
    }
}
