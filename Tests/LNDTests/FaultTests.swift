import BackendContract
import FakeNode
import LND
import LightningCoding
import LightningCrypto
import LoopbackServer
import ResponderModel
import Testing

@Suite("A failing LND", .timeLimit(.minutes(5)))
struct FaultTests {
    private func faults(
        _ mode: FakeHTTPServer.Mode, _ change: (inout LNDConfiguration) -> Void = { _ in }
    ) async throws
        -> Set<BackendFault?>
    {
        let fixture = try LNDFixture()
        let backend = try fixture.backend(change)
        fixture.node.server.mode = mode
        let nothing = try PaymentHashes.nothing()
        var faults: Set<BackendFault?> = []
        faults.insert(await fault { () async throws(BackendFault) in _ = try await backend.nodeInfo() })
        faults.insert(await fault { () async throws(BackendFault) in _ = try await backend.limits() })
        faults.insert(await fault { () async throws(BackendFault) in _ = try await backend.createInvoice(.sample()) })
        faults.insert(await fault { () async throws(BackendFault) in _ = try await backend.status(of: nothing) })
        faults.insert(await fault { () async throws(BackendFault) in try await backend.cancel(nothing) })
        for cursor in [nil, SettlementCursor("1")] {
            do {
                _ = try await backend.settlements(1, after: cursor)
                faults.insert(nil)
            } catch let fault as BackendFault {
                faults.insert(fault)
            }
        }
        return faults
    }

    @Test("Garbage is malformed, whatever its status")
    func garbage() async throws {
        #expect(
            try await faults(.answering(LoopbackAnswer("<html>"))) == [
                .malformedAnswer("no JSON: invalid character, at byte 0"),
                .unreachable("the node has ended its stream of invoices"),
            ])
        #expect(
            try await faults(.answering(LoopbackAnswer(raw: "SSH-2.0-OpenSSH\r\n\r\n"))).allSatisfy {
                if case .malformedAnswer? = $0 { true } else if case .unreachable? = $0 { true } else { false }
            })
        #expect(
            try await faults(.answering(LoopbackAnswer(status: 418, "<html>")))
                == [.malformedAnswer("status 418 without an error")])
    }

    @Test("A proxy without an upstream makes it unreachable")
    func proxy() async throws {
        #expect(
            try await faults(.answering(LoopbackAnswer(status: 502, "<html>Bad Gateway</html>")))
                == [.unreachable("status 502")])
    }

    @Test("A hundred megabytes are not read")
    func flood() async throws {
        #expect(
            try await faults(.flooding) { $0.limits.maximumAnswerBytes = 1 << 20 } == [
                .malformedAnswer("too long"), .malformedAnswer("a line that is too long"),
            ])
    }

    @Test("An endless error is not read either, not even from the stream of settlements")
    func longRefusal() async throws {
        let page = LoopbackAnswer(status: 502, String(repeating: " ", count: 2 << 20))
        #expect(
            try await faults(.answering(page)) { $0.limits.maximumAnswerBytes = 1 << 20 } == [
                .malformedAnswer("too long")
            ])
    }

    @Test(
        "Members of the wrong type are named, not shown",
        arguments: ["identity_pubkey", "chains", "block_height", "synced_to_chain"])
    func wrongMembers(key: String) async throws {
        let fixture = try LNDFixture()
        let backend = try fixture.backend()
        _ = try await backend.limits()
        var object: JSONObject = [
            "identity_pubkey": .string(fixture.node.key.publicKey.hexadecimal), "block_height": 1, "alias": "",
            "version": "", "synced_to_chain": true, "chains": [["network": "regtest"]],
        ]
        object[key] = ["secret": 1]
        fixture.node.server.mode = .answering(LoopbackAnswer(JSONValue.object(object).serialized()))
        #expect(
            await fault { () async throws(BackendFault) in _ = try await backend.nodeInfo() } == .malformedAnswer(key))
    }
}
