public import LightningCoding

/// Whom a limit counts: one IPv4 address, or one IPv6 network of 64 bits, which is what one customer has at least.
public struct ClientNetwork: Hashable, Sendable {
    private let network: IPAddress

    /// The network of an address. An IPv4 address in its IPv6 spelling counts as IPv4.
    public init(_ address: IPAddress) {
        switch address.withoutMapping {
        case .v4(let number): network = .v4(number)
        case .v6(let high, _): network = .v6(high: high, low: 0)
        }
    }
}
