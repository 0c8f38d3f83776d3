import LedgerRecords
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger

/// Iterates over the settlements for one reader, a page at a time, so that a slow reader of a long history uses little
/// memory.
actor SettlementFeed {
    private static let pageCount: Int64 = 100

    private let database: Database
    private let news: WakeSignal.Listener
    private var position: Int64?
    private var page: ArraySlice<Settlement> = []

    init(after cursor: SettlementCursor?, in database: Database, news: WakeSignal.Listener) {
        self.database = database
        self.news = news
        position = cursor == nil ? 0 : cursor?.position
    }

    /// Waits for the next settlement; nil when its task is canceled.
    func next() async throws(BackendFault) -> Settlement? {
        guard let current = position else { throw .refused("a cursor of another node") }
        if page.isEmpty { page = try await nextPage(after: current) }
        guard let settlement = page.popFirst() else { return nil }
        position = settlement.cursor.position
        return settlement
    }

    /// Waits for the page after a position; empty when its task is canceled.
    private func nextPage(after position: Int64) async throws(BackendFault) -> ArraySlice<Settlement> {
        while true {
            let page = try await read(after: position)
            if !page.isEmpty { return page[...] }
            guard await news.isWoken() else { return [] }
        }
    }

    private func read(after position: Int64) async throws(BackendFault) -> [Settlement] {
        try await awaiting(
            await database.read { connection throws(LedgerFault) in
                try connection.rows(Self.nextSettlements, [.integer(position), .integer(Self.pageCount)]) {
                    row throws(LedgerFault) in
                    Settlement(
                        paymentHash: try row.blob("payment_hash") { try PaymentHash($0) },
                        preimage: try row.blob("preimage") { try Preimage($0) },
                        received: try row.amount("received"),
                        settledAt: try row.time("settled_at"),
                        cursor: SettlementCursor(position: try row.integer("id"))
                    )
                }
            }, as: BackendFault.ledger)
    }

    private static let nextSettlements = """
        SELECT node_settlement.id, payment_hash, preimage, received, settled_at
        FROM node_settlement JOIN node_invoice ON node_invoice.id = node_settlement.invoice
        WHERE node_settlement.id > ?1 ORDER BY node_settlement.id LIMIT ?2
        """
}

extension SettlementCursor {
    init(position: Int64) {
        self.init(String(position))
    }

    /// nil when the cursor belongs to another kind of node.
    var position: Int64? { Int64(text) }
}
