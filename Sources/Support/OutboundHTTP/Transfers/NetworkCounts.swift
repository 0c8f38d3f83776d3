import LightningCoding

/// How many transfers are on their way to each network. Confined to the loop's thread.
final class NetworkCounts {
    private let maximum: Int
    private var counts: [Network: Int] = [:]

    /// The first 24 bits of an IPv4 address, 48 of an IPv6 address: what one owner of names can easily have.
    struct Network: Hashable {
        private let prefix: IPAddress

        init(_ address: IPAddress) {
            switch address.withoutMapping {
            case .v4(let number): prefix = .v4(number & 0xFFFF_FF00)
            case .v6(let high, _): prefix = .v6(high: high & 0xFFFF_FFFF_FFFF_0000, low: 0)
            }
        }
    }

    init(maximum: Int) { self.maximum = max(1, maximum) }

    var isLimited: Bool { maximum < .max }

    /// Takes a place; false when there is none.
    func take(_ network: Network) -> Bool {
        let count = counts[network, default: 0]
        guard count < maximum else { return false }
        counts[network] = count + 1
        return true
    }

    /// Gives places back.
    func release(_ networks: Set<Network>) {
        for network in networks {
            guard let count = counts[network] else { continue }
            counts[network] = count > 1 ? count - 1 : nil
        }
    }
}
