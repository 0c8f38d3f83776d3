import Bolt12
import LightningCoding
import Testing

@Suite("lnurl decode of BOLT12", .timeLimit(.minutes(5)))
struct Bolt12DecodeTests {
    @Test("The vectors exist")
    func vectors() {
        #expect(["offer", "invoice-request", "invoice", "text"].allSatisfy { Bolt12Case.all($0).count > 5 })
    }

    @Test("Every offer is shown with its contents", arguments: Bolt12Case.all("offer").filter { $0.reject == nil })
    func offers(vector: Bolt12Case) async throws {
        let run = try await ToolRun("decode", vector.input("offer"), "--json")
        #expect(run.status == 0)
        let (found, expected) = (try run.json, try #require(vector.json["expect"]))
        for member in ["metadata", "currency", "amount", "description", "absoluteExpiry", "issuer", "quantityMax"] {
            #expect(found[member] == expected[member], "\(member)")
        }
        #expect(found["id"] == expected["id"])
        #expect(found["issuerID"] == expected["issuerID"])
        #expect(found["paths"]?.array?.count == expected["paths"]?.array?.count)
    }

    @Test(
        "Every invalid offer exits with 65 and its rule",
        arguments: Bolt12Case.all("offer").filter { $0.reject != nil && $0.json["input"]?["now"]?.isNull != false })
    func wrongOffers(vector: Bolt12Case) async throws {
        let run = try await ToolRun("decode", vector.input("offer"), "--json")
        #expect(run.status == 65)
        #expect(try run.json["fault"]?["name"] == "offer")
        #expect(try run.json["fault"]?["rule"]?.string == vector.reject)
    }

    @Test(
        "Requests of Core Lightning's payers are shown, and pass the rules",
        arguments: Bolt12Case.all("invoice-request").filter { $0.testDescription.hasPrefix("Core Lightning") })
    func requests(vector: Bolt12Case) async throws {
        let run = try await ToolRun("decode", vector.input("invoiceRequest"), "--json")
        #expect(run.status == 0)
        #expect(try run.json["kind"] == "bolt12-invoice-request")
        #expect(try run.json["answers"]?.string == vector.input("offer"))
        #expect(try run.checks("passed").contains("signature"))
        let bytes = try Hexadecimal.decode(run.json["bytes"]?.string ?? "")
        #expect(Bolt12Text.encode(bytes, as: .invoiceRequest) == vector.input("invoiceRequest"))
    }

    @Test("A request with a wrong signature is shown, and exits with 2")
    func forgedRequest() async throws {
        let vector = try #require(
            Bolt12Case.all("invoice-request").first { $0.testDescription == "a signature by another key" })
        let run = try await ToolRun("decode", vector.input("invoiceRequest"), "--json")
        #expect(run.status == 2)
        #expect(try run.checks("failed") == ["signature"])
        #expect(try run.checks("passed") == ["offer"])
    }

