import BlindedPaths
import LightningCoding
import LightningCrypto
import ResponderModel
import Testing
@testable import HookBackend

@Suite("What a hook answers", .timeLimit(.minutes(5)))
struct AnswerTests {
    private func node(_ answers: [HookMethod: JSONValue]) -> HookedNode {
        HookedNode(over: FakeHook(answers))
    }

    @Test("What it can do it is asked when that is not known yet, and not guessed")
    func capabilities() async throws {
        let node = node([.info: FakeHook.info(capabilities: [("offers", "built"), ("textLimit", 100)])])
        #expect(
            try await node.capabilities
                == BackendCapabilities(
                    precision: .millisatoshi, acceptsPreimage: true, cancels: true, offers: .builtHere,
                    textLimit: 100
                )
        )
        await #expect(throws: BackendFault.self) { try await self.node([:]).capabilities }
    }

    @Test("Peers are read with their channels and terms")
    func peers() async throws {
        let peer: JSONValue = [
            "nodeID": "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5", "channel": "539268x845x1",
            "feeBase": 1000, "feeProportionalMillionths": 10, "cltvExpiryDelta": 34, "htlcMinimum": 1,
            "htlcMaximum": 5_000_000,
        ]
        let info = try await node([.info: FakeHook.info([("public", false), ("peers", [peer])])]).nodeInfo()
        #expect(!info.isPublic)
        let relay = try #require(info.introductionPeers.first)
        #expect(relay.next == .channel(try ShortChannelID(text: "539268x845x1")))
        #expect(relay.terms == PaymentRelay(cltvExpiryDelta: 34, feeProportionalMillionths: 10, feeBase: 1000))
        #expect(relay.htlcMaximum == Millisatoshi(5_000_000))
    }

    @Test("Other keys that sign its invoices are those that it declares")
    func payees() async throws {
        let key = "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
        let plain = try await node([.info: FakeHook.info()]).nodeInfo()
        #expect(plain.payees == [plain.nodeID])
        let virtual = try await node([.info: FakeHook.info([("payees", [.string(key)])])]).nodeInfo()
        #expect(virtual.payees.map(\.hexadecimal) == [plain.nodeID.hexadecimal, key])
    }

    @Test("A member that is missing or malformed is named", arguments: Members.malformed)
    func malformed(_ key: String, _ value: JSONValue) async throws {
        let fault = await #expect(throws: BackendFault.self) {
            try await node([.info: FakeHook.info([(key, value)])]).nodeInfo()
        }
        guard case .malformedAnswer(let text) = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(text.contains(key))
    }

    @Test("Another version of the contract is refused")
    func version() async throws {
        await #expect(throws: BackendFault.self) {
            try await node([.info: FakeHook.info([("version", 2)])]).nodeInfo()
        }
    }

    @Test("Limits whose minimum lies above their maximum are refused")
    func limits() async throws {
        #expect(try await node([.limits: ["minimum": 5, "maximum": 5]]).limits().minimum == Millisatoshi(5))
        for answer: JSONValue in [["minimum": 6, "maximum": 5], ["minimum": 0, "maximum": 5], ["minimum": 1], []] {
            await #expect(throws: BackendFault.self) { try await node([.limits: answer]).limits() }
        }
    }

    @Test(
        "Each code of an error has its fault, and an unknown one is a refusal",
        arguments: [
            ("unavailable", BackendFault.unreachable("why")), ("nothing-receivable", .nothingReceivable),
            ("amount-not-possible", .amountNotPossible), ("duplicate", .duplicate), ("unsupported", .unsupported),
            ("refused", .refused("why")), ("else", .refused("why")),
        ])
    func errors(_ code: String, _ fault: BackendFault) {
        #expect(BackendFault(hookError: ["code": .string(code), "message": "why"]) == fault)
    }

    @Test("An error's words are cut, and steer no terminal")
    func words() {
        let fault = BackendFault(hookError: ["message": .string("\u{1B}[2J" + String(repeating: "x", count: 1000))])
        guard case .refused(let text) = fault else {
            Issue.record("\(fault)")
            return
        }
        #expect(text.hasPrefix("\\u{1b}[2J"))
        #expect(text.count == 200)
    }

    @Test("A settled payment needs its proof")
    func status() async throws {
        let preimage = try Preimage(Array(repeating: 3, count: 32))
        let settled: JSONObject = [
            "status": "settled", "settledAt": 7, "received": 9, "preimage": .string(preimage.hexadecimal),
        ]
        #expect(
            try await node([.status: .object(settled)]).status(of: preimage.paymentHash)
                == .settled(at: UnixTime(7), received: Millisatoshi(9), preimage: preimage))
        for key in ["settledAt", "received", "preimage"] {
            var broken = settled
            broken[key] = nil
            await #expect(throws: BackendFault.self) {
                try await node([.status: .object(broken)]).status(of: preimage.paymentHash)
            }
        }
        #expect(try await node([.status: ["status": "unknown"]]).status(of: preimage.paymentHash) == nil)
        await #expect(throws: BackendFault.self) {
            try await node([.status: ["status": "paid"]]).status(of: preimage.paymentHash)
        }
    }
}

/// What `info` must not answer.
private enum Members {
    static let malformed: [(String, JSONValue)] = [
        ("version", .null), ("nodeID", "02"), ("network", "mainnet"), ("blockHeight", 4_294_967_296),
        ("blockHeight", -1), ("synchronized", "yes"), ("public", .null), ("capabilities", []),
        ("alias", 7), ("payees", "02"), ("payees", ["02"]), ("peers", .array([.object(JSONObject())])),
    ]
}
