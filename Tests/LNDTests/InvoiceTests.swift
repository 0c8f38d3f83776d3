import BackendContract
import Bolt11
import FakeNode
import LND
import LightningCoding
import LightningCrypto
import LoopbackServer
import Platform
import ResponderModel
import Testing

@Suite("Invoices of LND", .timeLimit(.minutes(5)))
struct InvoiceTests {
    @Test("An order is exact to the msat, with the hash in base64 and the label for the node's owner")
    func order() async throws {
        let fixture = try LNDFixture()
        let order = InvoiceOrder.sample()
        _ = try await fixture.backend().createInvoice(order)
        let request = try #require(fixture.node.server.requests.last)
        #expect(request.target == "/v1/invoices")
        #expect(request.header("grpc-metadata-macaroon") == Hexadecimal.encode(FakeLND.macaroon))
        let hash = SHA256.hash(Array(#"[["text/plain","Pay to alice"]]"#.utf8))
        #expect(
            try JSONValue(parsing: request.body) == [
                "value_msat": "21001", "expiry": "600", "private": false,
                "description_hash": .string(Base64.encode(hash)), "memo": .string(order.label),
            ])
    }

    @Test("Hints to private channels are requested only when the public ones could not receive the amount")
    func hints() async throws {
        let fixture = try LNDFixture()
        var hidden = FakeChannel()
        hidden.isPrivate = true
        hidden.id = 2
        func hints(_ channels: [FakeChannel], _ amount: UInt64) async throws -> Int {
            fixture.node.state.withLock { $0.channels = channels }
            let answer = try await fixture.backend().createInvoice(.sample("\(amount)", Millisatoshi(amount)))
            return try Bolt11Invoice(answer.bolt11).contents.fields.filter {
                if case .routeHint = $0 { true } else { false }
            }.count
        }
        #expect(try await hints([FakeChannel(), hidden], 4_950_000_000) == 0)
        #expect(try await hints([FakeChannel(), hidden], 4_950_000_001) == 1)
        #expect(try await hints([hidden], 1) == 1)
        #expect(try await hints([FakeChannel()], 5_000_000_000) == 0)
    }

    @Test("Wrong responses are caught by the inspection: text instead of the hash, another network")
    func inspection() async throws {
        let fixture = try LNDFixture()
        let backend = try fixture.backend()
        fixture.node.state.withLock { $0.isPlainMemo = true }
        let order = InvoiceOrder.sample()
        let answer = try await backend.createInvoice(order)
        #expect(throws: InspectionFault.description) {
            try InvoiceInspection(network: .regtest, order: order).inspect(answer, at: fixture.now)
        }
        fixture.node.state.withLock {
            $0.isPlainMemo = false
            $0.network = "testnet"
        }
        let foreign = try await backend.createInvoice(order)
        #expect(throws: InspectionFault.network) {
            try InvoiceInspection(network: .regtest, order: order).inspect(foreign, at: fixture.now)
        }
    }

    @Test("An invoice of a node whose clock is an hour behind has expired for us, and is rejected")
    func clockSkew() async throws {
        let fixture = try LNDFixture()
        let order = InvoiceOrder.sample()
        let answer = try await fixture.backend().createInvoice(order)
        #expect(throws: InspectionFault.expired(behind: 3600)) {
            try InvoiceInspection(network: .regtest, order: order)
                .inspect(answer, at: fixture.now.adding(seconds: 3600))
        }
    }

    @Test("The preimage of an open invoice, which LND returns, is not read")
    func preimageOfOpenInvoice() async throws {
        let fixture = try LNDFixture()
        let backend = try fixture.backend()
        let answer = try await backend.createInvoice(.sample())
        #expect(fixture.node.state.withLock { $0.invoices[0].json["r_preimage"]?.string?.utf8.count } == 44)
        #expect(try await backend.status(of: answer.paymentHash) == .open)
        fixture.node.hold(answer.bolt11)
        #expect(try await backend.status(of: answer.paymentHash) == .open)
        fixture.node.advance(seconds: 601)
        // Held payments may still settle it.
        #expect(try await backend.status(of: answer.paymentHash) == .open)
    }

    @Test("A settled invoice whose preimage does not match its hash is malformed; the fault omits the preimage")
    func wrongPreimage() async throws {
        let fixture = try LNDFixture()
        let backend = try fixture.backend()
        let answer = try await backend.createInvoice(.sample())
        try fixture.node.pay(answer.bolt11, Millisatoshi(21_001))
        let json = fixture.node.state.withLock { $0.invoices[0].json }
        var object = try #require(json.object)
        object["r_preimage"] = .string(Base64.encode([UInt8](repeating: 9, count: 32)))
        fixture.node.server.mode = .answering(LoopbackAnswer(JSONValue.object(object).serialized()))
        #expect(
            await fault { () async throws(BackendFault) in _ = try await backend.status(of: answer.paymentHash) }
                == .malformedAnswer("r_preimage"))
    }

    @Test("A response about a different invoice is rejected")
    func otherInvoice() async throws {
        let fixture = try LNDFixture()
        let backend = try fixture.backend()
        _ = try await backend.createInvoice(.sample("a"))
        let second = try await backend.createInvoice(.sample("b"))
        let first = fixture.node.state.withLock { $0.invoices[0].json.serialized() }
        fixture.node.server.mode = .answering(LoopbackAnswer(first))
        #expect(
            await fault { () async throws(BackendFault) in _ = try await backend.status(of: second.paymentHash) }
                == .malformedAnswer("r_hash"))
    }

    @Test("An invoice is open as long as LND says so")
    func open() async throws {
        let fixture = try LNDFixture()
        let backend = try fixture.backend()
        let answer = try await backend.createInvoice(.sample())
        #expect(try await backend.status(of: answer.paymentHash) == .open)
        fixture.node.advance(seconds: 10_000_000)
        #expect(try await backend.status(of: answer.paymentHash) == .closed)
    }

    @Test("Canceling twice succeeds; unknown and paid invoices are refused with LND's reason")
    func cancel() async throws {
        let fixture = try LNDFixture()
        let backend = try fixture.backend()
        let answer = try await backend.createInvoice(.sample())
        try await backend.cancel(answer.paymentHash)
        try await backend.cancel(answer.paymentHash)
        #expect(try await backend.status(of: answer.paymentHash) == .closed)
        let unknown = try Preimage([UInt8](repeating: 1, count: 32)).paymentHash
        #expect(
            await fault { () async throws(BackendFault) in try await backend.cancel(unknown) }
                == .refused("2: unable to locate invoice"))
        let paid = try await backend.createInvoice(.sample("b"))
        try fixture.node.pay(paid.bolt11, Millisatoshi(21_001))
        #expect(
            await fault { () async throws(BackendFault) in try await backend.cancel(paid.paymentHash) }
                == .refused("2: invoice already settled"))
    }

    @Test(
        "A thousand concurrent orders wait in a bounded queue; the rest are rejected at once, and nothing is left over"
    )
    func manyOrders() async throws {
        let fixture = try LNDFixture()
        let backend = try fixture.backend { $0.limits.maximumWaiting = 100 }
        _ = try await backend.limits()
        let outcomes = await withTaskGroup(of: BackendFault?.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    await fault { () async throws(BackendFault) in
                        _ = try await backend.createInvoice(.sample("label \(number)"))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == nil }.count >= 100)
        #expect(Set(outcomes.compactMap { $0 }).subtracting([.overloaded]).isEmpty)
        #expect(fixture.node.state.withLock { $0.invoices.count } == outcomes.filter { $0 == nil }.count)
        _ = try await backend.createInvoice(.sample("afterwards"))
    }
}