    @Test("A request that its offer does not allow is shown, and exits with 2")
    func unacceptedRequest() async throws {
        let vector = try #require(
            Bolt12Case.all("invoice-request").first { $0.testDescription == "one msat too low" })
        let run = try await ToolRun("decode", vector.input("invoiceRequest"), "--json")
        #expect(run.status == 2)
        #expect(try run.checks("failed") == ["offer"])
    }

    @Test(
        "Every encoding of an offer is understood",
        arguments: [
            { $0 }, { $0.uppercased() }, { "lightning:" + $0 }, { "LIGHTNING://" + $0.uppercased() },
            { "bitcoin:?lno=" + $0 }, { "BITCOIN:BC1QEXAMPLE?AMOUNT=1&LNO=" + $0.uppercased() + "#x" },
            { "bitcoin:bc1qexample?lightning=lnbc1x&lno=" + $0 }, { "bitcoin:?lightning=" + $0 },
            { $0.prefix(20) + "+\r\n  " + $0.dropFirst(20) }, { "l+n+o" + $0.dropFirst(3) },
            { "bitcoin:?lno=" + $0.prefix(20) + "%2B%20" + $0.dropFirst(20) }, { "\n " + $0 + " \n" },
        ] as [@Sendable (String) -> String])
    func spellings(spell: @Sendable (String) -> String) async throws {
        let offer = try Issuer.offer().text
        let run = try await ToolRun("decode", "-", "--json", input: spell(offer))
        #expect(run.status == 0)
        #expect(try run.json["kind"] == "bolt12-offer")
        #expect(try run.json["offer"]?.string == offer)
        #expect(try await ToolRun("decode", spell(offer), "--json").output == run.output)
    }

    @Test(
        "Damage, a lone prefix and an address that looks like an offer are distinguished",
        arguments: [
            ("lno1", "offer"), ("LNO1pqps", "offer"), ("lno1pqps+", "offer"), ("lnr1qq", "invoice-request"),
            ("lni1qq", "invoice"), ("bitcoin:?lno=x", "target"), ("bitcoin:lno1qq", "target"), ("lno", "target"),
        ])
    func damaged(text: String, fault: String) async throws {
        let run = try await ToolRun("decode", text, "--json")
        #expect(run.status == 65)
        #expect(try run.json["fault"]?["name"]?.string == fault)
        #expect(try await ToolRun("decode", "lno1alice+x@example.com").output.contains("Lightning address"))
    }

    @Test("Paths are shown with their introduction, hops and costs; unknown records by type and hex")
    func paths() async throws {
        let offers = Bolt12Case.all("offer")
        let channel = try #require(offers.first { $0.testDescription == "a path by one end of a channel" })
        let page = try await ToolRun("decode", channel.input("offer")).output
        #expect(page.contains("of channel ") && page.contains("hop 1") && page.contains("bytes for it"))
        let unknown = try #require(offers.first { $0.testDescription == "an unknown odd experimental record" })
        let records = try await ToolRun("decode", unknown.input("offer"), "--json").json["unknownRecords"]?.array
        #expect(records?.count == 1)
        #expect(records?.first?["type"]?.uint64 ?? 0 > 1_000_000_000)
        #expect(records?.first?["value"]?.string?.isEmpty == false)
        let invoice = try #require(
            Bolt12Case.all("invoice").first { $0.testDescription == "two paths, one by a channel" })
        let run = try await ToolRun("decode", invoice.input("invoice"), "--json")
        let paths = try #require(try run.json["paths"]?.array)
        #expect(paths.map { $0["introductionNode"]?["nodeID"]?.isNull } == [false, true])
        #expect(paths[1]["introductionNode"]?["shortChannelID"] == "1x2x3")
        #expect(paths[0]["payinfo"]?["cltvExpiryDelta"] == 18)
    }

    @Test("The members of each object are stable")
    func members() async throws {
        let request = try Issuer.request(for: Issuer.offer())
        func members(_ text: String) async throws -> [String]? {
            try await ToolRun("decode", text, "--json").json.object?.members.map(\.key)
        }
        #expect(
            try await members(Issuer.offer().text) == [
                "ok", "kind", "offer", "id", "chains", "metadata", "currency", "amount", "description", "features",
                "absoluteExpiry", "paths", "issuer", "quantityMax", "issuerID", "expired", "unknownRecords",
            ])
        #expect(
            try await members(request.text) == [
                "ok", "kind", "invoiceRequest", "bytes", "answers", "metadata", "offer", "chain", "amount",
                "features", "quantity", "payerID", "payerNote", "paths", "bip353Name", "signature", "unknownRecords",
                "checks",
            ])
        #expect(
            try await members(Issuer.invoice(for: request).text) == [
                "ok", "kind", "invoice", "chain", "amount", "paymentHash", "nodeID", "createdAt", "relativeExpiry",
                "expiresAt", "expired", "features", "paths", "fallbacks", "signature", "request", "unknownRecords",
                "checks",
            ])
    }

    @Test("Prices and expiries are shown for people")
    func prose() async throws {
        let offer = try Issuer.offer {
            $0.amount = 500
            $0.currency = "USD"
            $0.quantityMax = 0
            $0.absoluteExpiry = UnixTime(1_700_000_000)
        }
        let page = try await ToolRun("decode", offer.text).output
        #expect(page.contains("500 of the smallest unit of USD each"))
        #expect(page.contains("any number of items"))
        #expect(page.contains("bitcoin, regtest"))
        #expect(page.contains("2023-11-14T22:13:20Z, in the past"))
    }

    @Test("Commands of LNURL point to those of BOLT12", arguments: ["info", "request", "decode-invoice"])
    func elsewhere(command: String) async throws {
        let run = try await ToolRun(
            [command, Issuer.offer().text] + (command == "request" ? ["21sat"] : []) + ["--json"])
        #expect(run.status == 65)
        #expect(try run.json["fault"]?["name"] == "bolt12-text")
    }
}

