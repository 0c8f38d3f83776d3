import LightningCoding
import LightningCrypto
import ResponderModel
import Testing

extension LedgerRule {
    static let invoices = [
        LedgerRule("An invoice comes back as it was recorded, and an unknown one does not") { ledger in
            try await ledger.put("alice")
            let plain = try Sample.invoice(1)
            let words = InvoiceOrigin.PayerWords(
                metadataVersion: 1, tag: "rent", comment: "Hi ⚡️ \u{1}", payerData: #"{"name":"Bob"}"#
            )
            let talkative = try Sample.invoice(2, words: words)
            try await ledger.record(plain, using: nil)
            try await ledger.record(talkative, using: nil)
            #expect(try await ledger.invoice(plain.paymentHash) == plain)
            #expect(try await ledger.invoice(talkative.paymentHash) == talkative)
            #expect(try await ledger.invoice(Sample.preimage(3).paymentHash) == nil)
        },
        LedgerRule("A payment hash is recorded once") { ledger in
            try await ledger.put("alice")
            try await ledger.record(try Sample.invoice(1), using: nil)
            await #expect(throws: LedgerFault.duplicateInvoice) {
                try await ledger.record(try Sample.invoice(1, label: "other"), using: .challenge(Sample.challenge(1)))
            }
            #expect(try await ledger.isUsed(Sample.challenge(1)) == false)
        },
        LedgerRule("An account's invoices outlive it") { ledger in
            try await ledger.put("alice")
            let invoice = try Sample.invoice(1)
            try await ledger.record(invoice, using: nil)
            _ = try await ledger.removeAccount(named: Sample.alice())
            #expect(try await ledger.invoice(invoice.paymentHash) == invoice)
        },
        LedgerRule("Many at once are all recorded") { ledger in
            try await ledger.put("alice")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in UInt64(1)...200 {
                    group.addTask {
                        let invoice = try Sample.invoice(number)
                        try await ledger.record(invoice, using: nil)
                        #expect(try await ledger.invoice(invoice.paymentHash) == invoice)
                    }
                }
                try await group.waitForAll()
            }
        },
    ]

    static let challenges = [
        LedgerRule("A challenge is good for one invoice") { ledger in
            try await ledger.put("alice")
            #expect(try await ledger.isUsed(Sample.challenge(1)) == false)
            try await ledger.record(try Sample.invoice(1), using: .challenge(Sample.challenge(1)))
            #expect(try await ledger.isUsed(Sample.challenge(1)))
            await #expect(throws: LedgerFault.challengeUsed) {
                try await ledger.record(try Sample.invoice(2), using: .challenge(Sample.challenge(1)))
            }
            #expect(try await ledger.invoice(Sample.preimage(2).paymentHash) == nil)
            try await ledger.record(try Sample.invoice(2), using: .challenge(Sample.challenge(2)))
        },
        LedgerRule("Of many that answer one challenge at once, one gets its invoice") { ledger in
            try await ledger.put("alice")
            let recorded = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
                for number in UInt64(1)...50 {
                    group.addTask {
                        (try? await ledger.record(try Sample.invoice(number), using: .challenge(Sample.challenge(1))))
                            != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(recorded == 1)
            #expect(try await ledger.invoices(InvoiceQuery(now: Sample.start)).elements.count == 1)
        },
        LedgerRule("Challenges are forgotten when their time is over, and not before") { ledger in
            try await ledger.put("alice")
            try await ledger.record(try Sample.invoice(1), using: .challenge(Sample.challenge(1)))
            let end = Sample.challenge(1).expiresAt
            #expect(try await ledger.prune(before: end) == 0)
            #expect(try await ledger.isUsed(Sample.challenge(1)))
            #expect(try await ledger.prune(before: end.adding(seconds: 1)) == 1)
            #expect(try await ledger.isUsed(Sample.challenge(1)) == false)
        },
    ]
}
