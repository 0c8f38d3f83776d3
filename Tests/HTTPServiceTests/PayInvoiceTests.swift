import LedgerRecords
import Bolt11
import HTTPService
import HTTPTypes
import LNURL
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing

@Suite("The invoice (LUD-06, LUD-12, LUD-26)", .timeLimit(.minutes(5)))
struct PayInvoiceTests {
    @Test("The invoice is for the exact amount and commits to the metadata as served")
    func invoice() async throws {
        let service = try await TestService()
        let info = try await service.ask("/lnurlp/alice").json()
        let callback = try #require(info["callback"]?.string).replacing("https://example.com", with: "")
        let answer = try await service.ask(callback + "?amount=21001")
        #expect(answer.headers[.cacheControl] == "no-store")
        let json = try answer.json()
        let invoice = try Bolt11Invoice(try #require(json["pr"]?.string))
        #expect(invoice.amount == Millisatoshi(21001))
        #expect(invoice.description == .hash(SHA256.hash(Array(try #require(info["metadata"]?.string).utf8))))
        #expect(json["routes"] == [])
        #expect(json["disposable"] == false)
        #expect(
            json["verify"]?.string
                == "https://example.com/lnurlpay/alice/\(invoice.timestamp.seconds)/\(invoice.paymentHash)")
        #expect(json["successAction"] == nil)
        #expect(try await service.ledger.invoice(invoice.paymentHash)?.bolt11 == invoice.text)
    }

    @Test("An older version of the account commits to the text that its payer saw")
    func version() async throws {
        let service = try await TestService()
        let before = try #require(try await service.ask("/lnurlp/alice").json()["metadata"]?.string)
        try await service.put("alice", AccountSettings(description: "Something else", backend: .embedded))
        try await service.responder.accounts.refresh()
        let old = try await service.ask("/lnurlpay/alice/v1/invoice?amount=1000").json()
        #expect(try Bolt11Invoice(old["pr"]?.string ?? "").description == .hash(SHA256.hash(Array(before.utf8))))
        let now = try #require(try await service.ask("/lnurlp/alice").json()["metadata"]?.string)
        let current = try await service.invoice("amount=1000")
        #expect(try Bolt11Invoice(current["pr"]?.string ?? "").description == .hash(SHA256.hash(Array(now.utf8))))
    }

    @Test(
        "An amount must be digits, given once, from 1 to 2^63-1",
        arguments: [
            ("", "amount is missing; it is the number of millisatoshis to pay"),
            ("amount=", "amount must be a whole number of millisatoshis, in digits only"),
            ("amount=0", "amount must be at least 1"),
            ("amount=-1000", "amount must be a whole number of millisatoshis, in digits only"),
            ("amount=1e3", "amount must be a whole number of millisatoshis, in digits only"),
            ("amount=0x10", "amount must be a whole number of millisatoshis, in digits only"),
            ("amount=1000.0", "amount must be a whole number of millisatoshis, in digits only"),
            ("amount=+1000", "amount must be a whole number of millisatoshis, in digits only"),
            ("amount=%2B1000", "amount must be a whole number of millisatoshis, in digits only"),
            ("amount=1000&amount=1000", "amount is given more than once"),
            ("amount=9223372036854775808", "amount is too large"),
            ("amount=18446744073709551616", "amount is too large"),
            ("amount=10000000001", "The amount must be between 1000 and 10000000000 msat"),
            ("amount=%zz", "The query is malformed"),
        ]
    )
    func amounts(query: String, reason: String) async throws {
        let answer = try await TestService().ask("/lnurlpay/alice/invoice?" + query)
        #expect(answer.status == 200)
        #expect(answer.reason == reason)
    }

