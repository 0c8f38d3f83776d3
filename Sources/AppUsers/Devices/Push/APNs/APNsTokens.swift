import LightningCoding
import Platform
import ResponderModel

/// The token of a key, which all instances and programs on one ledger share: APNs refuses tokens older than an hour, and
/// keys with more than one new token in 20 minutes, however many connections use them.
final class APNsTokens: Sendable {
    /// How long a token is used, in seconds.
    static let period: UInt64 = 2400
    /// The fewest seconds from one token to the next.
    static let minimumPeriod: UInt64 = 1200
    /// How long a token can be used, in seconds: a minute less than APNs takes it.
    static let validity: UInt64 = 3540
    /// How many seconds in the past tokens are issued, so that a clock which is a little ahead does no harm.
    static let lead: UInt64 = 60

    private struct State: Sendable {
        var current: ProviderToken?
        var previous: ProviderToken?
        /// One that is no longer used, and the one that replaces it, unless that is to be made.
        var refused: ProviderToken?
        var kept: ProviderToken?
    }

    private let key: APNsKey
    private let ledger: any ProviderTokenLedger
    private let clock: WallClock
    private let state = Guarded(State())
    private let renewal = SingleFlight<Bool, String?>()

    init(_ key: APNsKey, in ledger: any ProviderTokenLedger, clock: @escaping WallClock) {
        self.key = key
        self.ledger = ledger
        self.clock = clock
    }

    /// The token to use now; nil when none can be made.
    func text() async -> String? {
        let now = clock()
        if let token = state.withLock({ $0.current }), token.isUsable(at: now) { return token.text }
        return await renewal.value(for: true) { [self] in await renew()?.text }
    }

    /// APNs has refused the token as expired: another one is issued, unless this one is too young to be replaced; then the
    /// clock is wrong, here or there.
    func noteExpired() {
        let now = clock()
        state.withLock { state in
            guard let current = state.current, now >= current.issuedAt.adding(seconds: Self.minimumPeriod) else {
                return
            }
            (state.refused, state.kept, state.current) = (current, nil, nil)
        }
    }

    /// APNs calls the token one too many: the one before is used as long as it is valid, so that there is no third.
    func noteTooMany() {
        let now = clock()
        state.withLock { state in
            guard let current = state.current else { return }
            let end = state.previous?.issuedAt.adding(seconds: Self.validity)
            if let previous = state.previous, let end, now < end {
                state.refused = current
                state.kept = ProviderToken(text: previous.text, issuedAt: previous.issuedAt, renewAt: end)
            }
            // Another instance may have gone back.
            (state.current, state.previous) = (nil, nil)
        }
    }

    private func renew() async -> ProviderToken? {
        let (now, begin) = (clock(), state.withLock { $0 })
        do throws(LedgerFault) {
            let stored = try await ledger.providerToken(of: key.name)
            if let stored, stored.isUsable(at: now), stored.text != begin.refused?.text { return take(stored) }
            guard let next = begin.kept ?? new(at: now) else { return nil }
            return take(try await ledger.keep(next, of: key.name, replacing: stored))
        } catch {
            // A message is worth more than a token too many.
            if let token = begin.kept ?? begin.current, now < token.issuedAt.adding(seconds: Self.validity) {
                return token
            }
            return new(at: now).map(take)
        }
    }

    private func take(_ token: ProviderToken) -> ProviderToken {
        state.withLock { state in
            if let current = state.current, current.text != token.text { state.previous = current }
            (state.current, state.refused, state.kept) = (token, nil, nil)
        }
        return token
    }

    private func new(at now: UnixTime) -> ProviderToken? {
        let moment = UnixTime(now.seconds - min(Self.lead, now.seconds))
        guard let text = try? key.token(issuedAt: moment) else { return nil }
        return ProviderToken(text: text, issuedAt: moment, renewAt: moment.adding(seconds: Self.period))
    }
}

extension ProviderToken {
    /// A token from the future is that of a clock that was set back since.
    fileprivate func isUsable(at now: UnixTime) -> Bool {
        now < renewAt && issuedAt <= now.adding(seconds: APNsTokens.lead)
    }
}
