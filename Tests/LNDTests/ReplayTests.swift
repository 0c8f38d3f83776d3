import BlindedPaths
import FakeNode
import LightningCoding
import LightningCrypto
import OutboundHTTP
import Platform
import ResponderModel
import Testing
@testable import LND

@Suite("The fake LND behaves like the real one", .timeLimit(.minutes(5)))
struct ReplayTests {
    @Test(
        "Its responses have the status, error wording and members of the real ones"
    )
    func all() async throws {
        let replay = try Replay()
        var count = 0
        for exchange in Recorded.exchanges where exchange.messages.isEmpty {
            try await replay.prepare(exchange)
            let (status, answer) = try await replay.ask(exchange)
            #expect(status == exchange.status, "\(exchange.name)")
            let recorded = try #require(exchange.answer)
            if status == 200 {
                #expect(answer.members == recorded.members, "\(exchange.name)")
            } else {
                #expect(answer.withoutColumn == recorded.withoutColumn, "\(exchange.name)")
            }
            count += 1
        }
        #expect(count > 50)
    }

    @Test("Subscribers get the same events as from the real one: the new invoice, then its settlement")
    func events() throws {
        let messages = try #require(Recorded.exchange("subscribe")).messages
        let invoices = try messages.map { try LNDInvoice(NodeAnswer($0).member("result")) }
        #expect(invoices.count == 2)
        guard case .open = invoices[0].state, case .settled(let payment) = invoices[1].state else {
            Issue.record("states")
            return
        }
        #expect(payment.index == 1)
        #expect(payment.received == Millisatoshi(7000))
        let later = try #require(Recorded.exchange("subscribe after one")?.messages.first?["result"])
        #expect(try SettlementFeed.report(NodeAnswer(later), after: 1).1?.get()?.cursor.text == "2")
    }

    @Test("The real invoices are read correctly")
    func invoices() throws {
        func status(_ name: String) throws -> PaymentStatus {
            try LNDInvoice(NodeAnswer(Recorded.answer(name))).status
        }
        #expect(try status("lookup open") == .open)
        #expect(try status("lookup expired") == .closed)
        #expect(try status("lookup canceled") == .closed)
        guard case .settled(let moment, let received, let preimage) = try status("lookup settled") else {
            Issue.record("not settled")
            return
        }
        #expect(moment == UnixTime(1_795_297_958))
        #expect(received == Millisatoshi(123_456))
        #expect(preimage == Recorded.preimages["LSJ/JFfJXBo0MbhAhz3BaROOPhY4OAP2mU8cFaodZcw="])
    }

    @Test("The real channels are read, the private one with its peer's terms")
    func channels() throws {
        let open = try LNDChannel(NodeAnswer(.object(Recorded.channel)))
        #expect(!open.isPrivate)
        // 998,778 sat less 1% of the channel, and less what doubling the fee rate of 500 could cost.
        #expect(open.receivable == Millisatoshi(998_778_000 - 10_000_000 - 906_000))
        let hidden = try #require(Recorded.answer("channels private")["channels"]?.array?.first)
        let channel = try LNDChannel(NodeAnswer(hidden))
        #expect(channel.isPrivate)
        let relay = try #require(try PaymentPath.Relay(channel, NodeAnswer(Recorded.answer("edge private"))))
        #expect(relay.nodeID == channel.peer)
        #expect(relay.next == .channel(ShortChannelID(10_995_116_343_297)))
        #expect(relay.terms == PaymentRelay(cltvExpiryDelta: 80, feeProportionalMillionths: 1, feeBase: 1000))
        #expect(relay.htlcMinimum == Millisatoshi(1000))
        #expect(relay.htlcMaximum == Millisatoshi(495_000_000))
    }
}

/// A fake node that gets the requests of the real one, in that order.
private struct Replay {
    let fixture: LNDFixture
    let client: HTTPClient

