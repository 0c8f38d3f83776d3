import LedgerRecords
import Bolt11
import EmbeddedNode
import HTTPTypes
import LNURL
import LedgerContract
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
@testable import HTTPService

@Suite("The admin listener", .timeLimit(.minutes(5)))
struct AdminTests {
    @Test("Without the token nothing is revealed", arguments: [nil, "", "0123456789abcdef0123456789abcdee", "0123"])
    func unauthorized(token: String?) async throws {
        let service = try await TestService()
        for path in ["/accounts", "/accounts/alice", "/invoices", "/invoices/" + String(repeating: "0", count: 64)] {
            let answer = try await service.administer(path, token: token)
            #expect(answer.status == 401)
            #expect(answer.headers[.wwwAuthenticate] == "Bearer")
            #expect(!answer.body.contains("alice@"))
        }
    }

    @Test("The description of the interface is served without the token")
    func description() async throws {
        let answer = try await TestService().administer("/openapi.yaml", token: nil)
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "application/yaml; charset=utf-8")
        #expect(answer.body == String(decoding: PackageResources.admin_api_yaml, as: UTF8.self))
    }

    @Test("The scheme of the token is read in either case")
    func scheme() {
        let token = BearerToken("secret".utf8)
        #expect(token.isNamed(by: "Bearer secret"))
        #expect(token.isNamed(by: "bearer secret"))
        #expect(!token.isNamed(by: "Basic secret"))
        #expect(!token.isNamed(by: "Bearex secret"))
        #expect(!token.isNamed(by: "Bearer secret "))
        #expect(!token.isNamed(by: "Bearer "))
        #expect(!token.isNamed(by: nil))
    }

    @Test("Accounts are created, listed, shown and removed, and payers see changes at once")
    func accounts() async throws {
        let service = try await TestService()
        let put = try await service.administer(
            "/accounts/Bob", method: .put, body: #"{"description":"Pay Bob","maxSendable":5000}"#
        )
        #expect(put.status == 200)
        #expect(try put.json()["name"] == "bob")
        #expect(try put.json()["address"] == "bob@example.com")
        #expect(try await service.ask("/lnurlp/bob").json()["maxSendable"] == 5000)
        let list = try await service.administer("/accounts").json()["accounts"]?.array
        #expect(list?.map { $0["name"] } == ["alice", "bob"])
        #expect(try await service.administer("/accounts/bob").json() == put.json())
        #expect(
            try await service.administer("/accounts/bob", method: .delete).json() == [
                "removed": "bob", "domain": "example.com",
            ])
        #expect(try await service.administer("/accounts/bob", method: .delete).status == 404)
        #expect(try await service.administer("/accounts/bob").status == 404)
        #expect(try await service.ask("/lnurlp/bob").reason == "No such Lightning address")
    }

    @Test("Changing the description creates a new version, changing the limits does not")
    func versions() async throws {
        let service = try await TestService()
        func version(_ body: String) async throws -> JSONValue? {
            try await service.administer("/accounts/alice", method: .put, body: body).json()["version"]
        }
        #expect(try await version(#"{"description":"Pay Alice","commentAllowed":1}"#) == 1)
        #expect(try await version(#"{"description":"Pay Alice now"}"#) == 2)
    }

    @Test(
        "Invalid settings are refused, naming the invalid key",
        arguments: [
            (#"[]"#, "the settings must be a JSON object"),
            ("x", "the body must be a JSON document"),
            (#"{"description":""}"#, "description must have 1 to 4096 bytes; every wallet shows it"),
            (#"{"description":"a","color":1}"#, "color is not an account setting"),
            (#"{"description":"a","minSendable":2,"maxSendable":1}"#, "minSendable is above the maximum"),
            (#"{"description":"a","commentAllowed":"7"}"#, "commentAllowed must be a whole number"),
            (#"{"description":"a","commentAllowed":99999}"#, "commentAllowed must be from 0 to 2000"),
            (#"{"description":"a","invoiceExpiry":30}"#, "invoiceExpiry must be from 60 to 604800"),
            (
                #"{"description":"a","maxSendable":3000000000000000000}"#,
                "maxSendable must be from 1 to 2100000000000000000"
            ),
            (
                #"{"description":"a","backend":"lnd"}"#,
                "no backend is called lnd; configured are: embedded"
            ),
            (
                #"{"description":"a","successAction":{"url":"https://other.example/","description":"b"}}"#,
                "successAction.url must be on the host of the account's address (LUD-09)"
            ),
        ]
    )
    func badSettings(body: String, reason: String) async throws {
        let answer = try await TestService().administer("/accounts/bob", method: .put, body: body)
        #expect(answer.status == 400)
        #expect(try answer.json() == ["error": .string(reason)])
    }

    @Test("An account without a description gets the command line's default, and GET's output can be PUT again")
    func putAgain() async throws {
        let service = try await TestService()
        let put = try await service.administer("/accounts/bob", method: .put, body: "{}")
        #expect(try put.json()["description"] == "Pay to bob@example.com")
        let shown = try await service.administer("/accounts/bob")
        let again = try await service.administer("/accounts/bob", method: .put, body: shown.body)
        #expect(again.status == 200)
        #expect(try again.json() == shown.json())
    }

    @Test("An account is shown with its LNURL and its webhook")
    func links() async throws {
        let service = try await TestService()
        let shown = try await service.administer("/accounts/alice").json()
        let url = try EncodedURL.decode(shown["lnurl"]?.string ?? "")
        #expect(url.text == "https://example.com/.well-known/lnurlp/alice")
        let alice = try AddressName("alice")
        #expect(
            shown["webhook"]?.string
                == "https://example.com/webhook/alice/\(service.secrets.pathSecret(of: alice, in: service.domain))")
    }

    @Test("Events are filtered and paged")
    func events() async throws {
        let service = try await TestService()
        try await service.put("bob", AccountSettings(description: "Pay Bob", backend: .embedded))
        for (number, name) in ["alice", "bob", "alice"].enumerated() {
            try await service.ledger.record(
                EventRecord(
                    receivedAt: UnixTime(UInt64(1_700_000_000 + number)), account: AccountID("\(name)@example.com"),
                    type: "t\(number)",
                    envelope: "push", payload: "{}", outcome: .done))
        }
        let first = try await service.administer("/events?limit=2").json()
        #expect(first["events"]?.array?.map { $0["type"] } == ["t2", "t1"])
        let next = try #require(first["next"]?.string)
        #expect(
            try await service.administer("/events?after=\(next)").json()["events"]?.array?.map { $0["type"] } == ["t0"])
        let alices = try await service.administer("/events?account=alice").json()
        #expect(alices["events"]?.array?.map { $0["type"] } == ["t2", "t0"])
        #expect(alices["next"] == .null)
        #expect(try await service.administer("/events", token: nil).status == 401)
        #expect(try await service.administer("/events?state=open").status == 400)
        #expect(try await service.administer("/events?limit=0").status == 400)
    }

    @Test("An account that names no node uses the only one; with several it must name one")
    func standardNode() async throws {
        let service = try await TestService()
        let main = try #require(BackendName("main"))
        func put(_ backends: BackendName...) async throws -> Answer {
            let nodes = Dictionary(uniqueKeysWithValues: backends.map { ($0, service.node as any ReceiveBackend) })
            return try await service.administer(
                "/accounts/bob", method: .put, body: #"{"description":"Pay Bob"}"#,
                of: service.administration(backends: nodes))
        }
        #expect(try await put(main).json()["backend"] == "main")
        #expect(try await put(main, .embedded).status == 400)
        #expect(try await put(main, .embedded).json() == ["error": "backend is missing"])
    }

    @Test("A secret for payers requires a backend that accepts our preimage (LUD-10)")
    func secretWithoutPreimage() async throws {
        let service = try await TestService()
        var backend = StubBackend(service.node) { order throws(BackendFault) in
            try await service.node.createInvoice(order)
        }
        backend.capabilities.acceptsPreimage = false
        let editor = AccountEditor(
            ledger: service.ledger, backends: [.embedded: backend]
        )
        var settings = AccountSettings(description: "a", backend: .embedded)
        settings.successAction = .secret("s", description: try ActionText("d"))
        await #expect(throws: AccountFault.preimageNotAccepted(.embedded)) {
            try await editor.put(AccountID("bob@example.com"), settings)
        }
    }

    @Test("After a change of the public URL the accounts have new addresses, each with a new version")
    func renewAddresses() async throws {
        let service = try await TestService()
        let editor = AccountEditor(ledger: service.ledger, backends: [:])
        #expect(try await editor.renewAddresses().isEmpty)
        _ = try await service.ledger.putMainDomain(at: HTTPURL("https://pay.example"))
        let renewed = try await editor.renewAddresses()
        #expect(renewed.map(\.version) == [2])
        #expect(renewed.first?.metadata == #"[["text/plain","Pay Alice"],["text/identifier","alice@pay.example"]]"#)
    }

    @Test(
        "After a change of the public URL a default description names the new address, and any other stays",
        arguments: [nil, "Tip {address} ({address})"] as [String?])
    func renewDescriptions(template: String?) async throws {
        let service = try await TestService()
        let editor = AccountEditor(ledger: service.ledger, backends: [.embedded: service.node])
        let main = try #require(try await service.ledger.mainDomain())
        var settings = main.settings
        settings.description = template
        _ = try await service.ledger.putDomain(at: main.publicURL, settings)
        let bob = AccountID(try AddressName("bob"), at: main.name)
        let standard = try await editor.standardDescription(of: bob)
        var changed = AccountSettings(description: standard, backend: .embedded)
        changed.isMailbox = template != nil
        _ = try await editor.put(bob, changed)
        _ = try await service.ledger.putMainDomain(at: HTTPURL("https://pay.example"))
        let renewed = try await editor.renewAddresses()
        #expect(
            Set(renewed.map(\.settings.description)) == [
                "Pay Alice", template == nil ? "Pay to bob@pay.example" : "Tip bob@pay.example (bob@pay.example)",
            ])
        for account in renewed {
            #expect(try PayMetadata(parsing: account.metadata).plainText == account.settings.description)
        }
        #expect(try await editor.renewAddresses().isEmpty)
    }

    @Test("A body as large as an image is read, a larger one is not")
    func bodyLimit() async throws {
        let service = try await TestService()
        let large = String(repeating: "x", count: Administration.accountLimit + 1)
        #expect(try await service.administer("/accounts/bob", method: .put, body: large).status == 413)
    }

    @Test("Invoices are filtered and paged")
    func invoices() async throws {
        let service = try await TestService()
        for amount in [1000, 2000, 3000] { _ = try await service.invoice("amount=\(amount)") }
        let first = try await service.administer("/invoices?limit=2").json()
        #expect(first["invoices"]?.array?.map { $0["amount"] } == [3000, 2000])
        let next = try #require(first["next"]?.string)
        let second = try await service.administer("/invoices?limit=2&after=\(next)").json()
        #expect(second["invoices"]?.array?.map { $0["amount"] } == [1000])
        #expect(second["next"] == .null)
        #expect(try await service.administer("/invoices?state=settled").json()["invoices"] == [])
        #expect(try await service.administer("/invoices?account=bob").json()["invoices"] == [])
        service.clock.advance(seconds: 601)
        #expect(
            try await service.administer("/invoices?state=expired&account=alice").json()["invoices"]?.array?.count == 3)
    }

    @Test(
        "An invalid filter is refused", arguments: ["state=paid", "limit=0", "limit=1001", "after=x", "color=1"])
    func badFilter(query: String) async throws {
        #expect(try await TestService().administer("/invoices?" + query).status == 400)
    }

    @Test("An invoice of the embedded node is settled by command, once")
    func settle() async throws {
        let service = try await TestService()
        let invoice = try Bolt11Invoice(try await service.invoice()["pr"]?.string ?? "")
        let path = "/invoices/\(invoice.paymentHash)"
        #expect(try await service.administer(path).json()["state"] == "open")
        #expect(try await service.administer(path + "/settle").status == 404)
        let answer = try await service.administer(path + "/settle", method: .post)
        #expect(try answer.json() == ["settled": .string(invoice.paymentHash.hexadecimal)])
        guard case .settled = try await service.node.status(of: invoice.paymentHash) else {
            Issue.record("not settled")
            return
        }
    }

    @Test("No interface settles the invoice of another node")
    func settleForeign() async throws {
        let service = try await TestService()
        let invoice = try Bolt11Invoice(try await service.invoice()["pr"]?.string ?? "")
        let issued = try #require(try await service.ledger.invoice(invoice.paymentHash))
        let other = SettlementOnCommand(backend: try #require(BackendName("lnd"))) { _ throws(SettlementFault) in }
        await #expect(throws: SettlementFault.notOnCommand(.embedded)) { try await other.settle(issued) }
    }

    @Test("An unknown hash and a malformed one are distinguished")
    func unknownInvoice() async throws {
        let service = try await TestService()
        #expect(try await service.administer("/invoices/" + String(repeating: "0", count: 64)).status == 404)
        #expect(try await service.administer("/invoices/0").status == 400)
    }

    @Test("Health needs no token")
    func health() async throws {
        let service = try await TestService()
        #expect(try await service.administer("/health/live", token: nil).json() == ["status": "ok"])
        _ = try await service.ledger.held(.following(.embedded))
        let whole = try await service.administer("/health/parts", token: nil)
        #expect(whole.status == 200)
        #expect(
            try whole.json() == [
                "status": "ok", "parts": ["ledger": "ok", "backend embedded": "ok"],
                "instance": .string(service.instance.id.text),
                "leases": ["backend:embedded": .string(service.instance.id.text)],
            ])
        // A request makes nothing known about the node.
        #expect(try await service.ledger.unbind(.embedded) == false)
        await service.ledger.close()
        let closed = try await service.administer("/health/parts", token: nil)
        #expect(closed.status == 503)
        #expect(try closed.json()["status"] == "degraded")
        #expect(try await service.administer("/health/ready", token: nil).json() == ["status": "ok"])
    }

    @Test("A service is ready once its domains are in the ledger; until then no account can be named")
    func starting() async throws {
        let service = try await TestService(isOpen: false)
        let ready = try await service.administer("/health/ready", token: nil)
        #expect(ready.status == 503)
        #expect(try ready.json() == ["status": "starting"])
        let address = ListenAddress(host: "127.0.0.1", port: 1)
        await service.instance.listens(payers: address, admin: address)
        #expect(try await service.administer("/health/ready", token: nil).status == 200)

        let ledger = try await LedgerDatabase.open(at: service.folder.path + "/empty.sqlite")
        await #expect(throws: AdminFault.unavailable("the service is starting; try again")) {
            try await AccountDirectory(ledger: ledger).account("alice")
        }
    }

    @Test(
        "HEAD gets the headers of GET and no body",
        arguments: [
            "/metrics", "/health/live", "/health/ready", "/health/parts", "/instances", "/accounts", "/accounts/alice",
            "/accounts/bob",
        ])
    func head(path: String) async throws {
        let service = try await TestService()
        let get = try await service.administer(path)
        let head = try await service.administer(path, method: .head)
        #expect(head.status == get.status)
        #expect(head.headers[.contentType] == get.headers[.contentType])
        #expect(head.body.isEmpty)
        #expect(try await service.administer("/accounts", method: .head, token: nil).status == 401)
    }

    @Test("Public routes are not on the admin listener, and admin routes not on the public one")
    func listeners() async throws {
        let service = try await TestService()
        #expect(try await service.administer("/lnurlp/alice").status == 404)
        #expect(try await service.ask("/metrics").status == 404)
    }
}
