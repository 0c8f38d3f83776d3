import Bolt11
import LightningCoding
import LightningCrypto
import Platform
package import ResponderModel
import SQLiteLedger

extension EmbeddedBackend {
    /// Signs an invoice. What is needed to honor it follows from the invoice and the node's key, so it is stored
    /// without waiting for the disk; except when the preimage was ordered, which is stored first.
    package func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        guard try await limits().contains(order.amount) else { throw .amountNotPossible }
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
            try await lateInvoices.store(row)
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

/// Stores invoices without waiting for the disk.
///
/// While one that was issued could not be stored, no other is accepted.
struct LateInvoices: Sendable {
    private let database: Database
    private let maximumWaiting: Int
    private let state = Guarded(State())

    private struct State {
        var waiting = 0
        var failed: [NewNodeInvoice] = []
    }

    /// - Parameter maximumWaiting: how many may wait to be stored.
    init(_ database: Database, maximumWaiting: Int = 10_000) {
        self.database = database
        self.maximumWaiting = maximumWaiting
    }

    /// Submits an invoice, once those that failed before it are stored.
    ///
    /// - Throws: when one of those cannot be stored, or the database refuses at once; `overloaded` when too many wait.
    func store(_ invoice: NewNodeInvoice) async throws(BackendFault) {
        try await storeFailed()
        let isAccepted = state.withLock { state in
            guard state.waiting < maximumWaiting else { return false }
            state.waiting += 1
            return true
        }
        guard isAccepted else { throw .overloaded }
        let known = Guarded<LedgerFault?>(nil)
        database.writeLater { connection throws(LedgerFault) in
            try connection.addIfMissing(invoice)
        } whenDone: { [state] result in
            state.withLock { state in
                state.waiting -= 1
                if case .failure = result { state.failed.append(invoice) }
            }
            if case .failure(let fault) = result { known.withLock { $0 = fault } }
        }
        if let fault = known.withLock({ $0 }) { throw .ledger(fault) }
    }

    private func storeFailed() async throws(BackendFault) {
        let failed = Set(state.withLock { $0.failed })
        guard !failed.isEmpty else { return }
        try await BackendFault.asking(
            await database.write { connection throws(LedgerFault) in
                for invoice in failed { try connection.addIfMissing(invoice) }
            })
        // Others may have stored the same ones, or added some behind them.
        state.withLock { state in state.failed.removeAll { failed.contains($0) } }
    }
}
