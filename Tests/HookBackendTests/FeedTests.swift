import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import TemporaryFolders
import Testing
@testable import HookBackend

@Suite("Settlements of a hook", .timeLimit(.minutes(5)))
struct FeedTests {
    private let preimage: Preimage

    init() throws {
        preimage = try Preimage(Array(repeating: 3, count: 32))
    }

    private func settlement(_ cursor: String, _ changes: [(String, JSONValue)] = []) -> JSONValue {
        var settlement: JSONObject = [
            "paymentHash": .string(preimage.paymentHash.hexadecimal), "preimage": .string(preimage.hexadecimal),
            "received": 9, "settledAt": 7, "cursor": .string(cursor),
        ]
        for (key, value) in changes { settlement[key] = value }
        return .object(settlement)
    }

    private func settlements(
        _ page: [JSONValue], after cursor: String? = nil
    ) -> SettlementStream.Iterator {
        let hook = FakeHook([.settlements: ["settlements": .array(page)]])
        return HookedNode(over: hook)
            .settlements(after: cursor.map(SettlementCursor.init)).makeAsyncIterator()
    }

    @Test(
        "One that cannot be read is named by its hash, with the place behind it",
        arguments: [
            ("received", .unsigned(1 << 63)), ("received", .unsigned(2_100_000_000_000_000_001)),
            ("settledAt", .unsigned(253_402_300_800)), ("settledAt", "7"), ("preimage", "00"), ("received", .null),
        ] as [(String, JSONValue)])
    func unreadable(key: String, value: JSONValue) async throws {
        var stream = settlements([settlement("a"), settlement("b", [(key, value)]), settlement("c")])
        #expect(try await stream.next()?.get()?.cursor == SettlementCursor("a"))
        guard case .failure(let unreadable) = try await stream.next() else {
            Issue.record("read")
            return
        }
        #expect(unreadable.paymentHash == preimage.paymentHash)
        #expect(unreadable.cursor == SettlementCursor("b"))
        #expect(try await stream.next()?.get()?.cursor == SettlementCursor("c"))
    }

    /// The payment of a node's own offer and its invoice, as a real node has reported them.
    private func offeredPayment(_ changes: [(String, JSONValue)] = []) throws -> JSONValue {
        let tests = #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }
        let recorded = try JSONValue(parsing: contentsOfFile(tests + "/Recorded/core-lightning.json"))
        let listed = recorded["exchanges"]?.array?.first { $0["name"]?.string == "listinvoices offer id" }
        let invoice = try #require(listed?["result"]?["invoices"]?.array?.first)
        func member(_ key: String) throws -> JSONValue { try #require(invoice[key]) }
        let members: [(String, JSONValue)] = [
            ("paymentHash", try member("payment_hash")), ("preimage", try member("payment_preimage")),
            ("offerID", try member("local_offer_id")), ("bolt12", try member("bolt12")), ("payerNote", "theirs"),
        ]
        return settlement("a", members + changes)
    }

    @Test("The invoice of a paid offer counts, with the payer's note in it")
    func offeredInvoice() async throws {
        var stream = settlements([try offeredPayment()])
        let offered = try #require(try await stream.next()?.get()?.offered)
        #expect(offered.invoice != nil)
        #expect(offered.payerNote == "hi there")
    }

    @Test(
        "A BOLT12 text that is no invoice is ignored, and the payment counts",
        arguments: ["lni1qq", "", 7, []] as [JSONValue])
    func noInvoice(text: JSONValue) async throws {
        var stream = settlements([try offeredPayment([("bolt12", text)])])
        let offered = try #require(try await stream.next()?.get()?.offered)
        #expect(offered.invoice == nil)
        #expect(offered.payerNote == "theirs")
    }

    @Test("The BOLT12 invoice of another payment is ignored, and the payment counts")
    func otherInvoice() async throws {
        let changes: [(String, JSONValue)] = [
            ("paymentHash", .string(preimage.paymentHash.hexadecimal)), ("preimage", .string(preimage.hexadecimal)),
        ]
        var stream = settlements([try offeredPayment(changes)])
        let offered = try #require(try await stream.next()?.get()?.offered)
        #expect(offered.invoice == nil)
        #expect(offered.payerNote == "theirs")
    }

    @Test("The greatest amount and the last moment that can be meant are read")
    func greatest() async throws {
        var stream = settlements([
            settlement(
                "a", [("received", .unsigned(Millisatoshi.maximum.msat)), ("settledAt", .unsigned(253_402_300_799))])
        ])
        #expect(try await stream.next()?.get()?.received == .maximum)
    }

    @Test("A page whose cursor stands still is refused, in place of being asked for again and again")
    func standsStill() async throws {
        for (page, after) in [([settlement("a")], "a"), ([settlement("b"), settlement("b")], "b")] {
            var stream = settlements(page, after: after)
            await #expect(throws: BackendFault.malformedAnswer("settlements.settlements[0].cursor")) {
                try await stream.next()
            }
        }
    }

