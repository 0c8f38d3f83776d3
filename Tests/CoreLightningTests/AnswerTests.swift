import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto
import ResponderModel
import Testing
@testable import CoreLightning

@Suite("Reading the real node's responses", .timeLimit(.minutes(5)))
struct AnswerTests {
    private let paid = Recorded.result(of: "waitanyinvoice paid")

    @Test("getinfo")
    func getinfo() throws {
        let node = try NodeInfo(Recorded.result(of: "getinfo"))
        #expect(node.nodeID.hexadecimal == "03a990ca2670fce8b009275ff539e7bd4fbeab6958eef0b6fbb3bb5c76ac9495f6")
        #expect(node.network == .regtest)
        #expect(node.blockHeight == 115)
        #expect(node.isSynchronized)
        #expect(node.alias == "node2")
        #expect(node.version == "v26.06.6")
    }

    @Test("A node that is not synced says so", arguments: ["warning_bitcoind_sync", "warning_lightningd_sync"])
    func behind(_ warning: String) throws {
        let answer = Recorded.result(of: "getinfo").with(warning, "Bitcoind is not up-to-date with network.")
        #expect(try !NodeInfo(answer).isSynchronized)
    }

    @Test("lightningd's network names map to ours", arguments: Network.allCases)
    func networks(_ network: Network) throws {
        let answer = Recorded.result(of: "getinfo").with("network", .string(network.rawValue))
        #expect(try NodeInfo(answer).network == network)
    }

    @Test(
        "A getinfo without a required member, or on an unknown chain, is malformed",
        arguments: [
            ("id", .null), ("id", "02ff"), ("network", "liquid-regtest"), ("network", 1), ("blockheight", "115"),
            ("blockheight", 4_294_967_296),
        ] as [(String, JSONValue)])
    func malformedInfo(_ key: String, _ value: JSONValue) {
        let answer = Recorded.result(of: "getinfo").with(key, value)
        #expect(throws: BackendFault.malformedAnswer(key)) { try NodeInfo(answer) }
    }

    @Test("Open, expired and paid invoices are read")
    func states() throws {
        let open = try ListedInvoice(first(of: "listinvoices payment hash"))
        #expect(open.status == .open)
        #expect(open.label == "lbl1-1795227085")
        #expect(try ListedInvoice(first(of: "listinvoices expired")).status == .closed)
        let invoice = try ListedInvoice(paid)
        #expect(
            invoice.status
                == .settled(
                    at: UnixTime(1_795_227_088), received: Millisatoshi(123_456),
                    preimage: try Preimage(
                        hexadecimal: "6f0298a57961a9d2ea6e7d7b36b1038a8a15c7fb1092c906a48adb043cfe5860")))
        guard case .paid(let payment) = invoice.state else { return #expect(Bool(false)) }
        #expect(payment.index == 7)
        #expect(payment.offered == nil)
        #expect(payment.preimage.paymentHash == invoice.paymentHash)
    }

