import LightningCoding
import LightningCrypto
import Contracts
import Testing

@testable import HookBackend

@Suite("Settlements of a hook", .timeLimit(.minutes(1)))
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
    ) -> AsyncThrowingStream<Settlement, any Error>.Iterator {
        let hook = FakeHook([.settlements: ["settlements": .array(page)]])
        return HookedNode(over: hook, webhookSecret: nil, clock: { UnixTime(0) })
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
        #expect(try await stream.next()?.cursor == SettlementCursor("a"))
        let fault = await #expect(throws: UnreadableSettlement.self) { try await stream.next() }
        #expect(fault?.paymentHash == preimage.paymentHash)
        #expect(fault?.cursor == SettlementCursor("b"))
    }

    @Test("The greatest amount and the last moment that can be meant are read")
    func greatest() async throws {
        var stream = settlements([
            settlement(
                "a", [("received", .unsigned(Millisatoshi.maximum.msat)), ("settledAt", .unsigned(253_402_300_799))])
        ])
        #expect(try await stream.next()?.received == .maximum)
    }

    @Test("A page whose cursor stands still is refused, in place of being asked for again and again")
    func standsStill() async throws {
        for (page, after) in [([settlement("a")], "a"), ([settlement("b"), settlement("b")], "a")] {
            var stream = settlements(page, after: after)
            await #expect(
                throws: BackendFault.malformedAnswer(
                    "settlements.settlements[\(page.count - 1)].cursor")
            ) {
                try await stream.next()
            }
        }
    }

    @Test("The present end is the one that it declares")
    func presentEnd() async throws {
        func node(_ info: JSONValue) -> HookedNode {
            HookedNode(over: FakeHook([.info: info]), webhookSecret: nil, clock: { UnixTime(0) })
        }
        #expect(try await node(FakeHook.info()).presentEnd() == nil)
        #expect(
            try await node(FakeHook.info([("settlementsEnd", "z9")])).presentEnd() == SettlementCursor("z9"))
    }

    @Test("Without a cursor nothing can be left out")
    func noCursor() async throws {
        var stream = settlements([settlement("a", [("cursor", .null)])])
        await #expect(throws: BackendFault.self) { try await stream.next() }
    }
}
