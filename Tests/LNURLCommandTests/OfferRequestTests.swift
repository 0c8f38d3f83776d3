import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto
import OnionMessages
import TemporaryFolders
import Testing

@Suite("lnurl offer request", .timeLimit(.minutes(5)))
struct OfferRequestTests {
    private static let relay: UInt8 = 0x51
    static let payee: UInt8 = 0x52

    /// An offer whose paths begin at these nodes and end at the payee.
    static func offer(_ introductions: UInt8..., issuerID: UInt8? = 0x41) throws -> Offer {
        try Issuer.offer { fields in
            fields.issuerID = try issuerID.map { try Issuer.key($0).publicKey }
            guard !introductions.isEmpty else { return }
            fields.paths = try introductions.map { introduction in
                let relays =
                    introduction == payee ? [] : [MessagePath.Relay(nodeID: try Issuer.key(introduction).publicKey)]
                return try MessagePath.route(
                    to: Issuer.key(payee).publicKey, through: relays, pathID: SecretBytes([introduction])
                ).blinded(secret: .random())
            }
        }
    }

    private static func ask(_ offer: Offer, via node: LightningNode, _ options: String...) async throws -> ToolRun {
        try await ToolRun(
            ["offer", "request", offer.text, "--amount", "21sat", "--via", "\(node.address)", "--json"] + options)
    }

    private static func request(in message: ReceivedMessage) throws -> InvoiceRequest {
        guard case .invoiceRequest(let bytes) = message.content else { throw InvoiceRequestFault.missingMetadata }
        return try InvoiceRequest(bytes: bytes)
    }

    static let invoice: LightningNode.Payee = { message in
        try .invoice(Issuer.invoice(for: request(in: message)).stream.bytes)
    }

    @Test("An invoice comes from the requested node, and is checked")
    func direct() async throws {
        let offer = try Self.offer(Self.payee)
        try await LightningNode.run(key: Self.payee, payee: Self.invoice) { payee in
            let run = try await Self.ask(offer, via: payee, "--note", "hi")
            #expect(run.status == 0)
            #expect(run.errors == "")
            let json = try run.json
            #expect(json["amount"] == 21_000)
            #expect(json["path"] == 0)
            #expect(json["brokenRule"] == .null)
            #expect(try run.checks("passed") == ["chain", "expiry", "request", "node", "signature", "amount", "paths"])
            let request = try InvoiceRequest(json["invoiceRequest"]?.string ?? "")
            #expect(try request.mirroredOffer() == offer)
            #expect(request.payerNote == "hi")
            let invoice = try Bolt12Invoice(json["invoice"]?.string ?? "")
            #expect(json["paymentHash"]?.string == invoice.paymentHash.hexadecimal)
        }
    }

    @Test("Request and answer pass through an intermediate node", arguments: [Self.relay, Self.payee])
    func throughRelay(introduction: UInt8) async throws {
        // When the path begins at the payee, the route there is ours to find: a hop through the node that we know.
        let offer = try Self.offer(introduction)
        try await LightningNode.run(key: Self.payee, payee: Self.invoice) { payee in
            try await LightningNode.run(key: Self.relay, peers: [payee.address]) { relay in
                let run = try await Self.ask(offer, via: relay)
                #expect(run.status == 0)
                #expect(try run.json["amount"] == 21_000)
            }
        }
    }

    @Test("For an offer without paths, the request goes to its issuer")
    func issuer() async throws {
        let offer = try Self.offer()
        try await LightningNode.run(key: 0x41, payee: Self.invoice) { issuer in
            let run = try await Self.ask(offer, via: issuer)
            #expect(run.status == 0)
            #expect(try run.json["path"] == .null)
        }
    }

    @Test("When one path is dead, the next one is tried, by the real clock")
    func nextPath() async throws {
        let offer = try Self.offer(0x60, Self.payee)
        try await LightningNode.run(key: Self.payee, payee: Self.invoice) { payee in
            try await LightningNode.run(key: Self.relay, peers: [payee.address]) { relay in
                let run = try await Self.ask(offer, via: relay, "--timeout", "20")
                #expect(run.status == 0)
                #expect(try run.json["path"] == 1)
            }
        }
    }

    @Test("A refusal is shown in the payee's words")
    func refused() async throws {
        let offer = try Self.offer(Self.payee)
        let refuse: LightningNode.Payee = { _ in .invoiceError(try InvoiceError("no tea today").bytes) }
        try await LightningNode.run(key: Self.payee, payee: refuse) { payee in
            let run = try await Self.ask(offer, via: payee)
            #expect(run.status == 1)
            #expect(try run.json["fault"]?["name"] == "invoice-error")
            #expect(try run.json["fault"]?["reason"] == "no tea today")
        }
    }

