import LightningCoding
import OutboundHTTP
package import ResponderModel

extension LNDBackend {
    /// Every payment that the node has received, in its order, by `SubscribeInvoices`; the cursor is its
    /// `settle_index`.
    package func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        let feed = SettlementFeed(after: cursor, of: self)
        return AsyncThrowingStream { try await feed.next() }
    }

    /// Whether an invoice with the cursor's `settle_index` or a higher one exists. Only the newest ones are searched,
    /// since a rebuilt node has few; with many more invoices, the cursor is assumed to be reached.
    package func cursorState(of cursor: SettlementCursor) async throws(BackendFault) -> CursorState {
        guard let index = cursor.settleIndex, index > 0 else { return .reached }
        do throws(BackendFault) {
            return try await hasSettled(index) ? .reached : .renumbered
        } catch .malformedAnswer {
            // Payers decide how long a page is. One that cannot be read must not keep settlements from being followed.
            return .reached
        }
    }

    private func hasSettled(_ index: UInt64) async throws(BackendFault) -> Bool {
        var offset: UInt64 = 0
        for _ in 0..<Self.mostPages {
            let page = try await ask { [offset] client throws(LNDFault) in
                try await client.invoices(at: offset, isReversed: true)
            }
            for invoice in page.invoices
            where try invoice.settleIndices().contains(where: { $0 >= index }) { return true }
            // When paging backwards, the first entry of a page is the exclusive end of the next.
            guard let next = page.next, next > 1 else { return false }
            offset = next
        }
        return true
    }

    private static let mostPages = 100
}

extension LNDClient {
    /// A part of the node's list of invoices, in its order.
    struct InvoicePage: Sendable {
        let invoices: [NodeAnswer]
        /// Where the next part begins; nil for the last one.
        let next: UInt64?
    }

    /// Invoices after an offset, or before it. Payers decide how long each is: where a page is too long for the node (gRPC
    /// limits a message) or takes too long, a shorter one is requested.
    func invoices(at offset: UInt64, isReversed: Bool = false) async throws(LNDFault) -> InvoicePage {
        var count = Self.pageCount
        while true {
            do throws(LNDFault) {
                return try await invoices(count, at: offset, isReversed)
            } catch {
                guard count > 1, error.isOfLength else { throw error }
                count /= 10
            }
        }
    }

    private func invoices(
        _ count: Int, at offset: UInt64, _ isReversed: Bool
    ) async throws(LNDFault) -> InvoicePage {
        let page = try await call(
            .get, "/v1/invoices",
            query: [("index_offset", String(offset)), ("num_max_invoices", String(count))]
                + (isReversed ? [("reversed", "true")] : []),
            filters: true, needing: .readInvoices)
        do {
            let invoices = try page.elements("invoices")
            let next = try page.lenientNumber(isReversed ? "first_index_offset" : "last_index_offset")
            return InvoicePage(invoices: invoices, next: invoices.count == count ? next : nil)
        } catch {
            throw .backend(error)
        }
    }

    private static let pageCount = 100
}

extension LNDFault {
    /// Whether a shorter answer may succeed.
    fileprivate var isOfLength: Bool {
        switch self {
        case .backend(.timedOut), .backend(.malformedAnswer): true
        case .refused(let error, by: _): error.isTooLong
        default: false
        }
    }
}

extension NodeAnswer {
    /// The settlement indexes of an invoice: one, several for AMP payments, or none.
    func settleIndices() throws(BackendFault) -> [UInt64] {
        if has("is_amp"), try flag("is_amp") {
            var indices: [UInt64] = []
            for state in try member("amp_invoice_state").object.members {
                indices.append(try NodeAnswer(state.value, at: "amp_invoice_state").lenientNumber("settle_index"))
            }
            return indices
        }
        return try text("state") == "SETTLED" ? [try lenientNumber("settle_index")] : []
    }
}
