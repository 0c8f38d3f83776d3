package import LightningCoding

/// What a limit of strangers counts: an IPv4 address, or an IPv6 network. All whose address is unknown are one.
///
/// A customer of IPv6 has at least a /64, and at home often a /56 or a /48 of them: whoever counts the first only counts
/// nothing. Wider networks may also be many customers, so they get more.
package struct ClientNetwork: Hashable, Sendable {
    private let network: IPAddress?
    private let bits: Int

    /// The smallest network of an address; nil for an unknown one. An IPv4-mapped IPv6 address counts as IPv4.
    package init(_ address: IPAddress?) {
        self.init(address, bits: 64)
    }

    private init(_ address: IPAddress?, bits: Int) {
        switch address?.withoutMapping {
        case .v6?: (network, self.bits) = (address?.masked(to: bits), bits)
        case let other: (network, self.bits) = (other, 64)
        }
    }

    /// The network, and those around it that are counted too, the smallest first: /64, /56 and /48; an IPv4 address alone.
    package var nested: [ClientNetwork] {
        guard case .v6 = network else { return [self] }
        return [self, ClientNetwork(network, bits: 56), ClientNetwork(network, bits: 48)]
    }
}
