import BackendContract
import FakeNode
import LightningCoding
import LightningCrypto
import LoopbackServer
import Platform
import ResponderModel
import Testing
@testable import CoreLightning

@Suite("A failing clnrest", .timeLimit(.minutes(5)))
struct RestFaultTests {
    private let fixture: NodeFixture

    init() throws {
        fixture = try NodeFixture()
    }

    /// The faults of all calls of a backend.
    private func faults(
        _ mode: FakeHTTPServer.Mode, limits: CallLimits = CallLimits()
    ) async throws -> Set<BackendFault?> {
        let backend = try fixture.restBackend(usesOwnOffers: true, limits: limits)
        fixture.rest.mode = mode
        let nothing = try PaymentHash(Array(repeating: 0, count: 32))
        var faults: Set<BackendFault?> = []
        faults.insert(await fault { () async throws(BackendFault) in _ = try await backend.nodeInfo() })
        faults.insert(await fault { () async throws(BackendFault) in _ = try await backend.limits() })
        faults.insert(await fault { () async throws(BackendFault) in _ = try await backend.createInvoice(.sample()) })
        faults.insert(await fault { () async throws(BackendFault) in _ = try await backend.status(of: nothing) })
        faults.insert(await fault { () async throws(BackendFault) in try await backend.cancel(nothing) })
        faults.insert(await fault { () async throws(BackendFault) in _ = try await backend.missingPermissions() })
        faults.insert(
            await fault { () async throws(BackendFault) in
                _ = try await backend.offer(OfferOrder(label: "alice", description: "Tea"))
            })
        do {
            _ = try await backend.settlements(1)
            faults.insert(nil)
        } catch let fault as BackendFault {
            faults.insert(fault)
        }
        return faults
    }

    @Test("One that is down, or drops connections, is unreachable")
    func gone() async throws {
        for fault in try await faults(.gone) {
            guard case .unreachable? = fault else {
                Issue.record("\(String(describing: fault))")
                continue
            }
        }
        #expect(try await faults(.breakingOff) == [.unreachable("the connection was lost")])
        let port = try ClosedPort()
        let backend = try CoreLightningBackend(
            CoreLightningConfiguration(
                transport: .rest(
                    url: HTTPURL("http://127.0.0.1:\(port.port)"), runePath: fixture.runePath, certificatePath: nil)))
        #expect(
            await fault { () async throws(BackendFault) in _ = try await backend.nodeInfo() }
                == .unreachable("nothing is listening there"))
    }

    @Test(
        "A response that is not from clnrest is malformed",
        arguments: [
            (LoopbackAnswer("<html>"), "status 200, no JSON: invalid character, at byte 0"),
            (LoopbackAnswer(status: 201, "[]"), "no object"),
            (LoopbackAnswer(status: 201, #"{"id":"#), "status 201, no JSON: it ends too early, at byte 6"),
            (LoopbackAnswer(status: 500, "{}"), "status 500, no error"),
            (LoopbackAnswer(status: 404, #"{"message":7}"#), "status 404, no error"),
            (
                LoopbackAnswer(status: 418, "<html>"),
                "status 418, no JSON: invalid character, at byte 0"
            ),
            (LoopbackAnswer(raw: "\0\0\0\0\0\0\0\0\r\n\r\n"), "no HTTP"),
        ])
    func garbage(_ answer: LoopbackAnswer, _ reason: String) async throws {
        #expect(try await faults(.answering(answer)) == [.malformedAnswer(reason)])
    }

    @Test("An object without required members is malformed, and the first one missing is named")
    func empty() async throws {
        let faults = try await faults(.answering(LoopbackAnswer(status: 201, "{}")))
        let names = ["id", "channels", "bolt11", "invoices", "offers", "label"]
        #expect(faults == Set(names.map { .malformedAnswer($0) } + [nil]))
    }

    @Test("A proxy without an upstream makes it unreachable", arguments: [502, 503, 504])
    func proxy(_ status: Int) async throws {
        let answer = LoopbackAnswer(status: status, "<html>Bad Gateway</html>")
        #expect(try await faults(.answering(answer)) == [.unreachable("status \(status)")])
    }

    @Test("clnrest that has lost lightningd is unreachable")
    func lostNode() async throws {
        let answer = LoopbackAnswer(status: 500, #"{"code":null,"message":"No such file or directory"}"#)
        #expect(try await faults(.answering(answer)) == [.unreachable("No such file or directory")])
    }

    @Test("A node's message is truncated to one line")
    func words() async throws {
        let message = "a\nb" + String(repeating: "x", count: 1000)
        let body: JSONValue = ["code": -1, "message": .string(message)]
        for fault in try await faults(.answering(LoopbackAnswer(status: 500, body.serialized()))) {
            guard case .refused(let words)? = fault else { continue }
            #expect(words.count < 220)
            #expect(!words.contains("\n"))
        }
    }

    @Test("A hundred megabytes are not read")
    func flood() async throws {
        var limits = CallLimits()
        limits.maximumAnswerBytes = 1 << 20
        #expect(try await faults(.flooding, limits: limits) == [.malformedAnswer("too long")])
    }

    @Test("One that never answers times out, by the real clock")
    func silent() async throws {
        var limits = CallLimits()
        limits.answerTimeout = .seconds(1)
        let backend = try fixture.restBackend(limits: limits)
        fixture.rest.mode = .silent
        #expect(await fault { () async throws(BackendFault) in _ = try await backend.nodeInfo() } == .timedOut)
        #expect(
            await fault { () async throws(BackendFault) in _ = try await backend.createInvoice(.sample()) } == .timedOut
        )
    }

    @Test("An invoice of a node whose clock is an hour behind has expired for us, and is rejected")
    func clockSkew() async throws {
        let order = InvoiceOrder.sample()
        let now = UnixTime(fixture.lightningd.state.withLock { $0.now })
        for backend in [try fixture.restBackend(), try fixture.backend()] {
            let order = InvoiceOrder.sample("\(backend.configuration.transport)", amount: order.amount)
            let answer = try await backend.createInvoice(order)
            let inspection = InvoiceInspection(network: .regtest, order: order)
            _ = try inspection.inspect(answer, at: now)
            #expect(throws: InspectionFault.expired(behind: 3600)) {
                try inspection.inspect(answer, at: now.adding(seconds: 3600))
            }
        }
    }
}
