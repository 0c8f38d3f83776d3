import LightningCoding

/// Slots that strangers share: bounded in all, for each client network, and for each of whatever else they take them for.
package final class SharedSlots: Sendable {
    /// Of which slots one is taken besides those of all, and how many of them there are.
    package struct Share: Hashable, Sendable {
        fileprivate let name: ExactText
        fileprivate var network: ClientNetwork?
        fileprivate let limit: Limit

        fileprivate enum Limit: Hashable {
            case most(Int)
            case part(Int)
            case asManyAsFree
        }

        /// - Parameter network: whose part of the share it is; nil for the whole.
        package static func most(_ count: Int, of name: String, from network: ClientNetwork? = nil) -> Share {
            Share(name: ExactText(name), network: network, limit: .most(count))
        }

        package static func part(_ count: Int, of name: String) -> Share {
            Share(name: ExactText(name), limit: .part(count))
        }

        /// As many as are free: half of them for one alone, and less the more the others have. For what many honest people may
        /// have in common, such as the host of a service.
        package static func asManyAsFree(of name: String) -> Share {
            Share(name: ExactText(name), limit: .asManyAsFree)
        }
    }

    /// Why there is no slot.
    package enum Refusal: Error, Hashable, Sendable {
        case full
        case network
        case share
    }

    private enum Holder: Hashable {
        case network(ClientNetwork), share(ExactText, ClientNetwork?)
    }

    private struct State {
        var total: Int
        var count = 0
        var taken: [Holder: Int] = [:]
    }

    private let state: Guarded<State>

    package init(_ total: Int) {
        state = Guarded(State(total: total))
    }

    /// How many there are. When there are fewer, those that are taken stay taken.
    package var total: Int {
        get { state.withLock { $0.total } }
        set { state.withLock { $0.total = newValue } }
    }

    package var count: Int { state.withLock { $0.count } }

    /// How many networks and shares have one.
    var holderCount: Int { state.withLock { $0.taken.count } }

    /// Takes a slot.
    ///
    /// - Parameters:
    ///   - network: the client's, which has an eighth of all slots; a /56 has a quarter, a /48 half of them. nil for whoever
    ///     has no connection.
    ///   - shares: of which others it is one.
    /// - Returns: the slot, which is free again at the latest once nobody refers to it.
    package func take(for network: ClientNetwork?, _ shares: [Share] = []) throws(Refusal) -> Slot {
        let networks = network?.nested ?? []
        try state.withLock { state throws(Refusal) in
            func isFree(_ holder: Holder, _ limit: Int) -> Bool { state.taken[holder, default: 0] < max(1, limit) }
            guard state.count < state.total else { throw .full }
            for (level, network) in networks.enumerated() {
                guard isFree(.network(network), state.total / (8 >> level)) else { throw .network }
            }
            for share in shares {
                let limit =
                    switch share.limit {
                    case .most(let count): count
                    case .part(let count): state.total / count
                    case .asManyAsFree: state.total - state.count
                    }
                guard isFree(.share(share.name, share.network), limit) else { throw .share }
            }
            state.count += 1
            for holder in Self.holders(networks, shares) { state.taken[holder, default: 0] += 1 }
        }
        return Slot { [state] in
            state.withLock { state in
                state.count -= 1
                for holder in Self.holders(networks, shares) {
                    state.taken[holder] = state.taken[holder].flatMap { $0 > 1 ? $0 - 1 : nil }
                }
            }
        }
    }

    private static func holders(_ networks: [ClientNetwork], _ shares: [Share]) -> [Holder] {
        networks.map { .network($0) } + shares.map { .share($0.name, $0.network) }
    }

    package final class Slot: Sendable {
        private let release: Guarded<(@Sendable () -> Void)?>

        fileprivate init(_ release: @escaping @Sendable () -> Void) {
            self.release = Guarded(release)
        }

        deinit { free() }

        /// Frees it now, whoever still refers to it.
        package func free() {
            release.withLock { release in
                defer { release = nil }
                return release
            }?()
        }
    }
}
