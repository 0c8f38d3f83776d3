package import LightningCoding
import Platform
package import ResponderModel

/// Records the settlements of one backend as they happen, from where the last process stopped.
package struct SettlementFollower: Sendable {
    private let name: BackendName
    private let backend: any ReceiveBackend
    private let ledger: any InvoiceLedger & OfferLedger & SettlementLedger
    private let knownNodes: KnownNodes
    private let clock: WallClock
    private let isSteady: @Sendable () async -> Bool
    private let pause: @Sendable (_ attempt: Int) async throws -> Void
    private let tick: @Sendable () async throws -> Void
    private let report: @Sendable (Event) -> Void

    package enum Event: Sendable {
        case settled(IssuedInvoice)
        /// A reported payment cannot be read or recorded, now or later; it is skipped, and the ledger lists it.
        case skipped(BackendName, UnreadableSettlement)
        /// The stream broke. Retried with backoff; reported again only when the cause changes or the node has answered
        /// meanwhile.
        case interrupted(BackendName, any Error)
        case resumed(BackendName)
        /// The node's count of settlements is lower than before: its database was rebuilt. It is queried about our
        /// invoices, and all settlements are read from the beginning.
        case renumbered(BackendName, from: SettlementCursor)
        /// Too many expired invoices: only those issued later than this were queried.
        case reconciliationCut(BackendName, at: UnixTime)
    }

    /// - Parameters:
    ///   - isSteady: whether that has not jumped lately.
    ///   - pause: waits before the stream is reopened; `attempt` counts consecutive failures, from 1.
    ///   - tick: waits before each note in the ledger that the settlements are being followed.
    package init(
        of name: BackendName,
        _ backend: any ReceiveBackend,
        in ledger: any InvoiceLedger & OfferLedger & SettlementLedger,
        knownNodes: KnownNodes,
        clock: @escaping WallClock = { .now() },
        isSteady: @escaping @Sendable () async -> Bool = { true },
        pause: @escaping @Sendable (_ attempt: Int) async throws -> Void = SettlementFollower.backOff,
        tick: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(600)) },
        report: @escaping @Sendable (Event) -> Void
    ) {
        self.name = name
        self.backend = backend
        self.ledger = ledger
        self.knownNodes = knownNodes
        self.clock = clock
        self.isSteady = isSteady
        self.pause = pause
        self.tick = tick
        self.report = report
    }

    /// Follows until canceled, or until the lease is lost.
    ///
    /// - Parameter lease: the lease `following` of the backend.
    package func run(under lease: Lease) async {
        var attempt = 0
        var told: String?
        var reconciliation: Reconciliation?
        while !Task.isCancelled {
            do {
                try await knownNodes.accept(try await backend.nodeInfo().nodeID, as: name)
                if attempt > 0 { report(.resumed(name)) }
                told = nil
                let cursor = try await beginning(&reconciliation, lease)
                // Ends with this scope.
                let progress = Guarded(Progress())
                async let _ = noteFollowing(progress, under: lease)
                var passed = 0
                for try await reported in backend.settlements(after: cursor) {
                    attempt = 0
                    progress.withLock { $0.begun += 1 }
                    switch reported {
                    case .success(let settlement?): try await write(settlement, lease, passed: &passed)
                    case .success(nil): break
                    case .failure(let unreadable): try await skip(unreadable, lease)
                    }
                    let paidAt = try? reported.get()?.settledAt
                    progress.withLock { $0.finish(paidAt: paidAt) }
                }
                if Task.isCancelled { return }
            } catch LedgerFault.leaseLost {
                return
            } catch {
                if Task.isCancelled { return }
                let cause = error.readableReason
                if told != cause { report(.interrupted(name, error)) }
                told = cause
            }
            attempt += 1
            guard (try? await pause(attempt)) != nil else { return }
        }
    }

    /// Where to begin: where the last process stopped or, without a cursor in the ledger, at the present. Earlier
    /// payments to others do not concern us; about invoices that the ledger knows, because it was restored or the node
    /// was unbound for a while, the node is queried. So it is when its count was reset or is unknown; it is then followed
    /// from its beginning.
    private func beginning(
        _ reconciliation: inout Reconciliation?, _ lease: Lease
    ) async throws -> SettlementCursor? {
        if reconciliation == nil {
            if let cursor = try await ledger.cursor(of: name) {
                var beginning: SettlementCursor?
                switch try await backend.cursorState(of: cursor) {
                case .reached: return cursor
                case .renumbered: report(.renumbered(name, from: cursor))
                case .nothingListed(let first): beginning = first
                }
                try await ledger.forgetCursor(of: name, under: lease)
                reconciliation = Reconciliation(of: name, at: clock(), beginning: beginning)
            } else {
                // Payments of a node's own offers are known only from the stream.
                guard try await !ledger.offers(of: nil).contains(where: { $0.origin == .node }) else { return nil }
                // The end comes first, so that payments received during the queries come after it.
                guard let end = try await backend.presentEnd() else { return nil }
                reconciliation = Reconciliation(of: name, at: clock(), beginning: end)
            }
        }
        // Progress is kept when the node goes away in the middle.
        let cut = try await reconciliation?.run(backend, ledger) { report(.settled($0)) }
        if let cut { report(.reconciliationCut(name, at: cut)) }
        if let end = reconciliation?.beginning { try await ledger.pass(to: end, of: name, under: lease) }
        defer { reconciliation = nil }
        return reconciliation?.beginning
    }

    private struct Progress {
        var begun = 0
        var recorded = 0
        /// When the last one that was recorded was paid.
        var paidAt = UnixTime(0)

        mutating func finish(paidAt time: UnixTime?) {
            recorded += 1
            if let time { paidAt = time }
        }

        /// Whether everything that was paid until then has been read: since then nothing came, or a payment of later.
        func hasReached(_ moment: UnixTime, since earlier: Progress) -> Bool {
            paidAt >= moment && recorded > earlier.recorded || begun == earlier.begun && begun == recorded
        }
    }

    /// Records in the ledger up to when the settlements were followed, each time the stream has lasted another tick, until
    /// canceled: that is the beginning of the tick, and only if the stream has no backlog from before. What cannot be
    /// recorded counts as not followed, and so does the time after a jump of the clock.
    private func noteFollowing(_ progress: Guarded<Progress>, under lease: Lease) async {
        while !Task.isCancelled {
            let (begin, earlier) = (clock(), progress.withLock { $0 })
            guard (try? await tick()) != nil, !Task.isCancelled else { return }
            guard progress.withLock({ $0.hasReached(begin, since: earlier) }), await isSteady() else { continue }
            try? await ledger.noteFollowing(name, at: begin, under: lease)
        }
    }

    /// The cursor is stored once per this many settlements that change nothing, since each write costs disk time.
    private static let passedBatch = 100

    private func write(_ settlement: Settlement, _ lease: Lease, passed: inout Int) async throws(LedgerFault) {
        var fault = settlement.contradiction
        if fault == nil {
            do throws(LedgerFault) {
                return try await record(settlement, lease, passed: &passed)
            } catch .unstorable(let what) {
                fault = .malformedAnswer(what)
            } catch .duplicateInvoice {
                fault = .malformedAnswer(LedgerFault.duplicateInvoice.reason)
            }
        }
        guard let fault else { return }
        try await skip(
            UnreadableSettlement(paymentHash: settlement.paymentHash, fault, cursor: settlement.cursor), lease)
    }

    private func skip(_ unreadable: UnreadableSettlement, _ lease: Lease) async throws(LedgerFault) {
        try await ledger.pass(over: unreadable, of: name, at: clock(), under: lease)
        report(.skipped(name, unreadable))
    }

    private func record(_ settlement: Settlement, _ lease: Lease, passed: inout Int) async throws(LedgerFault) {
        let known = try await ledger.invoice(settlement.paymentHash)
        guard try await changesLedger(settlement, of: known) else {
            passed += 1
            if passed.isMultiple(of: Self.passedBatch) {
                try await ledger.pass(to: settlement.cursor, of: name, under: lease)
            }
            return
        }
        let settled = try await ledger.record(settlement, issuedAt: known?.createdAt, from: name, under: lease)
        if let settled { report(.settled(settled)) }
    }

    /// False for payments of invoices that are settled already, and of invoices and offers that the ledger does not know.
    private func changesLedger(
        _ settlement: Settlement, of known: IssuedInvoice?
    ) async throws(LedgerFault) -> Bool {
        if let known { return known.settlement == nil }
        guard let offered = settlement.offered else { return false }
        return try await ledger.offer(offered.offer) != nil
    }

    /// Waits 0.1 s, 0.2 s, 0.4 s … at most 1 s: payments show within a second once a node is back.
    package static func backOff(attempt: Int) async throws {
        try await Task.sleep(for: pause(attempt: attempt))
    }

    static func pause(attempt: Int) -> Duration {
        .milliseconds(min(100 << min(max(attempt, 1) - 1, 4), 1_000))
    }
}
