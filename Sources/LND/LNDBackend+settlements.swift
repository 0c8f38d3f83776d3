import LightningCoding
import Nodes
import OutboundHTTP
public import Contracts

extension LNDBackend {
    /// Every payment that the node has received, in its order, by `SubscribeInvoices`; the cursor is its
    /// `settle_index`.
    public func settlements(after cursor: SettlementCursor?) -> AsyncThrowingStream<Settlement, any Error> {
        let feed = SettlementFeed(after: cursor, of: self)
        return AsyncThrowingStream { try await feed.next() }
    }

    /// Whether an invoice with the cursor's `settle_index` or a higher one exists. Only the newest ones are searched,
    /// since a rebuilt node has few; with many more invoices, the cursor is assumed to be reached.
    public func standing(of cursor: SettlementCursor) async throws(BackendFault) -> CursorStanding {
        guard let index = cursor.settleIndex, index > 0 else { return .reached }
        do throws(BackendFault) {
            return try await hasSettled(index) ? .reached : .countedAnew
        } catch .malformedAnswer {
            // Payers decide how long a page is. One that cannot be read must not keep settlements from being followed.
            return .reached
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
            // When paging backwards, the first entry of a page is the exclusive end of the next.
            offset = try page.lenientNumber("first_index_offset")
            guard invoices.count == Self.pageCount, offset > 1 else { return false }
        }
        return true
    }

    private static let pageCount = 100
    private static let mostPages = 100
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
