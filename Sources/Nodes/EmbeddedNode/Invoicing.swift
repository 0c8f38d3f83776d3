import Bolt11
import LightningCoding
import LightningCrypto
import Platform
package import ResponderModel
import SQLiteLedger

extension EmbeddedBackend {
    /// Signs an invoice. What is needed to honor it follows from the invoice and the node's key, so it is stored a moment
    /// later, with others. One whose preimage was ordered is stored first.
    package func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        guard try await limits().contains(order.amount) else { throw .amountNotPossible }
        guard !database.isReadOnly else { throw .ledger(.readOnly) }
        let secret: PaymentSecret
        let preimage: Preimage
        do {
            secret = try PaymentSecret(random: random)
            preimage = try order.preimage ?? preimages.preimage(for: secret)
        } catch {
            throw .refused("no randomness")
        }
        let invoice = try sign(order, paymentHash: preimage.paymentHash, secret: secret)
        let row = NewNodeInvoice(
            preimage: preimage, label: order.label, amount: order.amount, expiresAt: invoice.expiresAt)
        if order.preimage == nil {
            try await unstored.add(row)
        } else {
            try await BackendFault.asking(
                await database.write { connection throws(LedgerFault) in try connection.add(row) })
        }
        return BackendInvoice(bolt11: invoice.text, paymentHash: invoice.paymentHash)
    }

    private func sign(
        _ order: InvoiceOrder,
        paymentHash: PaymentHash,
        secret: PaymentSecret
    ) throws(BackendFault) -> Bolt11Invoice {
        let description: Bolt11Description =
            switch order.description {
            case .text(let text): .text(text)
            case .hashed(let text): .hash(SHA256.hash(Array(text.utf8)))
            }
        let draft = Bolt11Draft(
            network: configuration.network,
            amount: order.amount,
            timestamp: clock(),
            paymentHash: paymentHash,
            paymentSecret: secret,
            description: description,
            expiry: order.expiry,
            features: Bolt11Features(
                required: [.variableLengthOnion, .paymentSecret], optional: [.basicMultiPartPayment]
            )
        )
        return try rethrowing(draft.signed(by: key)) { (fault: Bolt11Fault) in
            BackendFault.refused(fault.readableReason)
        }
    }
}

/// Derives the preimage of an invoice from its payment secret, so that the node can honor an invoice of which it has
/// lost the record.
struct PreimageKey: Sendable {
    private let key: HMACSHA256.Keyed

    init(of nodeKey: SecretKey) {
        let tag = Array("embedded node: preimages".utf8)
        key = HMACSHA256.Keyed(nodeKey.withBytes { HMACSHA256.deriveSecret(from: tag, key: $0) })
    }

    func preimage(for secret: PaymentSecret) throws(CryptoFault) -> Preimage {
        try Preimage(key.deriveSecret(from: secret.secret))
    }
}

/// Invoices that were issued and are not stored yet: those of a moment are stored together, by one write at a time.
///
/// While some could not be stored, no other is accepted.
struct UnstoredInvoices: Sendable {
    private typealias Write = Task<LedgerFault?, Never>

    private let database: Database
    private let clock: MonotonicClock
    private let maximumCount: Int
    private let state = Guarded(State())

    private struct State {
        var invoices: [NewNodeInvoice] = []
        /// How many have been stored, and so the number of the first one that is not.
        var storedCount = 0
        /// The one that is under way.
        var write: Write?
        /// Whether the last write failed.
        var hasFailed = false
        var isScheduled = false
        var isClosed = false

        var acceptedCount: Int { storedCount + invoices.count }
    }

    /// - Parameter maximumCount: how many may wait to be stored.
    init(_ database: Database, clock: MonotonicClock, maximumCount: Int = 10_000) {
        self.database = database
        self.clock = clock
        self.maximumCount = maximumCount
    }

    /// Accepts an invoice, which is stored 20 ms later. If that fails, it is tried again when the next one is added, or one
    /// is looked for.
    ///
    /// - Throws: when those before it could not be stored and still cannot, or after `close()`; `overloaded` when too many wait.
    func add(_ invoice: NewNodeInvoice) async throws(BackendFault) {
        if state.withLock({ $0.hasFailed }) { try await BackendFault.asking(await store()) }
        let schedules = try state.withLock { state throws(BackendFault) in
            guard !state.isClosed else { throw .ledger(.closed) }
            guard state.invoices.count < maximumCount else { throw .overloaded }
            state.invoices.append(invoice)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard schedules else { return }
        Task {
            try? await clock.sleep(clock.now() + .milliseconds(20))
            state.withLock { $0.isScheduled = false }
            try? await store()
        }
    }

    /// Stores all that were accepted, durably. Whatever looks for an invoice of this process calls it first.
    func store() async throws(LedgerFault) {
        let (end, earlier) = state.withLock { ($0.acceptedCount, $0.write) }
        // It may not hold all of them, and why it fails may be over.
        _ = await earlier?.value
        guard state.withLock({ $0.storedCount < end }) else { return }
        if let fault = await write().value { throw fault }
    }

    /// Stores what is left, and accepts no more.
    func close() async {
        state.withLock { $0.isClosed = true }
        try? await store()
    }

    /// The write that is under way, or a new one.
    private func write() -> Write {
        state.withLock { state in
            if let write = state.write { return write }
            let (invoices, end) = (state.invoices, state.acceptedCount)
            let write = Task { await store(invoices, to: end) }
            state.write = write
            return write
        }
    }

    private func store(_ invoices: [NewNodeInvoice], to end: Int) async -> LedgerFault? {
        let fault: LedgerFault?
        do throws(LedgerFault) {
            try await database.write { connection throws(LedgerFault) in
                for invoice in invoices { try connection.addIfMissing(invoice) }
            }
            fault = nil
        } catch {
            fault = error
        }
        state.withLock { state in
            (state.write, state.hasFailed) = (nil, fault != nil)
            guard fault == nil else { return }
            state.invoices.removeFirst(invoices.count)
            state.storedCount = end
        }
        return fault
    }
}
