import Bolt12
import Foundation
import LightningCoding
import LightningCrypto
import LoopbackServer
import TemporaryFolders
import Testing

@Suite("lnurl invoice-request create", .timeLimit(.minutes(5)))
struct InvoiceRequestTests {
    private let folder = TemporaryFolder()
    private var keyFile: String { folder.path + "/payer.key" }

    private func create(_ offer: Offer, _ options: String...) async throws -> ToolRun {
        try await ToolRun(["invoice-request", "create", offer.text, "--key-file", keyFile] + options)
    }

    @Test("A request contains the given values, and is signed with a new key in a private file")
    func request() async throws {
        let offer = try Issuer.offer { $0.quantityMax = 0 }
        let run = try await create(
            offer, "--amount", "21sat", "--note", "hi ⚡", "--quantity", "3", "--bip353", "₿alice@example.com")
        #expect(run.status == 0)
        #expect(run.errors == "")
        let request = try InvoiceRequest(run.output.dropLast())
        try request.checkSignature()
        #expect(try request.mirroredOffer() == offer)
        #expect(request.amount == Millisatoshi(21_000))
        #expect(request.payerNote == "hi ⚡")
        #expect(request.quantity == 3)
        #expect(request.bip353Name?.description == "alice@example.com")
        #expect(request.chainToPayOn == .bitcoin)
        #expect(request.metadata.count == 16)
        let attributes = try FileManager.default.attributesOfItem(atPath: keyFile)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let digits = try String(contentsOfFile: keyFile, encoding: .utf8)
        #expect(try SecretKey(Hexadecimal.decode(digits.dropLast())).publicKey == request.payerID)
    }

    @Test("An existing key is reused, with new metadata; --json says so")
    func again() async throws {
        let offer = try Issuer.offer()
        let first = try await create(offer, "--amount", "1sat", "--json").json
        let second = try await create(offer, "--amount", "1sat", "--json").json
        #expect(first["keyIsNew"] == true)
        #expect(second["keyIsNew"] == false)
        #expect(first["payerID"] == second["payerID"])
        #expect(first["metadata"] != second["metadata"])
        #expect(first["signature"] != second["signature"])
        #expect(
            first.object?.members.map(\.key) == [
                "ok", "invoiceRequest", "bytes", "answers", "metadata", "offer", "chain", "amount", "features",
                "quantity", "payerID", "payerNote", "paths", "bip353Name", "signature", "unknownRecords", "keyFile",
                "keyIsNew",
            ])
    }

    @Test("The chain is the offer's, or that of --network")
    func chains() async throws {
        let regtest = try Issuer.offer { $0.chains = [ChainHash(.regtest)] }
        #expect(try await create(regtest, "--amount", "1sat", "--json").json["chain"] == "regtest")
        let both = try Issuer.offer { $0.chains = [ChainHash(.regtest), .bitcoin] }
        #expect(try await create(both, "--amount", "1sat", "--json").json["chain"] == "bitcoin")
        #expect(
            try await create(both, "--amount", "1sat", "--network", "regtest", "--json").json["chain"] == "regtest")
        let unknown = try Issuer.offer { $0.chains = ChainHash([UInt8](repeating: 1, count: 32)).map { [$0] } }
        #expect(try await create(unknown, "--amount", "1sat", "--json").json["fault"]?["rule"] == "unsupported-chain")
    }

    @Test(
        "An invalid request is not signed, and leaves no key",
        arguments: [
            ([], "missing-amount"), (["--amount", "1sat", "--quantity", "2"], "unexpected-quantity"),
            (["--amount", "1sat", "--network", "signet"], "unsupported-chain"),
        ])
    func terms(options: [String], rule: String) async throws {
        let run = try await ToolRun(
            ["invoice-request", "create", Issuer.offer().text, "--key-file", keyFile, "--json"] + options)
        #expect(run.status == 65)
        #expect(try run.json["fault"]?["name"] == "terms")
        #expect(try run.json["fault"]?["rule"]?.string == rule)
        #expect(folder.names == [])
    }

    @Test("Price, limits and expiry of an offer are enforced")
    func limits() async throws {
        let priced = try Issuer.offer {
            $0.amount = 1000
            $0.quantityMax = 2
        }
        #expect(try await create(priced, "--quantity", "2").status == 0)
        func rule(_ offer: Offer, _ options: String...) async throws -> String? {
            let arguments = ["invoice-request", "create", offer.text, "--key-file", keyFile, "--json"]
            return try await ToolRun(arguments + options).json["fault"]?["rule"]?.string
        }
        #expect(try await rule(priced) == "missing-quantity")
        #expect(try await rule(priced, "--quantity", "0") == "quantity-not-positive")
        #expect(try await rule(priced, "--quantity", "3") == "quantity-too-large")
        #expect(try await rule(priced, "--quantity", "2", "--amount", "1999msat") == "amount-too-low")
        let over = try Issuer.offer { $0.absoluteExpiry = UnixTime(1_700_000_000) }
        #expect(try await rule(over, "--amount", "1sat") == "offer-expired")
    }

    @Test("A key file that others may read, or that is malformed, is refused")
    func keys() async throws {
        let offer = try Issuer.offer()
        let file = try folder.file("payer.key", String(repeating: "42", count: 32))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let open = try await create(offer, "--amount", "1sat", "--json")
        #expect(open.status == 66)
        #expect(try open.json["fault"]?["name"] == "open-to-others")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect(try await create(offer, "--amount", "1sat").status == 0)
        for content in ["", "42", String(repeating: "00", count: 32), String(repeating: "4", count: 200)] {
            _ = try folder.file("payer.key", content)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            let run = try await create(offer, "--amount", "1sat", "--json")
            #expect(run.status == 65)
            #expect(try run.json["fault"]?["name"] == "payer-key")
        }
        let nowhere = try await ToolRun(
            "invoice-request", "create", offer.text, "--amount", "1sat", "--key-file", folder.path + "/none/key")
        #expect(nowhere.status == 73)
    }

    @Test("An invalid offer, amount or name is refused")
    func input() async throws {
        let offer = try Issuer.offer()
        let request = try Issuer.request(for: offer).text
        for text in ["alice@example.com", "lnbc1x", request, "lno1pqps", ""] {
            #expect(try await ToolRun("invoice-request", "create", text, "--key-file", keyFile).status == 65)
        }
        #expect(try await create(offer, "--amount", "21").status == 64)
        #expect(try await create(offer, "--amount", "1sat", "--bip353", "al ice@example.com").status == 64)
        #expect(try await create(offer, "--amount", "1sat", "--quantity", "-1").status == 64)
        #expect(try await ToolRun("invoice-request", "create", offer.text, "--amount", "1sat").status == 64)
    }
}

