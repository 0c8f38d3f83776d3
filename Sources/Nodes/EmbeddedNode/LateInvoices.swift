import Platform
import ResponderModel
import SQLiteLedger

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
        let known = Guarded<StorageFault?>(nil)
        database.writeLater { connection throws(StorageFault) in
            try connection.addIfMissing(invoice)
        } whenDone: { [state] result in
            state.withLock { state in
                state.waiting -= 1
                if case .failure = result { state.failed.append(invoice) }
            }
            if case .failure(let fault) = result { known.withLock { $0 = fault } }
        }
        if let fault = known.withLock({ $0 }) { throw BackendFault(fault) }
    }

    private func storeFailed() async throws(BackendFault) {
        let failed = Set(state.withLock { $0.failed })
        guard !failed.isEmpty else { return }
        do {
            try await database.write { connection throws(StorageFault) in
                for invoice in failed { try connection.addIfMissing(invoice) }
            }
        } catch {
            throw BackendFault(error)
        }
        // Others may have stored the same ones, or added some behind them.
        state.withLock { state in state.failed.removeAll { failed.contains($0) } }
    }
}
