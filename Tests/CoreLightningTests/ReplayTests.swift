import LightningCoding
import Platform
import Testing
@testable import CoreLightning

@Suite("The fake node behaves like the real one", .timeLimit(.minutes(5)))
struct ReplayTests {
    @Test(
        "It rejects what the real one rejected, with the same wording",
        arguments: Recorded.exchanges.filter { $0.error != nil })
    func errors(_ exchange: Recorded.Exchange) throws {
        let node = try Lightningd()
        // Earlier requests to the real node.
        for name in ["invoice deschashonly", "invoice preimage cltv"] {
            _ = try node.answer(to: #require(Recorded.exchanges.first { $0.name == name }))
        }
        if exchange.name == "delinvoice error paid" {
            _ = try node.answer(to: "invoice", ["amount_msat": 1000, "label": "a1", "description": ""])
            try node.pay(#require(node.state.withLock { $0.records.last?.bolt11 }), Millisatoshi(1000))
        }
        do {
            _ = try node.answer(to: exchange)
            Issue.record("no error")
        } catch let error as Lightningd.RPCError {
            #expect(error.code == exchange.error?["code"]?.int64)
            #expect(error.message == exchange.error?["message"]?.string)
        }
    }

    @Test("Its responses have exactly the members of the real ones")
    func members() throws {
        let node = try Lightningd()
        for name in ["invoice any", "invoice deschashonly", "invoice preimage cltv", "invoice warning capacity"] {
            let exchange = try #require(Recorded.exchanges.first { $0.name == name })
            #expect(try node.answer(to: exchange).keys == exchange.result?.keys, "\(name)")
        }
        let unpaid = Recorded.result(of: "listinvoices payment hash")["invoices"]?.array?.first
        let label: JSONValue = "lbl1-1795227085"
        #expect(try node.answer(to: "listinvoices", ["label": label])["invoices"]?.array?.first?.keys == unpaid?.keys)
        let records = node.state.withLock { $0.records }
        try node.pay(#require(records.first { $0.label == label.string }?.bolt11), Millisatoshi(123_456))
        let paid = try node.answer(to: "waitanyinvoice", ["lastpay_index": 0])
        #expect(paid.keys == Recorded.result(of: "waitanyinvoice paid").keys)
        #expect(
            try node.answer(to: "offer", ["amount": "any", "description": "d"]).keys
                == Recorded.result(of: "offer any").keys)
        let listed = try node.answer(to: "listoffers", [:])["offers"]?.array?.first
        #expect(listed?.keys == Recorded.result(of: "listoffers one")["offers"]?.array?.first?.keys)
    }

    @Test("A filter has the same effect on the channels as at the real node")
    func filter() throws {
        let exchange = try #require(Recorded.exchanges.first { $0.name == "listpeerchannels" })
        #expect(PeerChannel.filter.keys == exchange.filter?.keys)
        let answer = try Lightningd().answer(to: "listpeerchannels", [:]).filtered(by: PeerChannel.filter)
        #expect(answer == exchange.result)
        let bare: JSONValue = ["channels": [["updates": ["remote": true]]]]
        #expect(answer.filtered(by: bare)["channels"]?.array?.first == ["updates": ["remote": [:]]])
    }
}

extension Lightningd {
    func answer(to exchange: Recorded.Exchange) throws -> JSONValue {
        try answer(to: exchange.method, exchange.parameters)
    }

    func answer(to method: String, _ parameters: JSONObject) throws -> JSONValue {
        let outcome = Guarded<Result<JSONValue, RPCError>?>(nil)
        perform(method, parameters, filter: nil, raw: JSONValue.object(parameters).serializedBytes()) { answer in
            outcome.withLock { $0 = answer }
        }
        return try #require(outcome.withLock { $0 }).get()
    }
}

extension JSONValue {
    /// The names of an object's members.
    var keys: Set<String>? { object.map { Set($0.members.map(\.key)) } }
}
