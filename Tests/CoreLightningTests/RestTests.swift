import LightningCoding
import LightningCrypto
import Locking
import LoopbackServer
import Receiving
import Testing

@testable import CoreLightning

@Suite("clnrest", .timeLimit(.minutes(1)))
struct RestTests {
    let bench: NodeOnBench

    init() throws {
        bench = try NodeOnBench()
    }

    private func fault(_ backend: CoreLightningBackend) async -> BackendFault? {
        do throws(BackendFault) {
            _ = try await backend.nodeInfo()
            return nil
        } catch {
            return error
        }
    }

    private func backend(at server: LoopbackServer) throws -> CoreLightningBackend {
        let url = try HTTPURL("http://127.0.0.1:\(server.port)/")
        return try CoreLightningBackend(
            CoreLightningConfiguration(door: .rest(url: url, rune: "rune", certificates: nil)))
    }

    @Test("Commands go as they do over the socket, and settlements too")
    func commands() async throws {
        let backend = try bench.restBackend()
        let invoice = try await backend.createInvoice(.sample())
        #expect(try await backend.status(of: invoice.paymentHash) == .open)
        async let settlement = BackendTests.next(of: backend)
        try bench.lightningd.pay(invoice.bolt11, Millisatoshi(21_001))
        #expect(try await settlement?.paymentHash == invoice.paymentHash)
    }

    @Test("A rune of another node is refused, in the node's words")
    func wrongRune() async throws {
        let backend = try bench.restBackend(rune: "another")
        #expect(await fault(backend) == .refused("Not authorized: Not derived from master"))
    }

    @Test(
        "A rune that is no line of text is refused before anything is sent", arguments: ["", "a\nb", "a\r\nX: y", "é"])
    func unusableRune(_ rune: String) {
        #expect(throws: BackendFault.refused("the rune is no line of text")) { try bench.restBackend(rune: rune) }
    }

    @Test("A command that the rune does not allow is named as missing, and none else")
    func missingPermissions() async throws {
        let backend = try bench.restBackend()
        #expect(try await backend.missingPermissions() == [])
        bench.allowed.withLock { $0 = ["getinfo", "listpeerchannels", "listinvoices", "waitanyinvoice"] }
        #expect(try await backend.missingPermissions() == ["invoice", "delinvoice"])
        #expect(
            try await bench.restBackend(.ownOffers).missingPermissions() == [
                "invoice", "delinvoice", "offer", "listoffers", "disableoffer",
            ])
        #expect(bench.lightningd.state.withLock { $0.records.isEmpty && $0.offers.isEmpty && $0.waiters.isEmpty })
    }

    @Test("Over the socket nothing can be missing")
    func socketPermissions() async throws {
        #expect(try await bench.backend().missingPermissions() == [])
    }

    @Test("The node's errors are the same as over the socket")
    func errors() async throws {
        let backend = try bench.restBackend()
        _ = try await backend.createInvoice(.sample())
        await #expect(throws: BackendFault.duplicate) { try await backend.createInvoice(.sample()) }
    }

    @Test(
        "What is no answer of clnrest is malformed",
        arguments: [
            (200, "garbage"), (201, "[]"), (201, #"{"id":"#), (500, "{}"), (502, "<html>"), (201, "{}"),
            (404, #"{"message":7}"#),
        ])
    func garbage(_ status: Int, _ body: String) async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer(status: status, body) }
        let fault = await fault(try backend(at: server))
        guard case .malformedAnswer = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
    }

    @Test("What is no HTTP, a connection that breaks, and nobody there")
    func broken() async throws {
        let noHTTP = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            connection.write("\0\0\0\0\0\0\0\0\r\n\r\n")
        })
        #expect(await fault(try backend(at: noHTTP)) == .malformedAnswer("no HTTP"))
        let breaking = try LoopbackServer(raw: { _ = $0.readRequest() })
        #expect(await fault(try backend(at: breaking)) == .unreachable("the connection broke off"))
        bench.stop()
        let port = try ClosedPort()
        let backend = try CoreLightningBackend(
            CoreLightningConfiguration(
                door: .rest(url: HTTPURL("http://127.0.0.1:\(port.port)"), rune: "rune", certificates: nil)))
        #expect(await fault(backend) == .unreachable("nobody listens there"))
    }

    @Test("clnrest that has lost lightningd is a node that is out of reach")
    func lostNode() async throws {
        let server = try LoopbackServer { _ in
            LoopbackAnswer(status: 500, #"{"code":null,"message":"No such file or directory"}"#)
        }
        #expect(await fault(try backend(at: server)) == .unreachable("No such file or directory"))
    }

    @Test("Of an answer of 100 MB no more is taken than the limit")
    func tooLarge() async throws {
        let server = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 201 Created\r\nContent-Length: 104857600\r\n\r\n{\"a\":\"")
            let block = String(repeating: "x", count: 1 << 20)
            for _ in 0..<100 where connection.write(block) {}
        })
        #expect(await fault(try backend(at: server)) == .malformedAnswer("tooLarge"))
    }

    @Test("A server that hangs is given so long")
    func hanging() async throws {
        let server = try LoopbackServer(raw: { $0.readToEnd() })
        var limits = CommandLimits()
        limits.answerTimeout = .milliseconds(50)
        let url = try HTTPURL("http://127.0.0.1:\(server.port)")
        let backend = try CoreLightningBackend(
            CoreLightningConfiguration(door: .rest(url: url, rune: "rune", certificates: nil), limits: limits))
        #expect(await fault(backend) == .timedOut)
    }
}
