import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import Testing

extension Ledger where Self: Outbox {
    /// The work that follows from the settlement of an invoice with that number, which arrives twice.
    fileprivate func settled(_ number: UInt64, of account: String = "alice") async throws -> OutboxWork? {
        try await record(Sample.invoice(number, for: Sample.account(account)), using: nil)
        #expect(try await record(Sample.settlement(number), from: .embedded) != nil)
        #expect(try await record(Sample.settlement(number), from: .embedded) == nil)
        return try await work(webhookJob(number).id)
    }
}

private func webhookJob(_ number: UInt64) throws -> SettlementWebhookJob {
    SettlementWebhookJob(try Sample.preimage(number).paymentHash, to: try Sample.alice())
}

/// The work that follows from settlements.
extension LedgerRule {
    static let followUps = [
        LedgerRule(
            "A settlement adds the work of telling it for accounts that want that, and for all when all are told"
        ) {
            ledger in
            var wanting = Sample.settings()
            wanting.settlementWebhook = SettlementWebhook(
                url: try HTTPURL("https://example.com/paid"), secretFile: "/secret")
            try await ledger.put("bob")
            let account = try await ledger.putAccount(
                named: Sample.alice(), settings: wanting, metadata: Sample.metadata("For alice"), at: Sample.start)
            #expect(account.settings == wanting)
            let work = try #require(try await ledger.settled(1))
            #expect(work.kind == .settlementWebhook && work.account?.text == "alice@example.com" && work.attempts == 0)
            #expect(work.createdAt == Sample.start.adding(seconds: 101))
            #expect(try SettlementWebhookJob(work) == webhookJob(1))
            #expect(try await ledger.settled(2, of: "bob") == nil)
            #expect(try await !ledger.tellsSettlementsOfAll())
            try await ledger.tellSettlementsOfAll(true)
            try await ledger.tellSettlementsOfAll(true)
            #expect(try await ledger.tellsSettlementsOfAll())
            #expect(try await ledger.settled(3, of: "bob") != nil)
            try await ledger.tellSettlementsOfAll(false)
            #expect(try await !ledger.tellsSettlementsOfAll())
            #expect(try await ledger.settled(4, of: "bob") == nil)
            try await ledger.put("alice")
            #expect(try await ledger.settled(5) == nil)
            #expect(try await ledger.totals().settlements == 5)
            #expect(try await ledger.totals().pending == [.settlementWebhook: 2])
        },
        LedgerRule("A settlement adds the work of telling the account's owner, beside that of a webhook") { ledger in
            var owned = Sample.settings()
            owned.owner = try Sample.node(1)
            try await ledger.put("bob")
            let account = try await ledger.putAccount(
                named: Sample.alice(), settings: owned, metadata: Sample.metadata("For alice"), at: Sample.start)
            #expect(account.settings == owned)
            #expect(try await ledger.settled(1) == nil)
            #expect(try await ledger.settled(2, of: "bob") == nil)
            let job = OwnerPaymentJob(try Sample.preimage(1).paymentHash, to: try Sample.alice())
            let work = try #require(try await ledger.work(job.id))
            #expect(work.kind == .ownerPayment && work.account?.text == "alice@example.com")
            #expect(OwnerPaymentJob(work) == job)
            try await ledger.tellSettlementsOfAll(true)
            #expect(try await ledger.settled(3) != nil)
            #expect(try await ledger.settled(4, of: "bob") != nil)
            #expect(try await ledger.totals().pending == [.settlementWebhook: 2, .ownerPayment: 2])
            try await ledger.put("alice")
            #expect(try await ledger.settled(5) != nil)
            #expect(try await ledger.totals().pending == [.settlementWebhook: 3, .ownerPayment: 2])
        },
        LedgerRule("A settlement that was asked for by its hash adds that work, too; and once, whoever writes it down")
        {
            ledger in
            try await ledger.put("alice")
            try await ledger.tellSettlementsOfAll(true)
            try await ledger.record(Sample.invoice(1), using: nil)
            let hash = try Sample.preimage(1).paymentHash
            let settlement = RecordedSettlement(
                settledAt: Sample.start, received: Millisatoshi(1), preimage: try Sample.preimage(1))
            #expect(try await ledger.record(settlement, of: hash, from: .embedded) != nil)
            #expect(try await ledger.record(Sample.settlement(1), from: .embedded) == nil)
            #expect(try await ledger.outbox(OutboxQuery()).elements.map(\.id) == [webhookJob(1).id])
            #expect(try await ledger.totals().settlements == 1)
        },
        LedgerRule(
            "Whoever observes is told of each invoice and each payment once, by whatever way it was written down"
        ) {
            ledger in
            let told = Guarded<[String]>([])
            ledger.observers.add { fact in
                let words =
                    switch fact {
                    case .issued(let invoice): "issued \(invoice.label)"
                    case .settled(let invoice): "settled \(invoice.label)"
                    case .workDue: "work due"
                    case .unrecordedMismatch: "unrecorded"
                    }
                told.withLock { $0.append(words) }
            }
            try await ledger.put("alice")
            try await ledger.record(Sample.invoice(1), using: nil)
            await #expect(throws: LedgerFault.duplicateInvoice) {
                try await ledger.record(Sample.invoice(1), using: nil)
            }
            try await ledger.record(Sample.invoice(2), using: nil)
            for _ in 0..<2 { _ = try await ledger.record(Sample.settlement(1), from: .embedded) }
            let settlement = RecordedSettlement(
                settledAt: Sample.start, received: Millisatoshi(1), preimage: try Sample.preimage(2))
            for _ in 0..<2 {
                _ = try await ledger.record(settlement, of: Sample.preimage(2).paymentHash, from: .embedded)
            }
            try await ledger.add(Sample.work(1), heldBy: "one")
            _ = try await ledger.retry(Sample.work(1).id, at: Sample.start)
            #expect(
                told.withLock { $0 } == [
                    "issued label 1", "issued label 2", "settled label 1", "settled label 2", "work due",
                ])
        },
    ]
}