@Suite("lnurl invoice-request send", .timeLimit(.minutes(5)))
struct SendInvoiceRequestTests {
    private let folder = TemporaryFolder()
    private var keyFile: String { folder.path + "/payer.key" }

    @Test("An offer is requested like by a forwarder, and the correct invoice passes every check")
    func right() async throws {
        let webhook = try Webhook { try Issuer.invoice(for: $0).text }
        let offer = try Issuer.offer()
        let run = try await ToolRun(
            "invoice-request", "send", webhook.url, offer.text.uppercased(), "--amount", "21sat", "--note", "hi",
            "--key-file", keyFile, "--json")
        #expect(run.status == 0)
        #expect(
            try run.json.object?.members.map(\.key) == [
                "ok", "invoice", "invoiceRequest", "amount", "paymentHash", "nodeID", "expiresAt", "httpStatus",
                "brokenRule", "checks",
            ])
        #expect(try run.json["amount"] == 21_000)
        #expect(
            try run.checks("passed") == [
                "chain", "expiry", "request", "node", "signature", "amount", "paths", "HTTP",
            ])
        let sent = try #require(webhook.requests.first)
        #expect(webhook.requests.count == 1)
        #expect(sent.method == "POST")
        #expect(sent.header("content-type") == "application/json")
        let body = try JSONValue(parsing: sent.body)
        #expect(body.object?.members.map(\.key) == ["event", "data"])
        #expect(body["event"] == "invoice.request")
        #expect(body["data"]?.object?.members.map(\.key) == ["offer", "invoiceRequest"])
        #expect(body["data"]?["offer"]?.string == offer.text)
        let bytes = try Hexadecimal.decode(body["data"]?["invoiceRequest"]?.string ?? "")
        #expect(try InvoiceRequest(bytes: bytes).text == run.json["invoiceRequest"]?.string)
        #expect(folder.names == ["payer.key"])
    }

    @Test("A signed request is sent unchanged, and the URL may come from standard input")
    func signed() async throws {
        let webhook = try Webhook { try Issuer.invoice(for: $0).text }
        let request = try Issuer.request(for: Issuer.offer())
        let run = try await ToolRun("invoice-request", "send", "-", request.text, input: webhook.url + "\n")
        #expect(run.status == 0)
        #expect(run.output.contains("Pay:\nlni1"))
        #expect(!run.output.contains("s3cret"))
        let body = try JSONValue(parsing: try #require(webhook.requests.first).body)
        #expect(body["data"]?["invoiceRequest"]?.string == Hexadecimal.encode(request.stream.bytes))
        #expect(
            try await ToolRun("invoice-request", "send", webhook.url, "-", "--json", input: request.text).status == 0)
    }

    @Test("An invoice that does not match must not be paid", arguments: Wrong.allCases)
    func wrong(_ wrong: Wrong) async throws {
        let webhook = try Webhook { try wrong.invoice(for: $0) }
        let request = try Issuer.request(for: Issuer.offer())
        let run = try await ToolRun("invoice-request", "send", webhook.url, request.text, "--json")
        #expect(run.status == 2)
        #expect(try run.json["brokenRule"]?.string == wrong.rawValue)
        #expect(try run.checks("failed") == [wrong.check])
        let page = try await ToolRun("invoice-request", "send", webhook.url, request.text)
        #expect(page.status == 2)
        #expect(page.output.contains("Do not pay this invoice:"))
    }

    @Test("The payee's error is shown and exits with 1, whatever the status", arguments: [200, 400])
    func refused(status: Int) async throws {
        let webhook = try Webhook { _ in .json(["error": "no tea \u{1B}[31mtoday"], status: status) }
        let run = try await ToolRun("invoice-request", "send", webhook.url, Issuer.request(for: Issuer.offer()).text)
        #expect(run.status == 1)
        #expect(run.errors.contains("no tea \\u{1b}[31mtoday"))
    }

    @Test(
        "Responses that are neither an invoice nor an error exit with 2",
        arguments: [
            ("hello", "not-json"), ("", "not-json"), ("{}", "webhook-answer"), ("[]", "webhook-answer"),
            (#"{"invoice":1}"#, "webhook-answer"), (#"{"invoice":""}"#, "served-invoice"),
            (#"{"invoice":"lni1qq"}"#, "served-invoice"), (#"{"invoice":"lnbc1x"}"#, "served-invoice"),
        ])
    func junk(body: String, fault: String) async throws {
        let webhook = try Webhook { _ in LoopbackAnswer(body) }
        let request = try Issuer.request(for: Issuer.offer()).text
        let run = try await ToolRun("invoice-request", "send", webhook.url, request, "--json")
        #expect(run.status == 2)
        #expect(try run.json["fault"]?["name"]?.string == fault)
    }

    @Test("An invoice that breaks a rule by itself is refused, naming the rule")
    func broken() async throws {
        let webhook = try Webhook { try Issuer.invoice(for: $0).stream.replacing(168, by: nil).signed() }
        let request = try Issuer.request(for: Issuer.offer()).text
        let run = try await ToolRun("invoice-request", "send", webhook.url, request, "--json")
        #expect(run.status == 2)
        #expect(try run.json["fault"]?["rule"] == "missing-payment-hash")
    }

    @Test("A temporary failure is not a refusal", arguments: [429, 502, 503, 504])
    func unavailable(status: Int) async throws {
        let webhook = try Webhook { _ in .json(["error": "later"], status: status) }
        let request = try Issuer.request(for: Issuer.offer()).text
        let run = try await ToolRun("invoice-request", "send", webhook.url, request, "--json")
        #expect(run.status == 4)
        #expect(try run.json["fault"]?["name"] == "unavailable")
        #expect(try run.json["fault"]?["httpStatus"] == .integer(status))
    }

    @Test("An invoice with a status other than success would be lost; a redirect is not followed")
    func statuses() async throws {
        let request = try Issuer.request(for: Issuer.offer()).text
        let failing = try Webhook(status: 500) { try Issuer.invoice(for: $0).text }
        let run = try await ToolRun("invoice-request", "send", failing.url, request, "--json")
        #expect(run.status == 2)
        #expect(try run.checks("failed") == ["HTTP"])
        let moved = try Webhook { _ in LoopbackAnswer(status: 307, "", headers: ["Location: http://127.0.0.1/"]) }
        #expect(try await ToolRun("invoice-request", "send", moved.url, request).status == 2)
        let closed = try ClosedPort()
        #expect(try await ToolRun("invoice-request", "send", "http://127.0.0.1:\(closed.port)/", request).status == 4)
    }

    @Test("Nothing is sent when the command line is wrong")
    func usage() async throws {
        let webhook = try Webhook { try Issuer.invoice(for: $0).text }
        let offer = try Issuer.offer().text
        let request = try Issuer.request(for: Issuer.offer()).text
        func status(_ arguments: String...) async throws -> Int32 {
            try await ToolRun(["invoice-request", "send"] + arguments).status
        }
        #expect(try await status(webhook.url, offer, "--amount", "1sat") == 64)
        #expect(try await status(webhook.url, request, "--note", "x") == 64)
        #expect(try await status("-", "-") == 64)
        #expect(try await status(webhook.url, "alice@example.com") == 65)
        #expect(try await status("http://example.com/", request) == 65)
        #expect(try await status("example.com", request) == 65)
        #expect(webhook.requests.isEmpty)
    }
}