@Suite("lnurl decode --for", .timeLimit(.minutes(5)))
struct PayerCheckTests {
    private let offer = Result { try Issuer.offer() }

    @Test("A matching invoice passes every check")
    func right() async throws {
        let request = try Issuer.request(for: offer.get())
        let run = try await ToolRun("decode", Issuer.invoice(for: request).text, "--for", request.text, "--json")
        #expect(run.status == 0)
        #expect(try run.checks("passed") == ["chain", "expiry", "request", "node", "signature", "amount", "paths"])
        #expect(try run.json["brokenRule"] == .null)
        let piped = try await ToolRun(
            "decode", "-", "--for", "lightning:" + request.text, input: Issuer.invoice(for: request).text)
        #expect(piped.status == 0)
        #expect(piped.output.contains("✓ amount") && piped.output.contains("21 sat, as requested"))
    }

    @Test("The broken rule is named, and the status is 2", arguments: Wrong.allCases)
    func wrong(_ wrong: Wrong) async throws {
        let request = try Issuer.request(for: offer.get())
        let run = try await ToolRun("decode", wrong.invoice(for: request), "--for", request.text, "--json")
        #expect(run.status == 2)
        #expect(try run.json["ok"] == false)
        #expect(try run.json["brokenRule"]?.string == wrong.rawValue)
        #expect(try run.checks("failed") == [wrong.check])
        let page = try await ToolRun("decode", wrong.invoice(for: request), "--for", request.text).output
        #expect(page.contains("✗ \(wrong.check)") && page.contains("(rule \(wrong.rawValue))"))
    }

    @Test(
        "An invoice that breaks a rule by itself exits with 2 and the rule",
        arguments: Bolt12Case.all("invoice").filter { vector in
            vector.reject != nil && (try? Bolt12Invoice(vector.input("invoice"))) == nil
        })
    func broken(vector: Bolt12Case) async throws {
        let request = try Issuer.request(for: offer.get()).text
        let run = try await ToolRun("decode", vector.input("invoice"), "--for", request, "--json")
        #expect(run.status == 2)
        #expect(try run.json["fault"]?["rule"]?.string == vector.reject)
    }

    @Test("Without an amount in the request, the offer's price applies, times the quantity")
    func price() async throws {
        let offer = try Issuer.offer {
            $0.amount = 1000
            $0.quantityMax = 5
        }
        let request = try InvoiceRequestDraft(for: offer, metadata: Array(0..<16), quantity: 3)
            .signed(by: Issuer.key(0x42), auxiliaryRandom: nil)
        let right = try Issuer.invoice(for: request)
        #expect(right.amount == Millisatoshi(3000))
        #expect(try await ToolRun("decode", right.text, "--for", request.text).status == 0)
        let dear = try right.stream.replacing(170, by: [0x0b, 0xb9]).signed()
        let run = try await ToolRun("decode", dear, "--for", request.text, "--json")
        #expect(run.status == 2)
        #expect(try run.json["brokenRule"] == "amount-not-authorized")
    }

    @Test("A price in another currency is left to the payer to judge")
    func currency() async throws {
        let offer = try Issuer.offer {
            $0.amount = 500
            $0.currency = "USD"
        }
        let request = try Issuer.request(for: offer, amount: nil)
        let priced = try Issuer.invoice(for: Issuer.request(for: Issuer.offer())).stream.records.filter {
            $0.type >= 160
        }
        let mirrored = request.stream.records.filter { $0.type != 240 }
        let invoice = try TLVStream(mirrored + priced).signed()
        let run = try await ToolRun("decode", invoice, "--for", request.text, "--json")
        #expect(run.status == 0)
        #expect(try run.checks("warning") == ["amount"])
    }

    @Test("Only an invoice and an invoice request can be compared")
    func others() async throws {
        let offer = try offer.get()
        let request = try Issuer.request(for: offer)
        let invoice = try Issuer.invoice(for: request)
        #expect(try await ToolRun("decode", offer.text, "--for", request.text).status == 65)
        #expect(try await ToolRun("decode", invoice.text, "--for", offer.text).status == 65)
        #expect(try await ToolRun("decode", invoice.text + "b", "--for", request.text).status == 65)
        #expect(try await ToolRun("decode", "-", "--for", "-").status == 64)
    }
}
