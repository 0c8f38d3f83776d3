import LightningCoding
import ResponderModel

/// Searches for the first settlement of a node's history, which no subscription repeats.
struct FirstSettlement {
    private let backend: LNDBackend
    /// The last invoice, by the node's numbering, up to which none was settled: these are not read again.
    private var passed: UInt64 = 0
    /// What is known while the list is read, oldest first.
    private var reading = Reading()
    /// Whether the list has been read to its end without any settlement.
    private var hasRead = false
    private var hasFoundLaterOnes = false

    private struct Reading {
        var offset: UInt64 = 0
        /// Whether all invoices up to here have ended unpaid.
        var isOver = true
        var findsLaterOnes = false
    }

    enum Outcome {
        /// Nil when the first settlement was not an invoice's.
        case found(SettlementStream.Element?)
        /// Nothing yet, in a part of a list that has not been read to its end.
        case searching
    }

    init(_ backend: LNDBackend) {
        self.backend = backend
    }

    /// Searches on; once the list has been read it waits for the first settlement. After a fault it may be called again.
    mutating func next() async throws(LNDFault) -> Outcome {
        while !Task.isCancelled {
            let page = try await backend.client.invoices(at: reading.offset)
            for invoice in page.invoices {
                let (indices, report) = SettlementFeed.report(invoice, after: 0)
                if indices == [1], let report { return .found(report) }
                if indices.contains(where: { $0 > 0 }) { reading.findsLaterOnes = true }
                // One that cannot be read may yet be paid.
                reading.isOver =
                    reading.isOver && (try? invoice.text("state"))?.isExactly("CANCELED") == true
                if reading.isOver, let index = try? invoice.lenientNumber("add_index") { passed = index }
            }
            if let next = page.next, next > reading.offset {
                reading.offset = next
                if !hasRead { return .searching }
                continue
            }
            if reading.findsLaterOnes {
                // The first one may have been settled after we had passed it: search once more.
                if hasFoundLaterOnes { return .found(nil) }
                hasFoundLaterOnes = true
            } else {
                hasRead = true
                guard (try? await backend.pause()) != nil else { return .searching }
            }
            reading = Reading(offset: passed)
        }
        return .searching
    }
}
