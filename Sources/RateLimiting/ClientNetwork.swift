public import LightningCoding

/// The unit that a limit counts: an IPv4 address, or an IPv6 /64 network, the least that a customer gets.
public struct ClientNetwork: Hashable, Sendable {
    private let network: IPAddress

    /// The network of an address. An IPv4-mapped IPv6 address counts as IPv4.
    public init(_ address: IPAddress) {
        switch address.withoutMapping {
        case .v4(let number): network = .v4(number)
        case .v6(let high, _): network = .v6(high: high, low: 0)
        }
    }
}