    @Test("The present end is the one that it declares")
    func presentEnd() async throws {
        func node(_ info: JSONValue) -> HookedNode {
            HookedNode(over: FakeHook([.info: info]))
        }
        #expect(try await node(FakeHook.info()).presentEnd() == nil)
        #expect(
            try await node(FakeHook.info([("settlementsEnd", "z9")])).presentEnd() == SettlementCursor("z9"))
    }

    @Test(
        "One without a cursor is reported once, also where it is alone, and those behind it come",
        arguments: [.null, "a\0"] as [JSONValue])
    func noCursor(cursor: JSONValue) async throws {
        let odd = settlement("a", [("cursor", cursor)])
        let hook = FakeHook()
        func list(_ page: JSONValue...) { hook.script(.settlements, .success(["settlements": .array(page)])) }
        list(odd)
        var stream = HookedNode(over: hook)
            .settlements(after: nil).makeAsyncIterator()
        guard case .failure(let unreadable) = try await stream.next() else {
            Issue.record("read")
            return
        }
        #expect(unreadable.paymentHash == preimage.paymentHash)
        #expect(unreadable.cursor == nil)
        list(odd, settlement("b"))
        #expect(try await stream.next()?.get()?.cursor == SettlementCursor("b"))
        list(settlement("c"))
        #expect(try await stream.next()?.get()?.cursor == SettlementCursor("c"))
        #expect(hook.questions.map { $0.parameters["after"] } == [.null, .null, "b"])
    }

    @Test("A page that cannot be read is requested again one settlement at a time")
    func longPage() async throws {
        let hook = FakeHook()
        hook.script(.settlements, .failure(.malformedAnswer("too long")))
        var stream = HookedNode(over: hook)
            .settlements(after: nil).makeAsyncIterator()
        await #expect(throws: BackendFault.malformedAnswer("too long")) { try await stream.next() }
        #expect(hook.questions.map { $0.parameters["limit"] } == [100, 1])
    }

    @Test("A program's page that is too long is requested again one settlement at a time, and followed")
    func longPageOfProgram() async throws {
        let script = #"""
            while read -r line; do
              id=${line#*:}; id=${id%%,*}
              case $line in
                *'"limit":100}'*) printf '{"id":%s,"result":"' "$id"; head -c 1048576 /dev/zero; echo '"}' ;;
                *) printf '{"id":%s,"result":{"settlements":[%s]}}\n' "$id" "$0" ;;
              esac
            done
            """#
        let hook = ProgramHook(["/bin/sh", "-c", script, settlement("a").serialized()], environment: [:])
        let feed = HookFeed(of: hook, after: nil, within: .seconds(60), wakeSignal: WakeSignal())
        #expect(try await feed.next()?.get()?.cursor == SettlementCursor("a"))
    }

    @Test("A cursor that the hook does not know means that its node counts anew; any other answer that it does not")
    func unknownCursor() async throws {
        func state(_ answer: HookResponse) async throws -> CursorState {
            let hook = FakeHook()
            hook.respond(.settlements, answer)
            return try await HookedNode(over: hook)
                .cursorState(of: SettlementCursor("7"))
        }
        #expect(try await state(.error(["code": "unknown-cursor"])) == .renumbered)
        #expect(try await state(.result(["settlements": []])) == .reached)
        await #expect(throws: BackendFault.refused("no")) {
            _ = try await state(.error(["code": "refused", "message": "no"]))
        }
    }
}
