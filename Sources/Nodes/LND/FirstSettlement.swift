import LightningCoding
import NodeCalls
import OutboundHTTP
import ResponderModel

/// Searches for the first settlement of a node's history, which no subscription repeats.
struct FirstSettlement {
    private let backend: LNDBackend
    /// The last invoice, by the node's numbering, up to which none was settled: these are not read again.
    private var passed: UInt64 = 0

    init(_ backend: LNDBackend) {
        self.backend = backend
    }

    /// Waits for the first settlement; nil when it was not an invoice's, or when the task is cancelled.
    mutating func search() async throws(LNDFault) -> Result<Settlement, UnreadableSettlement>? {
        var isPassed = false
        while !Task.isCancelled {
            switch try await pass() {
            case .found(let report): return report
            // The first one may have been settled after we had passed it: search once more.
            case .laterOnes where isPassed: return nil
            case .laterOnes: isPassed = true
            case .nothing:
                guard (try? await backend.pause()) != nil else { return nil }
            }
        }
        return nil
    }

    private enum Outcome {
        case found(Result<Settlement, UnreadableSettlement>)
        case laterOnes
        case nothing
    }

    /// Reads the list, oldest first, until the settlement is found.
    private mutating func pass() async throws(LNDFault) -> Outcome {
        var offset = passed
        var isOver = true
        var outcome = Outcome.nothing
        while !Task.isCancelled {
            let page = try await backend.client.invoices(at: offset)
            for invoice in page.invoices {
                let (indices, report) = SettlementFeed.report(invoice, after: 0)
                if indices == [1], let report { return .found(report) }
                if indices.contains(where: { $0 > 0 }) { outcome = .laterOnes }
                // One that cannot be read may yet be paid.
                isOver = isOver && (try? invoice.text("state"))?.isExactly("CANCELED") == true
                if isOver, let index = try? invoice.lenientNumber("add_index") { passed = index }
            }
            guard let next = page.next, next > offset else { return outcome }
            offset = next
        }
        return outcome
    }
}
