import Nodes
import LightningCoding
import OutboundHTTP
import Contracts

/// Searches for the first settlement of a node's history, which no subscription repeats.
struct FirstSettlement {
    private let backend: LNDBackend
    /// The last invoice, by the node's numbering, up to which none was settled: these are not read again.
    private var passed: UInt64 = 0

    init(_ backend: LNDBackend) {
        self.backend = backend
    }

    /// Waits for the first settlement; nil when it was not an invoice's, or when the task is cancelled.
    mutating func search() async throws(LNDFault) -> Settlement? {
        var isPassed = false
        while !Task.isCancelled {
            switch try await pass() {
            case .found(let settlement): return settlement
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
        case found(Settlement)
        case laterOnes
        case nothing
    }

    /// Reads the list, oldest first, until the settlement is found.
    private mutating func pass() async throws(LNDFault) -> Outcome {
        var offset = passed
        var isOver = true
        var outcome = Outcome.nothing
        while !Task.isCancelled {
            let page = try await backend.client.call(
                .get, "/v1/invoices",
                query: [("index_offset", String(offset)), ("num_max_invoices", String(Self.pageCount))],
                needing: .readInvoices)
            do {
                let invoices = try page.elements("invoices")
                for invoice in invoices {
                    let (indices, settlement) = try SettlementFeed.settled(invoice)
                    if indices == [1], let settlement { return .found(settlement) }
                    if indices.contains(where: { $0 > 0 }) { outcome = .laterOnes }
                    isOver = try invoice.text("state").isExactly("CANCELED") ? isOver : false
                    if isOver { passed = try invoice.lenientNumber("add_index") }
                }
                let next = try page.lenientNumber("last_index_offset")
                guard invoices.count == Self.pageCount, next > offset else { return outcome }
                offset = next
            } catch {
                throw (error as? LNDFault) ?? .backend((error as? BackendFault) ?? .malformedAnswer("invoices"))
            }
        }
        return outcome
    }

    private static let pageCount = 100
}
