import LedgerRecords
package import LightningCoding
package import LightningCrypto
package import Platform
package import ResponderModel
import SQLiteLedger

/// A receive backend without a network: its own key, real invoices signed with it, and simulated payments.
///
/// For trials and tests. Several processes may run one node on one file; a payment simulated by any of them reaches the
/// settlements of all.
package final class EmbeddedBackend: Sendable {
    package let configuration: EmbeddedConfiguration
    let key: SecretKey
    let preimages: PreimageKey
    let database: Database
    let unstored: UnstoredInvoices
    let clock: WallClock
    let random: RandomSource
    let wakeSignal = WakeSignal()
    let ticks: @Sendable () -> AsyncStream<Void>

    /// Starts a node; creates a missing database unless the configuration forbids it. Where nothing can be written, the
    /// node only tells what it knows.
    ///
    /// - Parameters:
    ///   - key: signs its invoices.
    ///   - monotonic: measures how long invoices wait to be stored.
    ///   - ticks: when to check for payments simulated by other processes.
    package init(
        _ configuration: EmbeddedConfiguration,
        key: SecretKey,
        clock: @escaping WallClock = UnixTime.now,
        monotonic: MonotonicClock = .system,
        random: @escaping RandomSource = SystemRandom.bytes,
        ticks: @escaping @Sendable () -> AsyncStream<Void> = EmbeddedBackend.sixTimesASecond
    ) async throws(EmbeddedFault) {
        guard configuration.network != .bitcoin || configuration.allowsMainnet else { throw .mainnetNotAllowed }
        self.configuration = configuration
        self.key = key
        preimages = PreimageKey(of: key)
        database = try await Self.openDatabase(configuration)
        unstored = UnstoredInvoices(database, clock: monotonic)
        self.clock = clock
        self.random = random
        self.ticks = ticks
    }

    /// The payee of its invoices.
    package var publicKey: PublicKey { key.publicKey }

    /// One that cannot be written is read: the node only tells what it knows.
    private static func openDatabase(_ configuration: EmbeddedConfiguration) async throws(EmbeddedFault) -> Database {
        let path = configuration.databasePath
        guard configuration.makesDatabase || PrivateFile(path: path).exists else { throw .databaseMissing(path) }
        let database: Database
        do throws(LedgerFault) {
            database = try await Database.open(at: path)
        } catch .readOnly {
            database = try await EmbeddedFault.asking(await Database.openReadOnly(at: path))
        } catch {
            throw .ledger(error)
        }
        try await EmbeddedFault.asking(await database.migrate(to: .embeddedNode))
        return database
    }

    package func close() async {
        await unstored.close()
        await database.close()
    }

    /// What is wrong with the database's file; empty when it is sound.
    package func problems() async throws(EmbeddedFault) -> [String] {
        try await EmbeddedFault.asking(await database.integrityProblems())
    }

    /// Copies a node's database while it is used.
    ///
    /// - Parameter target: a file that does not exist; created with mode 0600, complete and durable on return.
    package static func copyDatabase(at path: String, to target: String) async throws(EmbeddedFault) {
        try await EmbeddedFault.asking(await Database.openReadOnly(at: path).backup(to: target))
    }

    /// A tick every 160 ms.
    package static func sixTimesASecond() -> AsyncStream<Void> {
        AsyncStream { try? await Task.sleep(for: .milliseconds(160)) }
    }
}

extension EmbeddedBackend: ReceiveBackend {
    package var capabilities: BackendCapabilities {
        BackendCapabilities(
            precision: .millisatoshi,
            acceptsPreimage: true,
            cancels: true,
            offers: .builtHere
        )
    }

    /// The node's key; the block height is always the same, since the node does not see the chain.
    package func nodeInfo() async throws(BackendFault) -> NodeInfo {
        NodeInfo(nodeID: publicKey, network: configuration.network, blockHeight: 1_000)
    }

    /// From 1 msat to 0.1 BTC.
    package func limits() async throws(BackendFault) -> ReceiveLimits {
        let limits = ReceiveLimits(minimum: Millisatoshi(1), maximum: Millisatoshi(10_000_000_000))
        guard let limits else { throw .nothingReceivable }
        return limits
    }

    package func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        try await find { connection throws(LedgerFault) in try connection.nodeInvoice(paymentHash) }?
            .status(at: clock())
    }

    /// Reads; if nothing is found, reads again once all invoices are stored.
    func find<Value: Sendable>(
        _ query: @escaping @Sendable (Connection) throws(LedgerFault) -> Value?
    ) async throws(BackendFault) -> Value? {
        do {
            if let known = try await database.read(query) { return known }
            try await unstored.store()
            return try await database.read(query)
        } catch {
            throw .ledger(error)
        }
    }

    /// Cancels an invoice. One that can no longer be paid anyway is left as it is.
    ///
    /// - Throws: `BackendFault.refused` when it is unknown or has been paid.
    package func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) {
        let now = clock()
        try await BackendFault.asking(await unstored.store())
        let before = try await BackendFault.asking(
            await database.write { connection throws(LedgerFault) in
                let invoice = try connection.nodeInvoice(paymentHash)
                let status = invoice?.status(at: now)
                if let invoice, status == .open {
                    try connection.run("UPDATE node_invoice SET is_canceled = 1 WHERE id = ?1", [.integer(invoice.id)])
                }
                return status
            })
        switch before {
        case .open, .closed: return
        case .settled: throw .refused("settled")
        case nil: throw .refused("unknown")
        }
    }
}

extension BackendFault: LedgerFaultConvertible {
    package static func ledger(_ fault: LedgerFault) -> BackendFault {
        fault == .duplicateInvoice ? .duplicate : .storage(fault.reason)
    }
}