    @Test("A malformed answer is a broken rule", arguments: [true, false])
    func unreadable(isInvoice: Bool) async throws {
        let offer = try Self.offer(Self.payee)
        let answer = isInvoice ? MessageContent.invoice([1]) : .invoiceError([1])
        try await LightningNode.run(key: Self.payee, payee: { _ in answer }) { payee in
            let run = try await Self.ask(offer, via: payee)
            #expect(run.status == 2)
            #expect(try run.json["fault"]?["name"]?.string == (isInvoice ? "served-invoice" : "served-invoice-error"))
        }
    }

    @Test("A wrong invoice must not be paid, and the rule is named", arguments: Wrong.allCases)
    func wrong(_ wrong: Wrong) async throws {
        let offer = try Self.offer(Self.payee)
        let answer: LightningNode.Payee = { message in
            try .invoice(Bolt12Invoice(wrong.invoice(for: Self.request(in: message))).stream.bytes)
        }
        try await LightningNode.run(key: Self.payee, payee: answer) { payee in
            let run = try await Self.ask(offer, via: payee)
            #expect(run.status == 2)
            #expect(try run.json["brokenRule"]?.string == wrong.rawValue)
            #expect(try run.checks("failed") == [wrong.check])
        }
    }

    @Test("An invoice that arrives over another path than ours is not an answer")
    func anotherWay() async throws {
        let offer = try Self.offer(Self.payee)
        let forged: @Sendable (PublicKey) throws -> OnionMessage? = { asker in
            let path = try MessagePath.route(to: asker, pathID: SecretBytes([1])).blinded(secret: .random())
            return try OnionMessage(
                over: path, content: .invoiceError(InvoiceError("forged").bytes), sessionKey: .random())
        }
        try await LightningNode.run(key: Self.payee, payee: Self.invoice, prelude: forged) { payee in
            let run = try await Self.ask(offer, via: payee)
            #expect(run.status == 0)
        }
    }

    @Test("Silence ends at the timeout, by the real clock")
    func silence() async throws {
        let offer = try Self.offer(Self.payee)
        try await LightningNode.run(key: Self.payee) { payee in
            let run = try await Self.ask(offer, via: payee, "--timeout", "2")
            #expect(run.status == 4)
            #expect(try run.json["fault"]?["name"] == "timeout")
        }
    }

    @Test("An unreachable node, and one with another id, are named")
    func noConnection() async throws {
        let offer = try Self.offer(Self.payee)
        try await LightningNode.run(key: Self.payee) { payee in
            let other = PeerAddress(nodeID: try Issuer.key(Self.relay).publicKey, host: payee.listening)
            for address in [other, PeerAddress(nodeID: other.nodeID, host: ListenAddress(host: "127.0.0.1", port: 1))] {
                let run = try await ToolRun(
                    "offer", "request", offer.text, "--amount", "21sat", "--via", "\(address)", "--json")
                #expect(run.status == 4)
                #expect(try run.json["fault"]?["name"] == "peer")
            }
        }
    }

    @Test("An offer whose paths begin at unknown channels cannot be requested")
    func noWay() async throws {
        let plain = try #require(try Self.offer(Self.relay).paths?.first)
        let path = try BlindedPath(
            introductionNode: .channel(ShortChannelID(1), direction: .node1), firstPathKey: plain.firstPathKey,
            hops: plain.hops)
        let offer = try Issuer.offer { $0.paths = [path] }
        let run = try await ToolRun(
            "offer", "request", offer.text, "--amount", "21sat", "--via",
            "\(Issuer.key(Self.relay).publicKey)@127.0.0.1:1", "--json")
        #expect(run.status == 65)
        #expect(try run.json["fault"]?["name"] == "no-way")
    }

    @Test(
        "Without a node, or with an invalid one, the command line is invalid",
        arguments: [nil, "nobody", "02aa@127.0.0.1:9735"])
    func usage(via: String?) async throws {
        let run = try await ToolRun(
            ["offer", "request", Self.offer(Self.payee).text, "--amount", "21sat", "--json"]
                + (via.map { ["--via", $0] } ?? []))
        #expect(run.status == 64)
        #expect(try run.json["fault"]?["name"] == "command-line")
    }

    @Test("The key of --key-file signs, and is stored once the node is reached")
    func keyFile() async throws {
        let folder = TemporaryFolder()
        let file = folder.path + "/payer.key"
        let offer = try Self.offer(Self.payee)
        try await LightningNode.run(key: Self.payee, payee: Self.invoice) { payee in
            var payers: Set<PublicKey> = []
            for _ in 0..<2 {
                let json = try await Self.ask(offer, via: payee, "--key-file", file).json
                payers.insert(try InvoiceRequest(json["invoiceRequest"]?.string ?? "").payerID)
            }
            #expect(payers.count == 1)
        }
    }
}
