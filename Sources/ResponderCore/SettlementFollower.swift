public import LightningCoding
import LightningCrypto
public import Contracts

/// Writes down the settlements of one backend as they happen, from where the last process stopped.
public struct SettlementFollower: Sendable {
    private let name: BackendName
    private let backend: any ReceiveBackend
    private let ledger: any Ledger
    private let knownNodes: KnownNodes
    private let clock: WallClock
    private let pause: @Sendable (_ attempt: Int) async throws -> Void
    private let tick: @Sendable () async throws -> Void
    private let report: @Sendable (Event) -> Void

    /// What happens while following.
    public enum Event: Sendable {
        /// An invoice of ours has been paid.
        case settled(IssuedInvoice)
        /// A payment that the node tells of cannot be read or cannot be true; it is left out.
        case skipped(BackendName, UnreadableSettlement)
        /// The stream broke off; it is taken up again after a pause, and again, of which nothing is told until the node answers
        /// or the cause is another.
        case interrupted(BackendName, any Error)
        /// The node answers again.
        case resumed(BackendName)
        /// The node's count of settlements has not come as far as it had: its database was built again. What it knows of our invoices is
        /// asked for, and all settlements are read from the beginning.
        case countedAnew(BackendName, from: SettlementCursor)
        /// Not all expired invoices were asked about, but only those that were given out later than this.
        case reconciliationCut(BackendName, at: UnixTime)
    }

    /// Creates a follower.
    ///
    /// - Parameters:
    ///   - ledger: what the settlements are written into.
    ///   - knownNodes: the backend must be the node that it was before.
    ///   - pause: waits before the stream is taken up again; `attempt` counts failures in a row, from 1.
    ///   - tick: waits before each note in the ledger that the settlements are followed.
    ///   - report: is told of every event.
    public init(
        of name: BackendName,
        _ backend: any ReceiveBackend,
        in ledger: any Ledger,
        knownNodes: KnownNodes,
        clock: @escaping WallClock = { .now() },
        pause: @escaping @Sendable (_ attempt: Int) async throws -> Void = SettlementFollower.backOff,
        tick: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(600)) },
        report: @escaping @Sendable (Event) -> Void
    ) {
        self.name = name
        self.backend = backend
        self.ledger = ledger
        self.knownNodes = knownNodes
        self.clock = clock
        self.pause = pause
        self.tick = tick
        self.report = report
    }

    /// Follows until cancelled.
    public func run() async {
        var attempt = 0
        var told: String?
        var reconciliation: Reconciliation?
        while !Task.isCancelled {
            do {
                try await knownNodes.accept(try await backend.nodeInfo().nodeID, as: name)
                if attempt > 0 { report(.resumed(name)) }
                told = nil
                let cursor = try await beginning(&reconciliation)
                // Ends with this scope.
                async let _ = noteFollowing()
                var foreign = 0
                do {
                    for try await settlement in backend.settlements(after: cursor) {
                        attempt = 0
                        try await write(settlement, foreign: &foreign)
                    }
                } catch let skipped as UnreadableSettlement where skipped.cursor != cursor {
                    try await ledger.pass(to: skipped.cursor, of: name)
                    report(.skipped(name, skipped))
                    continue
                }
                if Task.isCancelled { return }
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

    /// Where to begin: where the last process stopped, or, at a node that the ledger has no cursor of, at the present. What the node
    /// has received for others until now is none of ours; what it has received for invoices that the ledger knows, since it was
    /// restored or the node was forgotten for a while, the node is asked about. A node whose count began anew is asked about them, too,
    /// and followed from its beginning.
    private func beginning(_ reconciliation: inout Reconciliation?) async throws -> SettlementCursor? {
        if reconciliation == nil {
            if let cursor = try await ledger.cursor(of: name) {
                if try await backend.hasReached(cursor) { return cursor }
                report(.countedAnew(name, from: cursor))
                try await ledger.forgetCursor(of: name)
                reconciliation = Reconciliation(of: name, at: clock(), beginning: nil)
            } else {
                // Payments of a node's own offers are known to nobody before the stream tells of them.
                guard try await !ledger.offers(of: nil).contains(where: { $0.origin == .node }) else { return nil }
                // The end comes first: whatever is paid while invoices are asked about lies behind it.
                guard let end = try await backend.presentEnd() else { return nil }
                reconciliation = Reconciliation(of: name, at: clock(), beginning: end)
            }
        }
        // What was asked about stays so when the node goes away in the middle.
        let cut = try await reconciliation?.run(backend, ledger) { report(.settled($0)) }
        if let cut { report(.reconciliationCut(name, at: cut)) }
        if let end = reconciliation?.beginning { try await ledger.pass(to: end, of: name) }
        defer { reconciliation = nil }
        return reconciliation?.beginning
    }

    /// Notes in the ledger that the settlements are followed, whenever the stream has held for another tick, until cancelled. What
    /// cannot be noted counts as not followed.
    private func noteFollowing() async {
        while (try? await tick()) != nil, !Task.isCancelled {
            try? await ledger.noteFollowing(name, at: clock())
        }
    }

    /// Of so many settlements that are none of ours the last one's place is written down: each would cost a write to the disk.
    private static let foreignBatch = 100

    private func write(_ settlement: Settlement, foreign: inout Int) async throws {
        if let fault = settlement.contradiction {
            throw UnreadableSettlement(paymentHash: settlement.paymentHash, fault, cursor: settlement.cursor)
        }
        if settlement.offered == nil, try await ledger.invoice(settlement.paymentHash) == nil {
            foreign += 1
            if foreign.isMultiple(of: Self.foreignBatch) { try await ledger.pass(to: settlement.cursor, of: name) }
            return
        }
        if let invoice = try await ledger.record(settlement, from: name) { report(.settled(invoice)) }
    }

    /// Waits 0.1 s, 0.2 s, 0.4 s … at most 1 s: what a node that is back knows is to be seen within a second.
    public static func backOff(attempt: Int) async throws {
        try await Task.sleep(for: pause(attempt: attempt))
    }

    /// How long `backOff` waits.
    static func pause(attempt: Int) -> Duration {
        .milliseconds(min(100 << min(max(attempt, 1) - 1, 4), 1_000))
    }
}
