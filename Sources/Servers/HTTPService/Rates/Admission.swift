import CoreMetrics
import Devices
import HTTPTypes
import Hummingbird
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel

/// Rate limiting: counts requests, and decides which must wait.
final class Admission: Sendable {
    typealias Purpose = ServiceRates.Purpose

    private let networks: [Purpose: Guarded<NetworkRateLimiter>]
    private let accounts: [Caller: Guarded<RateLimiter<AccountID>>]
    /// Of devices, by each owner.
    private let changes: Guarded<RateLimiter<PublicKey>>?
    private let reads: Guarded<RateLimiter<PublicKey>>?
    private let looking = SharedSlots(4)
    private let shared: (any SharedRates)?
    private let account: RateLimit?
    private let instances: @Sendable () -> Int
    private let trustedProxies: [NetworkPrefix]
    private let clock: MonotonicClock
    private let refused: Counter

    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")

    /// - Parameters:
    ///   - shared: counts the invoices that anybody asks of an account, over all instances; nil counts them here.
    ///   - instances: among how many what is counted here is divided.
    init(
        _ rates: ServiceRates,
        shared: (any SharedRates)? = nil,
        instances: @escaping @Sendable () -> Int = { 1 },
        metrics: any MetricsFactory,
        clock: MonotonicClock = .system
    ) {
        networks = rates.networks.mapValues { Guarded(NetworkRateLimiter($0)) }
        accounts = Caller.allCases.reduce(into: [:]) { accounts, caller in
            accounts[caller] = rates.account.map { Guarded(RateLimiter($0)) }
        }
        changes = rates.networks[.registration].map { Guarded(RateLimiter($0)) }
        reads = rates.networks[.registrationRead].map { Guarded(RateLimiter($0)) }
        self.shared = shared
        account = rates.account
        self.instances = instances
        trustedProxies = rates.trustedProxies
        self.clock = clock
        refused = Counter(label: "responder_rate_limited_total", factory: metrics)
    }

    /// Counts a request of a client's network.
    ///
    /// - Returns: nil when it is admitted, else the seconds to wait.
    func wait(for purpose: Purpose, _ request: Request, _ context: ServiceContext) -> UInt64? {
        wait(for: purpose, peer: context.peer, forwardedFor: forwarded(request))
    }

    /// The same, given the connected address and its `X-Forwarded-For`. All whose address is unknown are one network.
    func wait(for purpose: Purpose, peer: IPAddress?, forwardedFor: [String]) -> UInt64? {
        guard let limiter = networks[purpose] else { return nil }
        let client = network(of: peer, forwardedFor)
        return counted(limiter.withLock { $0.take(client, at: clock.now(), dividedBy: instances()) })
    }

    /// The seconds to wait of a client's network that has used up its share; nil while it has not. Nothing is counted: for
    /// what counts only when it fails.
    func delay(of purpose: Purpose, _ request: Request, _ context: ServiceContext) -> UInt64? {
        guard let limiter = networks[purpose] else { return nil }
        let client = network(of: context.peer, forwarded(request))
        return counted(limiter.withLock { $0.wait(for: client, at: clock.now(), dividedBy: instances()) })
    }

    /// Takes back the count of a request that came to nothing.
    func putBack(_ purpose: Purpose, _ request: Request, _ context: ServiceContext) {
        guard let limiter = networks[purpose] else { return }
        let client = network(of: context.peer, forwarded(request))
        limiter.withLock { $0.putBack(client, dividedBy: instances()) }
    }

    /// The network whose share of slots a client takes, behind the trusted proxies; nil at an address of this machine, where
    /// a tunnel or an onion service ends, whose clients nobody can tell apart.
    func network(of request: Request, _ context: ServiceContext) -> ClientNetwork? {
        let client = context.peer.map { address(of: $0, forwarded(request)) }
        if let client, Self.local.contains(where: { $0.contains(client) }) { return nil }
        return ClientNetwork(client)
    }

    private static let local = ["127.0.0.0/8", "::1/128"].compactMap { NetworkPrefix($0) }

