public import LNURL

/// Who is to be paid: an account, and the tag in the address (LUD-16).
public struct Recipient: Hashable, Sendable {
    /// The account.
    public let account: AccountID
    /// The account's name, with the tag.
    public let localPart: LocalPart

    /// A name of a domain.
    public init(_ localPart: LocalPart, at domain: DomainName) {
        self.localPart = localPart
        account = AccountID(localPart.name, at: domain)
    }

    /// An account, without a tag.
    public init(_ account: AccountID) {
        self.init(LocalPart(name: account.name), at: account.domain)
    }

    /// The part of the address after the `+`.
    public var tag: String? { localPart.tag }
}
