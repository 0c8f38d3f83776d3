public import LightningCoding
public import LightningCrypto
public import Receiving

/// Answers the question "which invoice shall I pay?", whatever the way by which it came.
///
/// A value over shared parts: copies answer alike. Clock and randomness come from outside.
public struct Responder: Sendable {
    /// What is remembered.
    public let ledger: any Ledger
    /// The accounts that we answer for.
    public let accounts: AccountDirectory
    /// What the operator has decided.
    public let settings: ResponderSettings

    let backends: [BackendName: any ReceiveBackend]
    let networks: [BackendName: Network]
    let limits: LimitsCache
    let clock: WallClock
    let random: RandomSource

    /// Creates a responder.
    ///
    /// Asks each backend for its node once, since an invoice for another chain must be recognised.
    ///
    /// - Throws: the first backend's fault, with its name.
    public init(
        ledger: any Ledger,
        backends: [BackendName: any ReceiveBackend],
        settings: ResponderSettings,
        clock: @escaping WallClock = { .now() },
        random: @escaping RandomSource = SystemRandom.bytes
    ) async throws(Refusal.Cause) {
        self.ledger = ledger
        self.backends = backends
        self.settings = settings
        self.clock = clock
        self.random = random
        accounts = AccountDirectory(ledger: ledger)
        limits = LimitsCache(lifetime: settings.limitsLifetime, clock: clock)
        var networks: [BackendName: Network] = [:]
        for (name, backend) in backends {
            do {
                networks[name] = try await backend.nodeInfo().network
            } catch {
                throw .backend(name, error)
            }
        }
        self.networks = networks
    }
}
