import LedgerRecords
import HTTPTypes
import LNURL
import LightningCoding
import Platform
import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing
@testable import HTTPService

@Suite("Several domains", .timeLimit(.minutes(5)))
struct DomainTests {
    private let service: TestService

    /// A service with alice@example.com, alice@example.org and alice@*.example.net.
    init() async throws {
        service = try await TestService()
        for url in ["https://example.org", "https://*.example.net"] {
            _ = try await service.ledger.putDomain(at: PublicURL(url), DomainSettings())
        }
        try await service.responder.accounts.refresh()
        for id in ["alice@example.org", "alice@*.example.net"] {
            let settings = AccountSettings(description: "Pay \(id)", backend: .embedded)
            let editor = AccountEditor(
                ledger: service.ledger, backends: [.embedded: service.node],
                clock: { [clock = service.clock] in clock.now })
            _ = try await editor.put(AccountID(id), settings)
        }
    }

    @Test("The same name in two domains is two accounts: metadata, invoices and verify do not cross")
    func separate() async throws {
        let here = try await service.ask("/lnurlp/alice").json()
        let there = try await service.ask("/lnurlp/alice", host: "example.org").json()
        #expect(here["metadata"]?.string?.contains(#"["text/identifier","alice@example.com"]"#) == true)
        #expect(there["metadata"]?.string?.contains(#"["text/identifier","alice@example.org"]"#) == true)
        let answer = try await service.ask("/lnurlpay/alice/v1/invoice?amount=1000", host: "example.org").json()
        let verify = try #require(answer["verify"]?.string)
        let issued = try #require(
            try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.first)
        #expect(issued.account.text == "alice@example.org")
        let path = verify.replacing("https://example.org", with: "")
        #expect(path == "/lnurlpay/alice/\(issued.createdAt.seconds)/\(issued.paymentHash)")
        #expect(try await service.ask(path, host: "example.org").json()["settled"] == false)
        #expect(try await service.ask(path).reason == "Not found")
    }

    @Test("Every URL given out begins with the domain's own")
    func urls() async throws {
        for (host, name, base) in [
            ("example.com", "alice", "https://example.com/"), ("example.org", "alice", "https://example.org/"),
            ("alice.example.net", "_", "https://alice.example.net/"),
        ] {
            let info = try await service.ask("/.well-known/lnurlp/\(name)", host: host).json()
            let callback = try #require(info["callback"]?.string)
            #expect(callback == base + "lnurlpay/\(name)/v1/invoice")
            let path = "/" + callback.dropFirst(base.count)
            let answer = try await service.ask(path + "?amount=1000", host: host).json()
            #expect(answer["verify"]?.string?.hasPrefix(base + "lnurlpay/\(name)/") == true)
        }
        let shown = try await service.administer("/accounts/alice@example.org").json()
        #expect(shown["webhook"]?.string?.hasPrefix("https://example.org/webhook/alice/") == true)
        #expect(shown["domain"] == "example.org")
        let own = try await service.administer("/accounts/alice@*.example.net").json()
        #expect(own["address"] == "_@alice.example.net")
        #expect(own["webhook"]?.string?.hasPrefix("https://alice.example.net/webhook/_/") == true)
    }

    @Test(
        "An unknown host gets an LNURL error with status 200 that any page may read",
        arguments: ["evil.example", "127.0.0.1"])
    func unknownHost(host: String) async throws {
        for target in [
            "/lnurlp/alice", "/lnurlpay/alice/invoice?amount=1000",
            "/lnurlpay/alice/" + String(repeating: "0", count: 64),
        ] {
            let answer = try await service.ask(target, host: host)
            #expect(answer.status == 200)
            #expect(answer.reason == "There is no payment address at this host")
            #expect(answer.headers[.accessControlAllowOrigin] == "*")
            #expect(answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test("The host is in its usual form, and an absolute target goes before it")
    func hosts() async throws {
        #expect(try await service.ask("/lnurlp/alice", host: "EXAMPLE.ORG.:443").json()["callback"] != nil)
        let absolute = try await service.ask("http://example.org/lnurlp/alice").json()
        #expect(absolute["callback"]?.string?.hasPrefix("https://example.org/") == true)
        #expect(
            try await service.ask("http://evil.example/lnurlp/alice").reason
                == "There is no payment address at this host")
    }

    @Test("An alias leads to the accounts of its domain, which keep its name in identifier and URLs")
    func alias() async throws {
        var settings = DomainSettings()
        settings.aliases = [try DomainName("www.example.org")]
        _ = try await service.ledger.putDomain(at: PublicURL("https://example.org"), settings)
        try await service.responder.accounts.refresh()
        let info = try await service.ask("/lnurlp/alice", host: "www.example.org").json()
        #expect(info["metadata"]?.string?.contains(#""alice@example.org""#) == true)
        #expect(info["callback"]?.string?.hasPrefix("https://example.org/") == true)
    }

    @Test("The limits of a domain narrow those of its accounts, and count the open invoices of each")
    func limits() async throws {
        var settings = DomainSettings()
        settings.minSendable = Millisatoshi(5_000)
        settings.maxSendable = Millisatoshi(9_000)
        settings.maximumOpenInvoices = 1
        _ = try await service.ledger.putDomain(at: PublicURL("https://example.org"), settings)
        try await service.responder.accounts.refresh()
        let info = try await service.ask("/lnurlp/alice", host: "example.org").json()
        #expect(info["minSendable"] == 5_000 && info["maxSendable"] == 9_000)
        func pay(_ amount: Int, _ host: String) async throws -> Answer {
            try await service.ask("/lnurlpay/alice/invoice?amount=\(amount)", host: host)
        }
        #expect(try await pay(4_999, "example.org").json()["pr"] == nil)
        #expect(try await pay(5_000, "example.org").json()["pr"] != nil)
        #expect(try await pay(5_000, "example.org").json()["pr"] == nil)
        for _ in 0..<2 { #expect(try await pay(1_000, "example.com").json()["pr"] != nil) }
    }

    @Test("A webhook names its account by the host or in full, each with the secret of that account only")
    func webhooks() async throws {
        let alice = try AddressName("alice")
        let table = try await service.responder.accounts.domains()
        let there = try #require(table[try DomainName("example.org")])
        let secret = service.secrets.pathSecret(of: alice, in: there)
        #expect(secret != service.secrets.pathSecret(of: alice, in: service.domain))
        let body = #"{"template":"tx_confirmed","data":{"tx_id":"1"}}"#
        for (path, host, status) in [
            ("/webhook/alice/\(secret)", "example.org", 200),
            ("/webhook/alice@example.org/\(secret)", "127.0.0.1", 200),
            ("/webhook/alice%40example.org/\(secret)", "example.com", 200),
            ("/webhook/alice/\(secret)", "example.com", 404),
            ("/webhook/alice@example.com/\(secret)", "example.org", 404),
            ("/webhook/alice@evil.example/\(secret)", "example.org", 404),
        ] {
            #expect(
                try await service.ask(path, method: .post, body: body, host: host).status == status, "\(path) \(host)")
        }
    }

    @Test("Domains are listed, added, changed and removed; a host belongs to one of them, and one with accounts stays")
    func administration() async throws {
        let listed = try await service.administer("/domains").json()
        #expect(listed["domains"]?.array?.map { $0["name"] } == ["*.example.net", "example.com", "example.org"])
        let body = #"{"publicURL":"https://shop.example","aliases":["www.shop.example"],"reserved":["admin"]}"#
        let added = try await service.administer("/domains/shop.example", method: .put, body: body)
        #expect(added.status == 200)
        #expect(try await service.administer("/domains/shop.example").body == added.body)
        let taken = #"{"aliases":["www.shop.example"]}"#
        #expect(try await service.administer("/domains/example.org", method: .put, body: taken).status == 409)
        for wrong in [
            #"{"publicURL":"https://other.example"}"#, #"{"publicURL":1}"#, #"{"publicURL":"http://shop.example"}"#,
            #"{"publicURL":"https://shop.example/a"}"#, #"{"aliases":["*.example"]}"#, #"{"backends":["none"]}"#,
            #"{"x":1}"#,
            #"{"description":"a\u0000b"}"#, #"{"minSendable":2,"maxSendable":1}"#,
        ] {
            #expect(
                try await service.administer("/domains/shop.example", method: .put, body: wrong).status == 400,
                "\(wrong)")
        }
        let main = #"{"publicURL":"https://example.com/other"}"#
        #expect(try await service.administer("/domains/example.com", method: .put, body: main).status == 400)
        #expect(
            try await service.administer("/domains/shop.example", method: .delete).json() == ["removed": "shop.example"]
        )
        #expect(try await service.administer("/domains/shop.example", method: .delete).status == 404)
        for inUse in ["example.org", "example.com"] {
            #expect(try await service.administer("/domains/\(inUse)", method: .delete).status == 409)
        }
    }

    @Test("The own host of an account is no name or alias of another domain, whichever of them comes first")
    func ownHosts() async throws {
        func put(_ path: String, _ body: String = "{}") async throws -> Int {
            try await service.administer(path, method: .put, body: body).status
        }
        #expect(try await put("/domains/alice.example.net") == 409)
        #expect(try await put("/domains/shop.example", #"{"aliases":["alice.example.net"]}"#) == 409)
        #expect(try await put("/domains/bob.example.net", #"{"aliases":["carol.example.net"]}"#) == 200)
        for name in ["bob", "carol"] { #expect(try await put("/accounts/\(name)@*.example.net") == 400) }
        #expect(try await put("/accounts/dave@*.example.net") == 200)
        #expect(try await put("/domains/alice.shop.example") == 200)
        #expect(try await put("/domains/*.example.net", #"{"aliases":["*.shop.example"]}"#) == 409)
    }

    @Test("A reserved name is refused for a new account; an account that has it already is kept and can be changed")
    func reserved() async throws {
        let reserved =
            #"{"publicURL":"https://example.org","reserved":["alice","admin"],"description":"Tip {address}"}"#
        #expect(try await service.administer("/domains/example.org", method: .put, body: reserved).status == 200)
        func put(_ id: String) async throws -> Answer {
            try await service.administer("/accounts/\(id)", method: .put, body: "{}")
        }
        #expect(try await put("admin@example.org").json() == ["error": "admin is a reserved name of example.org"])
        #expect(try await put("alice@example.org").status == 200)
        #expect(try await put("admin@example.com").status == 200)
        #expect(try await put("bob@example.org").json()["description"] == "Tip bob@example.org")
        #expect(try await put("bob@evil.example").status == 404)
    }

    @Test(
        "A name that cannot be a host is refused in a wildcard domain",
        arguments: ["a.b", "-a", String(repeating: "a", count: 64)])
    func label(name: String) async throws {
        #expect(try await service.administer("/accounts/\(name)@*.example.net", method: .put, body: "{}").status == 400)
    }

    @Test("A forwarded host counts only from a trusted proxy, and only once")
    func forwardedHost() throws {
        let selection = HostSelection(
            accounts: service.responder.accounts, trustedProxies: [try #require(NetworkPrefix("10.0.0.0/8"))])
        let (proxy, stranger) = (try #require(IPAddress("10.1.2.3")), try #require(IPAddress("192.0.2.1")))
        #expect(try selection.forwardedHost(["example.org"], from: proxy) == "example.org")
        #expect(try selection.forwardedHost(["example.org"], from: IPAddress("::ffff:10.1.2.3")) == "example.org")
        #expect(try selection.forwardedHost(["example.org"], from: stranger) == nil)
        #expect(try selection.forwardedHost(["example.org"], from: nil) == nil)
        #expect(try selection.forwardedHost([], from: proxy) == nil)
        for values in [["example.org", "example.com"], ["example.org, example.com"]] {
            #expect(throws: HostFault.several) { try selection.forwardedHost(values, from: proxy) }
        }
    }

    @Test(
        "The service takes a forwarded host from trusted proxies when it is told to, and from nobody else",
        arguments: [
            ("127.0.0.0/8", true, "example.org"), ("127.0.0.0/8", false, "example.com"),
            ("10.0.0.0/8", true, "example.com"),
        ])
    func forwardedHostOfService(proxies: String, isTrusted: Bool, domain: String) async throws {
        let rates = ServiceRates(trustedProxies: [try #require(NetworkPrefix(proxies))])
        try await RunningService.with(rates: rates, trustsForwardedHost: isTrusted, existing: service) {
            _, payers, _, _ in
            for path in ["/lnurlp/alice", "/.well-known/lnurlp/alice"] {
                for (forwarded, domain) in [("", "example.com"), ("X-Forwarded-Host: example.org\r\n", domain)] {
                    let connection = try RawConnection(to: payers)
                    connection.send(
                        "GET \(path) HTTP/1.1\r\nHost: example.com\r\n\(forwarded)Connection: close\r\n\r\n")
                    #expect(try await connection.readToEnd().contains(#""callback":"https://\#(domain)/"#))
                }
            }
        }
    }

    @Test("U+0000 is refused wherever a text would be kept, with one error that names it")
    func zero() async throws {
        let queries = ["amount=1000&comment=a%00b", "amount=1000&payerdata=%00"]
        for query in queries {
            #expect(
                try await service.ask("/lnurlpay/alice/invoice?" + query).reason?.hasSuffix("must not contain U+0000")
                    == true)
        }
        let posted = try await service.ask(
            "/lnurlpay/alice/invoice", method: .post, body: #"{"amount":1000,"comment":"a\u0000b"}"#)
        #expect(posted.reason == "comment must not contain U+0000")
        #expect(try await service.ask("/lnurlpay/alice/invoice?amount=1000&comment=%01").json()["pr"] != nil)
        for member in [
            #""description":"a\u0000b""#, #""longDescription":"\u0000""#, #""successAction":{"message":"\u0000"}"#,
        ] {
            let answer = try await service.administer("/accounts/bob", method: .put, body: "{\(member)}")
            #expect(answer.status == 400, "\(member)")
            #expect(answer.body.contains("must not contain U+0000"), "\(member)")
        }
        let secret = service.secrets.pathSecret(of: try AddressName("alice"), in: service.domain)
        let notification =
            #"{"template":"lnurlpay_invoice","data":{"amount":1000,"comment":"\u0000","reply_url":"https://a.example/"}}"#
        let answer = try await service.ask("/webhook/alice/\(secret)", method: .post, body: notification)
        #expect(answer.status == 400)
        #expect(answer.body.contains("comment must not contain U+0000"))
    }
}
