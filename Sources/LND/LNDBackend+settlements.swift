import NodeHTTP
import OutboundHTTP
public import Contracts

extension LNDBackend {
    /// Every payment that the node has received, in its order, by `SubscribeInvoices`; the cursor is its `settle_index`.
    public func settlements(after cursor: SettlementCursor?) -> AsyncThrowingStream<Settlement, any Error> {
        let feed = SettlementFeed(after: cursor, of: self)
        return AsyncThrowingStream { try await feed.next() }
    }

    /// Whether an invoice is there that has the cursor's `settle_index` or a higher one: the newest ones are looked through, since a
    /// node that was built again has few. One with many more has reached it as far as can be told.
    public func hasReached(_ cursor: SettlementCursor) async throws(BackendFault) -> Bool {
        guard let index = cursor.settleIndex, index > 0 else { return true }
        do throws(BackendFault) {
            return try await hasSettled(index)
        } catch .malformedAnswer {
            // Payers decide how long a page is. One that cannot be read must not keep settlements from being followed.
            return true
        }
    }

    private func hasSettled(_ index: UInt64) async throws(BackendFault) -> Bool {
        var offset: UInt64 = 0
        for _ in 0..<Self.mostPages {
            let page = try await ask { [offset] client throws(LNDFault) in
                try await client.call(
                    .get, "/v1/invoices",
                    query: [
                        ("index_offset", String(offset)), ("num_max_invoices", String(Self.pageCount)),
                        ("reversed", "true"),
                    ],
                    needing: .readInvoices)
            }
            let invoices = try page.elements("invoices")
            for invoice in invoices where try invoice.settleIndices().contains(where: { $0 >= index }) { return true }
            // Backwards the first one of the page is the next page's end, which it does not contain.
            offset = try page.number("first_index_offset")
            guard invoices.count == Self.pageCount, offset > 1 else { return false }
        }
        return true
    }

    private static let pageCount = 100
    private static let mostPages = 100
}

extension NodeAnswer {
    /// The numbers of the settlements of an invoice: one, several when it is paid by AMP, or none.
    func settleIndices() throws(BackendFault) -> [UInt64] {
        if has("is_amp"), try truth("is_amp") {
            var indices: [UInt64] = []
            for state in try members("amp_invoice_state") { indices.append(try state.number("settle_index")) }
            return indices
        }
        return try text("state") == "SETTLED" ? [try number("settle_index")] : []
    }
}