    init() throws {
        fixture = try LNDFixture()
        client = try HTTPClient(HTTPClient.Configuration())
        fixture.node.state.withLock { state in
            state.now = UnixTime(1_795_297_956)
            state.macaroons[Self.macaroon("invoice")] = ["invoices:read", "invoices:write"]
            state.macaroons[Self.macaroon("readonly")] = ["info:read", "offchain:read", "invoices:read"]
        }
    }

    /// Brings the node into the state of the real one.
    func prepare(_ exchange: Recorded.Exchange) async throws {
        fixture.node.state.withLock { state in
            let hash = exchange.answer?["r_hash"]?.string
            state.nextPreimage = exchange.method == "POST" ? hash.flatMap { Recorded.preimages[$0] } : nil
        }
        switch exchange.name {
        case "lookup settled":
            let hash = String(exchange.path.dropFirst(12))
            let invoice = fixture.node.state.withLock { state in
                state.invoices.first { $0.fake.paymentHash.hexadecimal == hash }
            }
            try fixture.node.pay(#require(invoice).fake.text, Millisatoshi(123_456))
        case "lookup expired": fixture.node.advance(seconds: 70)
        case "channels none": fixture.node.state.withLock { $0.channels = [] }
        case "balance": fixture.node.state.withLock { $0.channels = Self.channels }
        case "waiting to start", "wallet locked", "starting up":
            fixture.node.state.withLock { $0.isNotReady = exchange.answer?["message"]?.string }
        default: break
        }
    }

    private static var channels: [FakeChannel] {
        var near = FakeChannel()
        near.id = 3_298_534_948_865
        var far = FakeChannel()
        far.id = 10_995_116_343_297
        far.isPrivate = true
        return [near, far]
    }

    func ask(_ exchange: Recorded.Exchange) async throws -> (status: Int, answer: JSONValue) {
        var headers: [HTTPField] = []
        switch exchange.macaroon {
        case nil: headers = [try field(Hexadecimal.encode(FakeLND.macaroon))]
        case "none"?: break
        case "no digits"?: headers = [try field("zz")]
        case "garbage"?: headers = [try field("020909")]
        case let name?: headers = [try field(Self.macaroon(name))]
        }
        let method: HTTPMethod = exchange.method == "POST" ? .post : .get
        let response = try await client.send(
            HTTPRequest(
                method, try HTTPURL("http://127.0.0.1:\(fixture.node.server.port)\(exchange.path)"), headers: headers,
                body: exchange.body, timeout: .seconds(10)))
        return (response.status, try JSONValue(parsing: response.body))
    }

    private func field(_ value: String) throws -> HTTPField {
        try HTTPField("Grpc-Metadata-macaroon", value, isSecret: true)
    }

    /// A readable one, of another node or with other permissions.
    private static func macaroon(_ name: String) -> String {
        Hexadecimal.encode([2, 1, 3] + Array(name.utf8))
    }
}

extension JSONValue {
    /// The names of all members, with the types of their values; for lists, of the first element.
    fileprivate var members: [String: String] {
        var found: [String: String] = [:]
        collect("", &found)
        return found
    }

    private func collect(_ path: String, _ found: inout [String: String]) {
        // Their member names are numbers, of features or sets.
        guard !["features", "amp_invoice_state"].contains(where: { path.hasSuffix($0) }) else { return }
        if let object {
            for member in object.members { member.value.collect(path + "." + member.key, &found) }
        } else if let array {
            found[path] = "list"
            array.first?.collect(path, &found)
        } else {
            found[path] = string != nil ? "text" : bool != nil ? "truth" : isNull ? "null" : "number"
        }
    }

    /// Without the position where LND stopped reading a body, which depends on spaces.
    fileprivate var withoutColumn: JSONValue {
        guard var object, let message = object["message"]?.string, message.hasPrefix("proto: (line ") else {
            return self
        }
        object["message"] = .string(message.split(separator: ")", maxSplits: 1).last.map { "proto:" + $0 } ?? "")
        return .object(object)
    }
}
