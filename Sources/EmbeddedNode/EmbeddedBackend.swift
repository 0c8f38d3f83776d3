public import LightningCoding
public import LightningCrypto
import Platform
public import Contracts
public import SQLiteStorage

/// A receive backend without a network: its own key, real invoices signed with it, and simulated payments.
///
/// For trials and tests. Several processes may run one node on one file; a payment simulated by any of them reaches the
/// settlements of all.
public final class EmbeddedBackend: Sendable {
    /// The node's configuration.
    public let configuration: EmbeddedConfiguration
    let key: SecretKey
    let receivable: ReceiveLimits
    let database: Database
    let clock: WallClock
    let random: RandomSource
    let wakeSignal = WakeSignal()
    let ticks: @Sendable () -> AsyncStream<Void>

    /// Starts a node; creates missing tables, and a missing key unless the configuration forbids it.
    ///
    /// - Parameters:
    ///   - database: where its tables are; may be the ledger's.
    ///   - ticks: when to check for payments simulated by other processes.
    public init(
        _ configuration: EmbeddedConfiguration,
        in database: Database,
        clock: @escaping WallClock = UnixTime.now,
        random: @escaping RandomSource = SystemRandom.bytes,
        ticks: @escaping @Sendable () -> AsyncStream<Void> = EmbeddedBackend.sixTimesASecond
    ) async throws(EmbeddedFault) {
        guard configuration.network != .bitcoin || configuration.allowsMainnet else { throw .mainnetNotAllowed }
        let limits = ReceiveLimits(minimum: configuration.minimum, maximum: configuration.maximum)
        guard let limits else { throw .emptyLimits }
        try await awaiting(await database.migrate(to: .embeddedNode), as: EmbeddedFault.storage)
        self.configuration = configuration
        key = try NodeKey.load(from: configuration.keyPath, orMaking: configuration.makesKey, random: random)
        receivable = limits
        self.database = database
        self.clock = clock
        self.random = random
        self.ticks = ticks
    }

    /// The payee of its invoices.
    public var publicKey: PublicKey { key.publicKey }

    /// A tick every 160 ms.
    public static func sixTimesASecond() -> AsyncStream<Void> {
        AsyncStream { try? await Task.sleep(for: .milliseconds(160)) }
    }
}

extension EmbeddedBackend: ReceiveBackend {
    /// All of them.
    public var capabilities: BackendCapabilities {
        BackendCapabilities(
            precision: .millisatoshi,
            acceptsPreimage: true,
            cancels: true,
            offers: .builtHere
        )
    }

    /// The node's key; the block height is always the configured one.
    public func nodeInfo() async throws(BackendFault) -> NodeInfo {
        NodeInfo(nodeID: publicKey, network: configuration.network, blockHeight: configuration.blockHeight)
    }

    /// The configured limits.
    public func limits() async throws(BackendFault) -> ReceiveLimits {
        receivable
    }

    /// The state of an invoice's payment.
    public func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        do {
            let invoice = try await database.read { connection throws(StorageFault) in
                try connection.nodeInvoice(paymentHash)
            }
            return invoice?.status(at: clock())
        } catch {
            throw BackendFault(error)
        }
    }

    /// Cancels an invoice. One that can no longer be paid anyway is left as it is.
    ///
    /// - Throws: `BackendFault.refused` when it is unknown or has been paid.
    public func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) {
        let now = clock()
        let before: PaymentStatus?
        do {
            before = try await database.write { connection throws(StorageFault) in
                let invoice = try connection.nodeInvoice(paymentHash)
                let status = invoice?.status(at: now)
                if let invoice, status == .open {
                    try connection.run("UPDATE node_invoice SET is_cancelled = 1 WHERE id = ?1", [.integer(invoice.id)])
                }
                return status
            }
        } catch {
            throw BackendFault(error)
        }
        switch before {
        case .open, .expired, .cancelled: return
        case .settled: throw .refused("settled")
        case nil: throw .refused("unknown")
        }
    }
}

extension BackendFault {
    init(_ fault: StorageFault) {
        switch fault {
        case .constraint("node_invoice.payment_hash"), .constraint("node_invoice.label"): self = .duplicate
        default: self = .storage(fault.reason)
        }
    }
}
