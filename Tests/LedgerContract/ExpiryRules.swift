import Bolt12
import LightningCoding
import LightningCrypto
import ResponderModel
import Testing

extension LedgerRule {
    static let expiry = [
        LedgerRule("Unpaid invoices are deleted after they expire, and not before") { ledger in
            try await ledger.put("alice")
            let first = try Sample.invoice(1)
            let second = try Sample.invoice(2)
            for invoice in [first, second] { try await ledger.record(invoice, using: nil) }
            let hashes = [first.paymentHash, second.paymentHash]
            #expect(try await ledger.expired(before: first.expiresAt) == [])
            #expect(try await ledger.forgetExpired(hashes, before: first.expiresAt) == 0)
            let later = first.expiresAt.adding(seconds: 1)
            #expect(try await ledger.expired(before: later) == [first.paymentHash])
            #expect(try await ledger.forgetExpired(hashes, before: later) == 1)
            #expect(try await ledger.invoice(first.paymentHash) == nil)
            #expect(try await ledger.invoice(second.paymentHash) == second)
            #expect(try await ledger.forgetExpired(hashes, before: later) == 0)
            #expect(try await ledger.forgetExpired([], before: later) == 0)
            #expect(try await ledger.invoices(InvoiceQuery(now: later)).elements == [second])
        },
        LedgerRule("Paid invoices are kept, and so is the cursor") { ledger in
            try await ledger.put("alice")
            let invoice = try Sample.invoice(1)
            try await ledger.record(invoice, using: nil)
            let settled = try await ledger.record(Sample.settlement(1, cursor: "7"), from: .embedded)
            let end = UnixTime(UInt64(Int64.max))
            #expect(try await ledger.expired(before: end) == [])
            #expect(try await ledger.forgetExpired([invoice.paymentHash], before: end) == 0)
            #expect(try await ledger.invoice(invoice.paymentHash) == settled)
            #expect(try await ledger.cursor(of: .embedded) == SettlementCursor("7"))
        },
        LedgerRule("Forgetting goes by backend, in as many as were asked for, also for accounts that are gone") {
            ledger in
            try await ledger.put("alice")
            for number in UInt64(1)...5 { try await ledger.record(try Sample.invoice(number), using: nil) }
            _ = try await ledger.removeAccount(named: Sample.alice())
            let end = Sample.start.adding(seconds: 1_000)
            #expect(
                try await ledger.expiredInvoices(of: .embedded, before: end, after: nil, limit: 3).count == 3)
            #expect(
                try await ledger.expiredInvoices(of: .embedded, before: end, after: nil, limit: 9).count == 5)
            let other = try #require(BackendName("other"))
            #expect(try await ledger.expiredInvoices(of: other, before: end, after: nil, limit: 9) == [])
        },
        LedgerRule("Expired invoices are paged, each listed once, while earlier ones are deleted or kept") {
            ledger in
            let bob = try Sample.account("bob")
            try await ledger.put("alice")
            try await ledger.put("bob")
            for number in UInt64(1)...9 {
                let invoice = try Sample.invoice(number, for: number.isMultiple(of: 2) ? bob : nil)
                try await ledger.record(invoice, using: nil)
            }
            let end = Sample.start.adding(seconds: 1_000)
            var found: [ExpiredInvoice] = []
            while true {
                let part = try await ledger.expiredInvoices(
                    of: .embedded, before: end, after: found.last?.mark, limit: 2)
                guard !part.isEmpty else { break }
                found += part
                // Every other part is deleted.
                if found.count.isMultiple(of: 4) {
                    _ = try await ledger.forgetExpired(part.map(\.paymentHash), before: end)
                }
            }
            #expect(found.count == 9)
            #expect(
                Set(found.map(\.paymentHash)) == Set(try (UInt64(1)...9).map { try Sample.preimage($0).paymentHash }))
            for invoice in found { #expect(invoice.expiresAt == invoice.createdAt.adding(seconds: 300)) }
        },
        LedgerRule("A settlement of a deleted invoice moves the cursor only") { ledger in
            try await ledger.put("alice")
            let invoice = try Sample.invoice(1)
            try await ledger.record(invoice, using: nil)
            let end = Sample.start.adding(seconds: 1_000)
            #expect(try await ledger.forgetExpired([invoice.paymentHash], before: end) == 1)
            #expect(try await ledger.record(Sample.settlement(1, cursor: "8"), from: .embedded) == nil)
            #expect(try await ledger.cursor(of: .embedded) == SettlementCursor("8"))
        },
        LedgerRule("Invoices for offers are forgotten with the requests that they answered, and a younger answer stays")
        {
            ledger in
            try await ledger.put("alice")
            let offer = try await ledger.putOffer(Sample.offer(1))
            let request = RequestDigest(of: [1])
            let claim = InvoiceClaim.offer(OfferClaim(offer: offer.offer.id, request: request))
            let old = try Sample.offeredInvoice(1, for: offer)
            let young = try Sample.offeredInvoice(500, for: offer)
            let alone = try Sample.offeredInvoice(2, for: offer)
            try await ledger.record(old, using: claim)
            try await ledger.record(
                alone, using: .offer(OfferClaim(offer: offer.offer.id, request: RequestDigest(of: [2]))))
            try await ledger.record(young, using: claim)
            let moment = young.createdAt
            let hashes = [old.paymentHash, young.paymentHash, alone.paymentHash]
            #expect(try await ledger.forgetExpired(hashes, before: moment) == 2)
            #expect(try await ledger.answer(to: request, at: moment) == young)
            #expect(try await ledger.invoice(old.paymentHash) == nil)
            #expect(try await ledger.invoice(alone.paymentHash) == nil)
        },
    ]
}

extension Ledger {
    fileprivate func expired(before moment: UnixTime) async throws -> [PaymentHash] {
        try await expiredInvoices(of: .embedded, before: moment, after: nil, limit: 100).map(\.paymentHash)
    }
}