    @Test("An amount below the account's own minimum is refused, and the minimum itself is accepted")
    func limits() async throws {
        let service = try await TestService { $0.minSendable = Millisatoshi(5000) }
        #expect(
            try await service.ask("/lnurlpay/alice/invoice?amount=4999").reason
                == "The amount must be between 5000 and 10000000000 msat"
        )
        #expect(try await service.invoice("amount=5000")["pr"] != nil)
    }

    @Test("Unknown parameters are ignored")
    func unknownParameters() async throws {
        #expect(try await TestService().invoice("nonce=1&amount=1000&lnurl=x&__n=2&fromnodes=a")["pr"] != nil)
    }

    @Test(
        "The limit of a comment is in characters, whatever their length in bytes",
        arguments: [
            ("x", "%78"), ("⚡", "%E2%9A%A1"),
            ("👩‍👩‍👧‍👦", "%F0%9F%91%A9%E2%80%8D%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7%E2%80%8D%F0%9F%91%A6"),
        ]
    )
    func comments(character: String, encoded: String) async throws {
        let service = try await TestService { $0.commentAllowed = 10 }
        let fits = String(repeating: encoded, count: 10)
        #expect(try await service.invoice("amount=1000&comment=\(fits)")["pr"] != nil)
        #expect(
            try await service.ask("/lnurlpay/alice/invoice?amount=1000&comment=\(fits)\(encoded)").reason
                == "The comment has more than 10 characters"
        )
        let kept = try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.first
        guard case .lnurl(let words) = try #require(kept).origin else {
            Issue.record("no invoice of a payment request")
            return
        }
        #expect(words.comment == String(repeating: character, count: 10))
    }

    @Test("A space in a comment may be encoded as + or %20")
    func spaces() async throws {
        let service = try await TestService()
        for query in ["comment=a+b", "comment=a%20b"] { _ = try await service.invoice("amount=1000&" + query) }
        let kept = try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements
        #expect(kept.map(\.origin) == Array(repeating: .lnurl(.init(metadataVersion: 1, comment: "a b")), count: 2))
    }

    @Test("A POST accepts the same parameters as a JSON body, in addition to those of the query (LUD-26)")
    func post() async throws {
        let service = try await TestService()
        let answer = try await service.ask(
            "/lnurlpay/alice/invoice?comment=hi", method: .post, body: #"{"amount":2000}"#
        )
        #expect(try Bolt11Invoice(try answer.json()["pr"]?.string ?? "").amount == Millisatoshi(2000))
        let kept = try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.first
        #expect(kept?.origin == .lnurl(.init(metadataVersion: 1, comment: "hi")))
    }

    @Test(
        "A POST body that is not a JSON object with valid parameters is refused",
        arguments: [
            ("", "The body must be a JSON object"), ("[]", "The body must be a JSON object"),
            (#"{"amount":1000"#, "The body must be a JSON object"),
            (#"{"amount":true}"#, "amount is of the wrong type"),
            (#"{"amount":1e3}"#, "amount must be a whole number of millisatoshis, in digits only"),
            (#"{"amount":1000,"amount":1000}"#, "The body must be a JSON object"),
            (#"{"comment":"no amount"}"#, "amount is missing; it is the number of millisatoshis to pay"),
        ]
    )
    func badBodies(body: String, reason: String) async throws {
        let answer = try await TestService().ask("/lnurlpay/alice/invoice", method: .post, body: body)
        #expect(answer.status == 200)
        #expect(answer.reason == reason)
    }

    @Test("A body of exactly the limit is read, one byte more is refused")
    func bodyLimit() async throws {
        let service = try await TestService()
        let limit = service.settings.limits.body
        let frame = #"{"amount":1000,"x":""}"#
        let fits = #"{"amount":1000,"x":""# + String(repeating: "x", count: limit - frame.utf8.count) + #""}"#
        #expect(fits.utf8.count == limit)
        let answer = try await service.ask("/lnurlpay/alice/invoice", method: .post, body: fits)
        #expect(answer.reason == nil)
        let longer = try await service.ask("/lnurlpay/alice/invoice", method: .post, body: fits + " ")
        #expect(longer.reason == "The body is too large")
    }

    @Test("A HEAD creates no invoice")
    func head() async throws {
        let service = try await TestService()
        #expect(try await service.ask("/lnurlpay/alice/invoice?amount=1000", method: .head).status == 200)
        #expect(try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.isEmpty)
    }

    @Test(
        "An unknown version is refused", arguments: ["v2", "v0", "v01", "1", "v", "v-1", "v99999999999999999999"])
    func unknownVersion(version: String) async throws {
        let answer = try await TestService().ask("/lnurlpay/alice/\(version)/invoice?amount=1000")
        #expect(answer.reason == "This payment link is out of date; ask for the address again")
    }

    @Test("An invalid version is refused before the parameters are parsed", arguments: ["v0", "v01"])
    func impossibleVersion(version: String) async throws {
        let answer = try await TestService().ask("/lnurlpay/alice/\(version)/invoice")
        #expect(answer.reason == "This payment link is out of date; ask for the address again")
    }

    @Test("A configured action is returned with the invoice; its secret decrypts with the preimage")
    func successAction() async throws {
        let service = try await TestService { settings in
            guard let label = try? ActionText("Your ticket") else { return }
            settings.successAction = .secret("K7 ⚡", description: label)
        }
        let json = try await service.invoice()
        let invoice = try Bolt11Invoice(json["pr"]?.string ?? "")
        try await service.settle(invoice.paymentHash)
        let preimage = try #require(try await service.ledger.invoice(invoice.paymentHash)?.settlement?.preimage)
        guard case .aes(let action) = try SuccessAction(json: try #require(json["successAction"])) else {
            Issue.record("no aes action")
            return
        }
        #expect(try action.open(with: preimage) == "K7 ⚡")
    }
}
