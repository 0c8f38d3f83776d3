import LightningCoding
import ResponderModel
import Testing

extension LedgerRule {
    static let listing = [
        LedgerRule("Invoices are listed newest first, page by page, while others are added") { ledger in
            try await ledger.put("alice")
            for number in UInt64(1)...7 { try await ledger.record(try Sample.invoice(number), using: nil) }
            var query = InvoiceQuery(now: Sample.start, limit: 3)
            var pages: [[UInt64]] = []
            repeat {
                let page = try await ledger.invoices(query)
                pages.append(page.elements.map(\.number))
                query.after = page.next
                if pages.count == 1 { try await ledger.record(try Sample.invoice(8), using: nil) }
            } while query.after != nil
            #expect(pages == [[7, 6, 5], [4, 3, 2], [1]])
        },
        LedgerRule("A full page is the last one when nothing follows") { ledger in
            try await ledger.put("alice")
            for number in UInt64(1)...3 { try await ledger.record(try Sample.invoice(number), using: nil) }
            let page = try await ledger.invoices(InvoiceQuery(now: Sample.start, limit: 3))
            #expect(page.elements.count == 3)
            #expect(page.next == nil)
        },
        LedgerRule("Invoices are listed by backend, however many another one has") { ledger in
            let busy = try #require(BackendName("busy"))
            try await ledger.put("alice")
            for number in UInt64(1)...9 {
                let invoice = try Sample.invoice(number, at: number.isMultiple(of: 4) ? .embedded : busy)
                try await ledger.record(invoice, using: nil)
            }
            for state in [nil, IssuedInvoice.State.open] {
                var query = InvoiceQuery(backend: .embedded, state: state, now: Sample.start, limit: 1)
                let first = try await ledger.invoices(query)
                #expect(first.elements.map(\.number) == [8])
                query.after = first.next
                let last = try await ledger.invoices(query)
                #expect(last.elements.map(\.number) == [4])
                #expect(last.next == nil)
            }
        },
        LedgerRule("Invoices are listed by account and by their state at a moment") { ledger in
            let bob = try Sample.account("bob")
            try await ledger.put("alice")
            try await ledger.put("bob")
            for number in UInt64(1)...6 {
                let invoice = try Sample.invoice(number, for: number.isMultiple(of: 2) ? bob : nil)
                try await ledger.record(invoice, using: nil)
            }
            for number in [UInt64(3), 4] { _ = try await ledger.record(try Sample.settlement(number), from: .embedded) }
            // At this moment invoice 2 has expired and invoice 5 has one second left.
            let now = try Sample.invoice(2).expiresAt
            func numbers(_ state: IssuedInvoice.State?, of account: AccountID?) async throws -> [UInt64] {
                let page = try await ledger.invoices(InvoiceQuery(account: account, state: state, now: now))
                for invoice in page.elements where state != nil { #expect(invoice.state(at: now) == state) }
                return page.elements.map(\.number)
            }
            #expect(try await numbers(nil, of: nil) == [6, 5, 4, 3, 2, 1])
            #expect(try await numbers(.open, of: nil) == [6, 5])
            #expect(try await numbers(.settled, of: nil) == [4, 3])
            #expect(try await numbers(.expired, of: nil) == [2, 1])
            #expect(try await numbers(nil, of: bob) == [6, 4, 2])
            #expect(try await numbers(.open, of: bob) == [6])
            #expect(try await numbers(.settled, of: bob) == [4])
            #expect(try await numbers(.expired, of: bob) == [2])
            #expect(try await numbers(nil, of: Sample.account("carol")) == [])
        },
    ]
}

extension IssuedInvoice {
    /// Its number in `Sample`.
    fileprivate var number: UInt64 { amount.msat / 1000 }
}
