/// Places that strangers share: bounded in all, and for each client network, host and key, so that no single one takes
/// those of all others. Without a clock or any waiting of its own.
public struct FairShare: Sendable {
    /// Who takes a place.
    public struct Stranger: Hashable, Sendable {
        /// Where it comes from; nil for one who was not reached over a connection of its own.
        public var network: ClientNetwork?
        /// The host that is called for it, in lower case; nil for none.
        public var host: String?
        /// For whom: such as an account or a device, and how many places those have together.
        public var keys: [String: Int]

        /// Creates one.
        public init(network: ClientNetwork? = nil, host: String? = nil, keys: [String: Int] = [:]) {
            self.network = network
            self.host = host
            self.keys = keys
        }
    }

    /// Why there is no place.
    public enum Refusal: Error, Hashable, Sendable {
        /// All are taken.
        case full
        /// Those of the network or the host are taken.
        case crowded
        /// Those for the key are taken.
        case busy
    }

    private enum Holder: Hashable {
        case network(ClientNetwork), host(String), key(String)
    }

    private var taken: [Holder: Int] = [:]
    /// How many places are taken.
    public private(set) var count = 0
    /// How many there are.
    public var total: Int

    /// Creates free places.
    public init(_ total: Int) {
        self.total = total
    }

    /// How many an IPv4 address or a /64 may take; a /56 may take twice as many, and a /48 or a host twice as many as that.
    public var ofNetwork: Int { max(1, total / 8) }

    /// Takes a place.
    public mutating func take(_ who: Stranger) throws(Refusal) {
        guard count < total else { throw .full }
        for (holder, limit, refusal) in holders(who) where taken[holder, default: 0] >= limit { throw refusal }
        for (holder, _, _) in holders(who) { taken[holder, default: 0] += 1 }
        count += 1
    }

    /// Gives a place back that was taken.
    public mutating func release(_ who: Stranger) {
        for (holder, _, _) in holders(who) {
            let rest = taken[holder, default: 1] - 1
            taken[holder] = rest > 0 ? rest : nil
        }
        count -= 1
    }

    private func holders(_ who: Stranger) -> [(Holder, Int, Refusal)] {
        var holders: [(Holder, Int, Refusal)] = who.keys.map { (.key($0), $1, .busy) }
        for (level, network) in (who.network?.nested ?? []).enumerated() {
            holders.append((.network(network), ofNetwork << level, .crowded))
        }
        if let host = who.host { holders.append((.host(host), ofNetwork << 2, .crowded)) }
        return holders
    }
}
