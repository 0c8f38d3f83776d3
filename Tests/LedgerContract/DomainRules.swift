import Contracts
import LNURL
import LightningCoding
import Testing

extension LedgerRule {
    static let domains = [
        LedgerRule("A domain reads back as written, domains are listed by name, and an unknown one is nil") { ledger in
            #expect(try await ledger.domains().isEmpty)
            #expect(try await ledger.mainDomain() == nil)
            var settings = DomainSettings()
            settings.aliases = [try DomainName("www.example.org")]
            settings.backends = [.embedded]
            settings.minSendable = Millisatoshi(1_000)
            settings.maximumOpenInvoices = 5
            settings.reserved = [.root]
            settings.description = "Pay {address}"
            let put = try await ledger.putDomain(at: PublicURL("https://example.org:8443/pay"), settings)
            #expect(put == Domain(publicURL: try PublicURL("https://example.org:8443/pay"), settings: settings))
            #expect(try await ledger.domain(DomainName("example.org:8443")) == put)
            #expect(try await ledger.domain(DomainName("example.org")) == nil)
            let main = try await ledger.putMainDomain(at: HTTPURL("https://example.com"))
            let wildcard = try await ledger.putDomain(at: PublicURL("https://*.example.com"), DomainSettings())
            #expect(main == (try Sample.domain()))
            #expect(try await ledger.domains() == [wildcard, main, put])
            #expect(try await ledger.mainDomain() == main)
        },
        LedgerRule("Putting a domain again replaces its URL and settings, and leaves the main one the main one") {
            ledger in
            _ = try await ledger.putMainDomain(at: HTTPURL("https://example.com"))
            var settings = DomainSettings()
            settings.description = "Tip {address}"
            let put = try await ledger.putDomain(at: PublicURL("https://example.com/pay"), settings)
            #expect(put.isMain && put.settings == settings && put.publicURL.text == "https://example.com/pay")
            #expect(try await ledger.domains() == [put])
        },
        LedgerRule("An account needs its domain, and the same name in two domains is two accounts") { ledger in
            let here = try await ledger.put("alice")
            let there = try AccountID("alice@example.org")
            await #expect(throws: LedgerFault.unknownDomain(there.domain)) {
                try await ledger.putAccount(
                    named: there, settings: Sample.settings(), metadata: Sample.metadata("For alice"), at: Sample.start)
            }
            #expect(try await ledger.accounts() == [here])
            _ = try await ledger.putDomain(at: PublicURL("https://example.org"), DomainSettings())
            let other = try await ledger.putAccount(
                named: there, settings: Sample.settings(), metadata: Sample.metadata("For alice"), at: Sample.start)
            #expect(other.id == there && other.domain.name.text == "example.org")
            #expect(try await ledger.account(named: here.id) == here)
            #expect(try await ledger.accounts() == [here, other])
            try await ledger.record(Sample.invoice(1), using: nil)
            try await ledger.record(Sample.invoice(2, for: there), using: nil)
            for (number, id) in [(UInt64(1), here.id), (2, there)] {
                let listed = try await ledger.invoices(InvoiceQuery(account: id, now: Sample.start)).invoices
                #expect(listed == [try Sample.invoice(number, for: id)])
                #expect(try await ledger.openInvoices(of: id, at: Sample.start, countingTo: 9).count == 1)
            }
            #expect(try await ledger.removeAccount(named: there))
            #expect(try await ledger.accounts() == [here])
            #expect(try await ledger.invoice(Sample.invoice(2).paymentHash)?.account == there)
        },
        LedgerRule("The main domain is renamed with its accounts and their invoices, but not to another domain's name")
        { ledger in
            try await ledger.put("alice")
            let invoice = try Sample.invoice(1)
            try await ledger.record(invoice, using: nil)
            _ = try await ledger.putDomain(at: PublicURL("https://example.org"), DomainSettings())
            let taken = try DomainName("example.org")
            await #expect(throws: LedgerFault.domainExists(taken)) {
                try await ledger.putMainDomain(at: HTTPURL("https://example.org"))
            }
            await #expect(throws: LedgerFault.domainExists(taken)) {
                try await ledger.keep(publicURL: HTTPURL("https://example.org"))
            }
            #expect(try await ledger.publicURL() == nil)
            let main = try await ledger.putMainDomain(at: HTTPURL("https://pay.example"))
            #expect(main.isMain && main.name.text == "pay.example")
            #expect(try await ledger.accounts().map(\.id.text) == ["alice@pay.example"])
            #expect(try await ledger.invoice(invoice.paymentHash)?.account.text == "alice@pay.example")
            #expect(try await ledger.account(named: Sample.alice()) == nil)
        },
        LedgerRule("A domain is removed when it has no accounts; the main one stays") { ledger in
            try await ledger.put("alice")
            let name = try DomainName("example.org")
            #expect(try await ledger.removeDomain(name) == false)
            let bob = AccountID(try AddressName("bob"), at: name)
            for hasInvoice in [false, true] {
                _ = try await ledger.putDomain(at: PublicURL("https://example.org"), DomainSettings())
                if hasInvoice {
                    _ = try await ledger.putAccount(
                        named: bob, settings: Sample.settings(), metadata: Sample.metadata("For alice"),
                        at: Sample.start)
                    try await ledger.record(Sample.invoice(1, for: bob), using: nil)
                    await #expect(throws: LedgerFault.domainInUse(name)) { try await ledger.removeDomain(name) }
                    #expect(try await ledger.removeAccount(named: bob))
                }
                #expect(try await ledger.removeDomain(name))
                #expect(try await ledger.domain(name) == nil)
                #expect(try await ledger.removeDomain(name) == false)
            }
            #expect(try await ledger.invoice(Sample.invoice(1).paymentHash)?.account == bob)
            let main = try DomainName("example.com")
            await #expect(throws: LedgerFault.domainInUse(main)) { try await ledger.removeDomain(main) }
        },
        LedgerRule("The revision changes with every change of a domain") { ledger in
            var revisions = [try await ledger.accountsRevision()]
            _ = try await ledger.putMainDomain(at: HTTPURL("https://example.com"))
            revisions.append(try await ledger.accountsRevision())
            _ = try await ledger.putDomain(at: PublicURL("https://example.org"), DomainSettings())
            revisions.append(try await ledger.accountsRevision())
            _ = try await ledger.removeDomain(DomainName("example.org"))
            revisions.append(try await ledger.accountsRevision())
            #expect(Set(revisions).count == revisions.count)
        },
        LedgerRule("An invoice is found by its hash and the second of its issue, and not by another second") { ledger in
            try await ledger.put("alice")
            let invoice = try Sample.invoice(1)
            try await ledger.record(invoice, using: nil)
            #expect(try await ledger.invoice(invoice.paymentHash, createdAt: invoice.createdAt) == invoice)
            let later = invoice.createdAt.adding(seconds: 1)
            #expect(try await ledger.invoice(invoice.paymentHash, createdAt: later) == nil)
        },
    ]
}
