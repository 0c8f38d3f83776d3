package import LNURL
package import LightningCoding
package import LightningCrypto

/// Decides on orders: what a ledger must then write, in the same transaction in which it read the state.
package struct RegistrationRules: Hashable, Sendable {
    /// Names that no key may take.
    package var reserved: Set<AddressName>
    /// How long a name that was given up is held for its owner, in seconds; nil for ever.
    package var hold: UInt64?
    /// How many names an owner may have given up within `releasePeriod` and still take another one.
    package var maximumReleases = 3
    /// The period, in seconds.
    package var releasePeriod: UInt64 = 30 * 86_400

    package init(reserved: Set<AddressName> = [], hold: UInt64? = nil) {
        self.reserved = reserved
        self.hold = hold
    }
}

package struct RegistrationState: Hashable, Sendable {
    package var own: Registration?
    package var nameState: NameState
    /// When the owner gave names up, within the rules' period.
    package var releases: [UnixTime]
    /// What the order's statement was used for before.
    package var used: Set<StatementClaim.Use>

    package init(
        own: Registration? = nil, nameState: NameState = .free,
        releases: [UnixTime] = [], used: Set<StatementClaim.Use> = []
    ) {
        self.own = own
        self.nameState = nameState
        self.releases = releases
        self.used = used
    }
}

package enum RegistrationAction: Hashable, Sendable {
    case use(StatementClaim)
    /// Store the registration of its key, with a version of its own.
    case put(Registration)
    case remove(RegistrationID)
    /// Hold the name for its last owner.
    case hold(AddressName, for: OwnerDigest)
    case unhold(AddressName)
}

extension RegistrationRules {
    package func actions(
        for order: RegistrationOrder, in state: RegistrationState, at now: UnixTime
    ) throws(RegistrationRefusal) -> [RegistrationAction] {
        let isDone = self.isDone(order, state)
        // By what was only read, a wallet may register that had nothing, and renew what it has.
        guard state.used.isEmpty || state.used == [.read] && (state.own == nil || isDone) else {
            // A client that has missed the answer asks again.
            guard isDone else { throw .replayed }
            return []
        }
        let change = try changes(order, state, at: now)
        // Whoever has seen a text that was only read cannot use it up before its wallet does.
        if state.used == [.read], change.isEmpty { return [] }
        return order.claims.filter { !state.used.contains($0.use) }.map { .use($0) } + change
    }

    /// Whether a statement that was used before asks for nothing but the present state.
    private func isDone(_ order: RegistrationOrder, _ state: RegistrationState) -> Bool {
        switch order.change {
        case .register(let webhook, let name, let offer):
            guard let own = state.own else { return false }
            return own.webhook == webhook && own.offer == offer && (name == nil || own.name == name)
        case .unregister(let webhook): return state.own?.webhook != webhook
        case .offer(let offer, let name): return state.own?.offer == offer && state.own?.name == name
        case .withdrawOffer: return state.own?.offer == nil
        case .recover: return true
        }
    }

    private func changes(
        _ order: RegistrationOrder, _ state: RegistrationState, at now: UnixTime
    ) throws(RegistrationRefusal) -> [RegistrationAction] {
        switch order.change {
        case .register(let webhook, let name, let offer):
            return try named(name, order, state, at: now) {
                $0.webhook = webhook
                $0.offer = offer
            }
        case .offer(let offer, let name):
            return try named(name, order, state, at: now) { $0.offer = offer }
        case .unregister(let webhook):
            guard let own = state.own, own.webhook == webhook else { return [] }
            return [.remove(own.id)] + holding(own.name, for: own.id.key)
        case .recover: return []
        case .withdrawOffer:
            guard var own = state.own, own.offer != nil else { return [] }
            own.offer = nil
            return [own.webhook == nil && own.name == nil ? .remove(own.id) : .put(own)]
        }
    }

    /// The key's registration, changed, under a name that may be new.
    private func named(
        _ name: AddressName?, _ order: RegistrationOrder, _ state: RegistrationState, at now: UnixTime,
        _ change: (inout Registration) -> Void
    ) throws(RegistrationRefusal) -> [RegistrationAction] {
        var registration = state.own ?? Registration(id: order.id, createdAt: now, refreshedAt: now)
        registration.refreshedAt = now
        change(&registration)
        guard let name, name != registration.name else { return [.put(registration)] }
        try check(name, for: order.id.key, state, at: now)
        let former = registration.name
        registration.name = name
        return [.put(registration)] + holding(former, for: order.id.key) + [.unhold(name)]
    }

    private func holding(_ name: AddressName?, for key: PublicKey) -> [RegistrationAction] {
        name.map { [.hold($0, for: OwnerDigest(of: key))] } ?? []
    }
}

extension RegistrationRules {
    package func isAvailable(_ name: AddressName, to key: PublicKey, _ nameState: NameState, at now: UnixTime) -> Bool {
        // `_` is the domain itself.
        guard name != .root, !reserved.contains(name) else { return false }
        return switch nameState {
        case .free: true
        case .account, .reserved: false
        case .registered(let owner): owner == key
        case .held(let owner, let since): isOver(since, at: now) || OwnerDigest(of: key) == owner
        }
    }

    private func check(
        _ name: AddressName, for key: PublicKey, _ state: RegistrationState, at now: UnixTime
    ) throws(RegistrationRefusal) {
        guard isAvailable(name, to: key, state.nameState, at: now) else {
            switch state.nameState {
            case .account, .registered: throw reserved.contains(name) ? .nameReserved(name) : .nameTaken(name)
            case .free, .reserved, .held: throw .nameReserved(name)
            }
        }
        // Its own again.
        if case .held(OwnerDigest(of: key), _) = state.nameState { return }
        guard state.releases.count >= maximumReleases, let first = state.releases.min() else { return }
        throw .tooManyNames(retryAfter: max(1, first.adding(seconds: releasePeriod).seconds(since: now)))
    }

    private func isOver(_ since: UnixTime, at now: UnixTime) -> Bool {
        hold.map { now >= since.adding(seconds: $0) } ?? false
    }
}
