import LightningCoding
import LightningCrypto
import Receiving
import Testing

extension Promise {
    static let settlements = [
        Promise("A settlement is recorded once, with what arrived, and moves the cursor each time") { ledger in
            try await ledger.put("alice")
            try await ledger.record(try Sample.invoice(1), using: nil)
            #expect(try await ledger.cursor(of: .embedded) == nil)
            var settled = try Sample.invoice(1)
            settled.settlement = RecordedSettlement(
                settledAt: Sample.start.adding(seconds: 101), received: Millisatoshi(1005),
                preimage: try Sample.preimage(1)
            )
            let hash = settled.paymentHash
            #expect(try await ledger.record(try Sample.settlement(1, cursor: "7"), from: .embedded) == settled)
            #expect(try await ledger.invoice(hash) == settled)
            #expect(try await ledger.cursor(of: .embedded) == SettlementCursor("7"))
            let again = Settlement(
                paymentHash: hash, preimage: try Sample.preimage(1), received: Millisatoshi(9), settledAt: Sample.start,
                cursor: SettlementCursor("8")
            )
            #expect(try await ledger.record(again, from: .embedded) == nil)
            #expect(try await ledger.invoice(hash) == settled)
            #expect(try await ledger.cursor(of: .embedded) == SettlementCursor("8"))
        },
        Promise("A settlement of an invoice that is not ours moves the cursor only") { ledger in
            try await ledger.put("alice")
            #expect(try await ledger.record(try Sample.settlement(1, cursor: "3"), from: .embedded) == nil)
            #expect(try await ledger.cursor(of: .embedded) == SettlementCursor("3"))
            #expect(try await ledger.invoices(InvoiceQuery(now: Sample.start)).invoices.isEmpty)
        },
        Promise("Each backend settles its own invoices, and has its own cursor") { ledger in
            let other = try #require(BackendName("main-node"))
            try await ledger.put("alice")
            try await ledger.record(try Sample.invoice(1), using: nil)
            #expect(try await ledger.record(try Sample.settlement(1, cursor: "abc"), from: other) == nil)
            #expect(try await ledger.cursor(of: other) == SettlementCursor("abc"))
            #expect(try await ledger.cursor(of: .embedded) == nil)
            #expect(try await ledger.invoice(Sample.preimage(1).paymentHash)?.settlement == nil)
        },
        Promise("Of many who record one settlement at once, one has settled the invoice") { ledger in
            try await ledger.put("alice")
            try await ledger.record(try Sample.invoice(1), using: nil)
            let settled = try await withThrowingTaskGroup(of: Bool.self, returning: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await ledger.record(try Sample.settlement(1), from: .embedded) != nil }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(settled == 1)
        },
    ]
}
