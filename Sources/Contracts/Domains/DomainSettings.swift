public import LNURL
public import LightningCoding

/// The settings of a domain that the operator chooses.
public struct DomainSettings: Hashable, Sendable {
    /// Other hosts at which it is reached. Their accounts are those of the domain, and keep its name in addresses and URLs.
    public var aliases: [DomainName]
    /// The nodes that its accounts may use, the first for those that name none; empty for all.
    public var backends: [BackendName]
    /// The minimum amount of all its accounts, in msat; nil leaves it to the account and its node.
    public var minSendable: Millisatoshi?
    /// The maximum amount of all its accounts, in msat; nil leaves it to the account and its node.
    public var maxSendable: Millisatoshi?
    /// The maximum number of open invoices per account, neither paid nor expired; nil for that of the service.
    public var maximumOpenInvoices: UInt64?
    /// Names that no account can be given.
    public var reserved: [AddressName]
    /// The description of accounts that have none of their own, with `{address}` in place of the address; nil for the
    /// standard one.
    public var description: String?

    /// The most aliases, nodes or reserved names of a domain.
    public static let maximumCount = 1_000
    /// The longest description, in bytes of UTF-8.
    public static let maximumText = 4_096
    /// The place of the address in `description`.
    public static let addressPlaceholder = "{address}"

    /// Default settings: no limits.
    public init() {
        aliases = []
        backends = []
        minSendable = nil
        maxSendable = nil
        maximumOpenInvoices = nil
        reserved = []
        description = nil
    }

    /// The description of an account that has none of its own.
    public func description(for address: LightningAddress) -> String {
        guard let description else { return "Pay to \(address)" }
        return description.split(separator: Self.addressPlaceholder, omittingEmptySubsequences: false)
            .joined(separator: address.text)
    }
}