    /// Who is in front, as the proxies say; it counts from trusted ones only.
    private func forwarded(_ request: Request) -> [String] {
        trustedProxies.isEmpty ? [] : Self.forwardedFor.map { request.headers[values: $0] } ?? []
    }

    private func network(of peer: IPAddress?, _ forwardedFor: [String]) -> ClientNetwork {
        ClientNetwork(peer.map { address(of: $0, forwardedFor) })
    }

    private func address(of peer: IPAddress, _ forwardedFor: [String]) -> IPAddress {
        ClientAddress.of(peer: peer, forwardedFor: forwardedFor, trusting: trustedProxies)
    }

    /// Counts a registration of a device that its owner has signed. An owner who has devices has a share of its own, whoever
    /// else is behind its address; the first device of an owner counts for the network, since keys are free. One that is
    /// refused counts for the network like what nobody has signed.
    func wait(
        for owner: PublicKey, _ effect: MessageCenter.Effect, _ request: Request, _ context: ServiceContext
    ) -> UInt64? {
        let seconds =
            switch effect {
            case .renews: wait(for: owner, request, context)
            case .changes, .adds: take(owner, changes) ?? wait(for: .deviceChange, request, context)
            case .begins: wait(for: .registration, request, context)
            }
        if seconds != nil { _ = wait(for: .registrationRead, request, context) }
        return seconds
    }

    /// Counts what a device of an owner asks, and what changes nothing.
    func wait(for owner: PublicKey, _ request: Request, _ context: ServiceContext) -> UInt64? {
        take(owner, reads) ?? wait(for: .knownDevice, request, context)
    }

    private func take(_ owner: PublicKey, _ limiter: Guarded<RateLimiter<PublicKey>>?) -> UInt64? {
        limiter.flatMap { counted($0.withLock { $0.take(owner, at: clock.now(), dividedBy: instances()) }) }
    }

    /// Looks at what a client sends whose network has sent too much of no use: for few at a time, and for one of a network, so
    /// that such clients do not keep the ledger busy, and the others behind that address are heard. nil when there are too many.
    func afterGuesses<Value, Fault: Error>(
        from network: ClientNetwork?, _ look: () async throws(Fault) -> Value
    ) async throws(Fault) -> Value? {
        guard let place = try? looking.take(for: network) else { return nil }
        defer { withExtendedLifetime(place) {} }
        return try await look()
    }

    /// Who asks for an account. Each is counted by itself: strangers must not use up what belongs to others.
    enum Caller: CaseIterable, Sendable {
        /// Anybody, for an invoice.
        case anybody
        case notifier
        /// Anybody who notifies it, where that is open.
        case stranger
    }

    /// Counts a request for an account.
    ///
    /// - Returns: nil when it is admitted, else the seconds to wait.
    func wait(for account: AccountID, by caller: Caller) async -> UInt64? {
        if case .anybody = caller, let shared, let limit = self.account {
            do throws(LedgerFault) {
                return counted(try await shared.take(Self.key(account), every: limit.interval, burst: limit.burst))
            } catch {
                // Payers are served while it fails, and the limit holds for each instance's part of it.
            }
        }
        guard let limiter = accounts[caller] else { return nil }
        return counted(limiter.withLock { $0.take(account, at: clock.now(), dividedBy: instances()) })
    }

    /// Takes back the count of an anonymous request that no invoice could answer: such requests must not use up the
    /// payers' share.
    func forgive(_ account: AccountID) async {
        if let shared, let limit = self.account {
            try? await shared.putBack(Self.key(account), every: limit.interval)
        } else {
            accounts[.anybody]?.withLock { $0.putBack(account, dividedBy: instances()) }
        }
    }

    private static func key(_ account: AccountID) -> [UInt8] { Array("invoices of \(account)".utf8) }

    private func counted(_ wait: Duration?) -> UInt64? {
        guard let wait else { return nil }
        refused.increment()
        return wait.retryAfterSeconds
    }
}
