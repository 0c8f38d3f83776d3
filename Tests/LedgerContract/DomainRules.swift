import LNURL
import LightningCoding
import ResponderModel
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
        LedgerRule("A domain whose change expects an earlier revision stays as it is") { ledger in
            let url = try PublicURL("https://example.org")
            let revision = try await ledger.accountsRevision()
            let domain = try await ledger.putDomain(at: url, DomainSettings(), expecting: revision)
            var settings = DomainSettings()
            settings.description = "Tip {address}"
            for url in [url, try PublicURL("https://example.net")] {
                await #expect(throws: LedgerFault.changedMeanwhile) {
                    try await ledger.putDomain(at: url, settings, expecting: revision)
                }
            }
            #expect(try await ledger.domains() == [domain])
            #expect(try await ledger.accountsRevision() == revision + 1)
            #expect(try await ledger.putDomain(at: url, settings, expecting: revision + 1).settings == settings)
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
                let listed = try await ledger.invoices(InvoiceQuery(account: id, now: Sample.start)).elements
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
        LedgerRule("A name or alias belongs to one domain, also when the main one is renamed") { ledger in
            func aliases(_ names: String...) throws -> DomainSettings {
                var settings = DomainSettings()
                settings.aliases = try names.map { try DomainName($0) }
                return settings
            }
            _ = try await ledger.putMainDomain(at: HTTPURL("https://example.com"))
            let org = try await ledger.putDomain(
                at: PublicURL("https://example.org"), aliases("a.example", "b.example"))
            #expect(try await ledger.putDomain(at: org.publicURL, org.settings) == org)
            let before = try await ledger.domains()
            for (url, settings) in [
                ("https://a.example", DomainSettings()), ("https://c.example", try aliases("x.example", "b.example")),
                ("https://c.example", try aliases("example.org")),
            ] {
                let url = try PublicURL(url)
                await #expect(throws: LedgerFault.domainExists(url.domain)) {
                    try await ledger.putDomain(at: url, settings)
                }
            }
            await #expect(throws: LedgerFault.domainExists(try DomainName("b.example"))) {
                try await ledger.putMainDomain(at: HTTPURL("https://b.example"))
            }
            #expect(try await ledger.domains() == before)
            _ = try await ledger.putDomain(at: org.publicURL, DomainSettings())
            #expect(try await ledger.putMainDomain(at: HTTPURL("https://b.example")).name.text == "b.example")
        },
        LedgerRule(
            "The former name of the main domain becomes an alias, and ceases to be one when it is the name again"
        ) {
            ledger in
            _ = try await ledger.putMainDomain(at: HTTPURL("https://example.com"))
            var settings = DomainSettings()
            settings.aliases = [try DomainName("www.example.com")]
            settings.minSendable = Millisatoshi(1_000)
            _ = try await ledger.putDomain(at: PublicURL("https://example.com"), settings)
            for (name, aliases) in [
                ("pay.example", ["www.example.com", "example.com"]),
                ("pay.example", ["www.example.com", "example.com"]),
                ("example.com", ["www.example.com", "pay.example"]),
                ("www.example.com", ["pay.example", "example.com"]),
            ] {
                let main = try await ledger.putMainDomain(at: HTTPURL("https://\(name)"))
                #expect(main.name.text == name && main.settings.aliases.map(\.text) == aliases)
                #expect(main.settings.minSendable == settings.minSendable)
            }
        },
        LedgerRule("An onion service is an alias of the renamed main domain only while that is one, too") { ledger in
            _ = try await ledger.putMainDomain(at: HTTPURL("http://one.onion"))
            for (url, aliases) in [
                ("http://two.onion", ["one.onion"]), ("https://example.com", []), ("http://one.onion", ["example.com"]),
            ] {
                let main = try await ledger.putMainDomain(at: HTTPURL(url))
                #expect(main.settings.aliases.map(\.text) == aliases)
            }
        },
        LedgerRule(
            "Of those who give the main domain different URLs at once one wins, and the others are told whose it is"
        ) { ledger in
            let urls = try (1...4).map { try HTTPURL("https://d\($0).example") }
            let outcomes = await withTaskGroup(of: Result<Domain, LedgerFault>.self) { group in
                for url in urls {
                    group.addTask {
                        do throws(LedgerFault) {
                            return .success(try await ledger.putMainDomain(at: url, replacing: nil))
                        } catch {
                            return .failure(error)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let main = try #require(try await ledger.mainDomain())
            #expect(outcomes.filter { $0 == .success(main) }.count == 1)
            #expect(outcomes.filter { $0 == .failure(.mainDomainMoved(to: main.publicURL)) }.count == 3)
            #expect(main.settings.aliases.isEmpty)
            // Whoever wants the same finds it done, and whoever knows it may change it.
            #expect(try await ledger.putMainDomain(at: main.base(of: .root), replacing: nil) == main)
            let next = try await ledger.putMainDomain(at: HTTPURL("https://next.example"), replacing: main.publicURL)
            #expect(next.settings.aliases == [main.name])
            await #expect(throws: LedgerFault.mainDomainMoved(to: next.publicURL)) {
                try await ledger.putMainDomain(at: HTTPURL("https://late.example"), replacing: main.publicURL)
            }
        },
        LedgerRule("No account of a wildcard domain shares its own host with a domain, whichever comes first") {
            ledger in
            func put(_ id: String) async throws {
                _ = try await ledger.putAccount(
                    named: AccountID(id), settings: Sample.settings(), metadata: Sample.metadata("x"), at: Sample.start)
            }
            var settings = DomainSettings()
            settings.aliases = [try DomainName("*.example.org")]
            _ = try await ledger.putDomain(at: PublicURL("https://*.example.net"), settings)
            try await put("alice@*.example.net")
            var alias = DomainSettings()
            alias.aliases = [try DomainName("alice.example.net")]
            let before = try await ledger.domains()
            for (url, settings) in [
                ("https://alice.example.net", DomainSettings()), ("https://alice.example.org", DomainSettings()),
                ("https://example.com", alias),
            ] {
                await #expect(throws: LedgerFault.hostOfAccount) {
                    try await ledger.putDomain(at: PublicURL(url), settings)
                }
            }
            await #expect(throws: LedgerFault.hostOfAccount) {
                try await ledger.putMainDomain(at: HTTPURL("https://alice.example.org"))
            }
            await #expect(throws: LedgerFault.hostOfAccount) {
                try await ledger.keep(publicURL: HTTPURL("https://alice.example.org"))
            }
            #expect(try await ledger.domains() == before)
            for host in ["bob.example.org", "alice.example.com", "x.alice.example.net"] {
                _ = try await ledger.putDomain(at: PublicURL("https://\(host)"), DomainSettings())
            }
            await #expect(throws: LedgerFault.hostOfAccount) { try await put("bob@*.example.net") }
            #expect(try await ledger.accounts().map(\.id.text) == ["alice@*.example.net"])
            #expect(try await ledger.removeAccount(named: AccountID("alice@*.example.net")))
            _ = try await ledger.putDomain(at: PublicURL("https://alice.example.net"), DomainSettings())
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
