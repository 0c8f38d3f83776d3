import LightningCoding
import Platform
package import ResponderModel

/// How far the clocks of nodes are from the ledger's, as the invoices tell that they make.
package final class NodeClocks: Sendable {
    package enum Event: Hashable, Sendable {
        /// A node's clock is so far ahead of the ledger's, or behind when negative.
        case deviates(BackendName, by: Duration)
        /// It no longer deviates.
        case agrees(BackendName)
    }

    private struct State {
        var deviating: Set<BackendName> = []
        var report: @Sendable (Event) -> Void = { _ in }
    }

    private let state = Guarded(State())

    /// Receives every event from now on; must not block.
    package func report(_ report: @escaping @Sendable (Event) -> Void) { state.withLock { $0.report = report } }

    /// Compares the time in a new invoice with that of the ledger, before the node was asked and after it has answered.
    func compare(_ time: UnixTime, of name: BackendName, with span: ClosedRange<UnixTime>) {
        let nearest = min(max(time, span.lowerBound), span.upperBound)
        let deviation =
            time >= nearest ? Self.seconds(from: nearest, to: time) : .zero - Self.seconds(from: time, to: nearest)
        let deviates = max(deviation, .zero - deviation) >= LedgerClock.tolerance
        let report = state.withLock { state -> (@Sendable (Event) -> Void)? in
            let changes =
                deviates ? state.deviating.insert(name).inserted : state.deviating.remove(name) != nil
            return changes ? state.report : nil
        }
        report?(deviates ? .deviates(name, by: deviation) : .agrees(name))
    }

    private static func seconds(from earlier: UnixTime, to later: UnixTime) -> Duration {
        .seconds(Int64(clamping: later.seconds(since: earlier)))
    }
}