    @Test("The payment of a node's own offer names the offer, the invoice and the payer's note")
    func ownOffer() throws {
        let invoice = try ListedInvoice(first(of: "listinvoices offer id"))
        guard case .paid(let payment) = invoice.state, let offered = payment.offered else {
            return #expect(Bool(false))
        }
        let offer = try Offer(#require(Recorded.result(of: "offer any")["bolt12"]?.string))
        #expect(offered.offer == offer.id)
        #expect(offered.invoice?.paymentHash == invoice.paymentHash)
        #expect(offered.payerNote == "hi there")
    }

    @Test("An invoice with a different payment hash is rejected")
    func anotherInvoice() throws {
        let other = try first(of: "listinvoices offer id").with(
            "payment_hash", .string(String(repeating: "ab", count: 32)))
        guard case .paid(let payment) = try ListedInvoice(other).state else { return #expect(Bool(false)) }
        #expect(payment.offered?.invoice == nil)
        #expect(payment.offered?.payerNote == "hi there")
    }

    @Test(
        "A payment without a required member is malformed",
        arguments: [
            ("label", .null), ("payment_hash", "00"), ("status", "pending"), ("pay_index", -1),
            ("amount_received_msat", "123456msat"), ("paid_at", "now"), ("payment_preimage", .null),
            ("payment_preimage", "6f02"), ("local_offer_id", "31d8"),
        ] as [(String, JSONValue)])
    func malformedPayment(_ key: String, _ value: JSONValue) {
        #expect(throws: BackendFault.malformedAnswer(key)) { try ListedInvoice(paid.with(key, value)) }
    }

    @Test("A public channel is used by its id, a private one by the peer's alias; both on the peer's terms")
    func channels() throws {
        let channels = try PeerChannel.usable(in: Recorded.result(of: "listpeerchannels"))
        #expect(channels.map(\.isPrivate) == [false, true])
        #expect(channels.map(\.receivable.msat) == [985_581_655, 490_709_000])
        #expect(
            channels.map(\.relay?.next) == [
                .channel(try ShortChannelID(text: "10x1x0")),
                .channel(try ShortChannelID(text: "9700647x6696243x38291")),
            ])
        let relay = try #require(channels.first?.relay)
        #expect(relay.terms == PaymentRelay(cltvExpiryDelta: 6, feeProportionalMillionths: 10, feeBase: 1))
        #expect(relay.htlcMaximum == Millisatoshi(990_000_000))
    }

    @Test(
        "Only open channels with connected peers count; a spliced one still counts",
        arguments: [
            ("state", "CHANNELD_AWAITING_LOCKIN", 1), ("state", "ONCHAIN", 1), ("peer_connected", false, 1),
            ("state", "CHANNELD_AWAITING_SPLICE", 2),
        ] as [(String, JSONValue, Int)])
    func usable(_ key: String, _ value: JSONValue, _ count: Int) throws {
        #expect(try PeerChannel.usable(in: Self.channels(changing: key, to: value)).count == count)
    }

    @Test("Our limit of HTLCs in flight bounds what can be received")
    func inFlight() throws {
        let answer = Self.channels(changing: "our_max_htlc_value_in_flight_msat", to: 1000)
        #expect(try PeerChannel.usable(in: answer).first?.receivable == Millisatoshi(1000))
    }

    @Test("A node before v25.02 is named as too old")
    func oldNode() {
        #expect(throws: BackendFault.malformedAnswer("the node is older than v25.02")) {
            try PeerChannel.usable(in: Self.channels(changing: "our_max_htlc_value_in_flight_msat", to: nil))
        }
    }

    @Test("A peer without announced terms is not an introduction peer", arguments: ["updates", "short_channel_id"])
    func noTerms(_ key: String) throws {
        #expect(
            try PeerChannel.usable(in: Self.channels(changing: key, to: nil)).map { $0.relay == nil } == [true, false])
    }

    static func channels(changing key: String, to value: JSONValue?) -> JSONValue {
        var channels = Recorded.channels
        channels[0] = channels[0].with(key, value)
        return ["channels": .array(channels)]
    }

    private func first(of name: String) throws -> JSONValue {
        try #require(Recorded.result(of: name)["invoices"]?.array?.first)
    }
}

extension NodeInfo {
    fileprivate init(_ answer: JSONValue) throws(BackendFault) { try self.init(getinfo: NodeAnswer(answer)) }
}

extension ListedInvoice {
    init(_ answer: JSONValue) throws(BackendFault) { try self.init(NodeAnswer(answer)) }
}

extension PeerChannel {
    static func usable(in answer: JSONValue) throws(BackendFault) -> [PeerChannel] {
        try usable(in: NodeAnswer(answer))
    }
}

extension JSONValue {
    /// The object with a member replaced or removed.
    func with(_ key: String, _ value: JSONValue?) -> JSONValue {
        var object = object ?? [:]
        object[key] = value
        return .object(object)
    }
}
