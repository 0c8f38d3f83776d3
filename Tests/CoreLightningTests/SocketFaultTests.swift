import Glibc
import LightningCoding
import LoopbackServer
import Platform
import ResponderModel
import TemporaryFolders
import Testing
@testable import CoreLightning

@Suite("Faults of the socket", .timeLimit(.minutes(5)))
struct SocketFaultTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/lightning-rpc" }

    private func backend(limits: CallLimits = NodeFixture.limits) throws -> CoreLightningBackend {
        try CoreLightningBackend(CoreLightningConfiguration(transport: .socket(path: path), limits: limits))
    }

    private func fault(_ backend: CoreLightningBackend) async -> BackendFault? {
        do throws(BackendFault) {
            _ = try await backend.nodeInfo()
            return nil
        } catch {
            return error
        }
    }

    @Test("A socket that does not exist yet fails, and works once it does")
    func missing() async throws {
        let backend = try backend()
        #expect(await fault(backend) == .unreachable("no such socket"))
        let server = try LoopbackServer(path: path) { connection in
            while !connection.read().isEmpty {
                connection.write(#"{"id":"responder:2","error":{"code":7,"message":"m"}}"#)
            }
        }
        #expect(await fault(backend) == .refused("7: m"))
        withExtendedLifetime(server) {}
    }

    @Test("A socket without a listener")
    func abandoned() async throws {
        let server = try LoopbackServer(path: path) { _ in }
        withExtendedLifetime(server) {}
        _ = consume server
        let backend = try backend()
        // Until the listener is closed it accepts and drops connections.
        await Task.detached { [path = path] in while connects(to: path) { sched_yield() } }.value
        #expect(await fault(backend) == .unreachable("nothing is listening on the socket"))
    }

    @Test("An impossible socket path")
    func longPath() async throws {
        let transport = CoreLightningConfiguration.Transport.socket(path: "/" + String(repeating: "x", count: 200))
        let backend = try CoreLightningBackend(CoreLightningConfiguration(transport: transport))
        #expect(await fault(backend) == .unreachable("the socket's path is too long"))
    }

    @Test("A socket that we may not access is not retried", arguments: [EACCES, EPERM])
    func permissions(_ code: Int32) {
        let fault = BackendFault(CommandFault(connecting: code))
        #expect(fault == .refused("permission denied for the socket"))
        #expect(!fault.isTransient)
    }

    @Test(
        "Anything but a response to a pending command is malformed",
        arguments: [
            "garbage", "HTTP/1.1 400 Bad Request\r\n\r\n", "[]", "{]}", "{}", #"{"id":"responder:1"}"#,
            #"{"id":1,"result":{}}"#, #"{"id":"responder:2","result":{}}"#, #"{"id":"responder:1","result":{"id":7}}"#,
            #"{"id":"responder:1","result":{},"result":{}}"#, #"{"id":"responder:1","error":"no"}"#,
            #"{"id":"responder:1","error":{"code":"7","message":"m"}}"#,
            #"{"id":null,"error":{"code":-32600,"message":"No id"}}"#,
            "{\"a\":" + String(repeating: "[", count: 100),
        ])
    func garbage(_ text: String) async throws {
        let server = try LoopbackServer(path: path) { connection in
            _ = connection.read()
            connection.write(text)
            connection.readToEnd()
        }
        let fault = await fault(try backend())
        guard case .malformedAnswer = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        withExtendedLifetime(server) {}
    }

    @Test("Half a response, then the end")
    func half() async throws {
        let server = try LoopbackServer(path: path) { connection in
            _ = connection.read()
            connection.write(#"{"id":"responder:1","result":{"id":"02"#)
        }
        #expect(await fault(try backend()) == .malformedAnswer("an incomplete answer"))
        withExtendedLifetime(server) {}
    }

    @Test("No response, then the end")
    func lost() async throws {
        let server = try LoopbackServer(path: path) { _ = $0.read() }
        #expect(await fault(try backend()) == .unreachable("the connection was lost"))
        withExtendedLifetime(server) {}
    }

    @Test("No more than the limit is read of a response of 100 MB")
    func hundredMegabytes() async throws {
        let written = Guarded(0)
        let server = try LoopbackServer(path: path) { connection in
            _ = connection.read()
            let block = String(repeating: "x", count: 1 << 20)
            connection.write(#"{"id":"responder:1","result":""#)
            while written.withLock({ $0 }) < 100, connection.write(block) { written.withLock { $0 += 1 } }
        }
        #expect(await fault(try backend()) == .malformedAnswer("no JSON: it is too long"))
        #expect(written.withLock { $0 } < 20)
        withExtendedLifetime(server) {}
    }

    @Test("A node that hangs gets its timeout, and then a new connection, by the real clock")
    func hanging() async throws {
        let server = try LoopbackServer(path: path) { $0.readToEnd() }
        var limits = CallLimits()
        limits.answerTimeout = .milliseconds(500)
        let backend = try backend(limits: limits)
        #expect(await fault(backend) == .timedOut)
        #expect(await fault(backend) == .timedOut)
        try await until { server.connections == 2 }
    }

    @Test("Responses out of order reach their waiters")
    func reordered() async throws {
        let fixture = try NodeFixture()
        let backend = try fixture.backend()
        fixture.hold(["invoice"])
        let orders = (1...20).map { InvoiceOrder.sample("\($0)", amount: Millisatoshi(UInt64($0) * 1000)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for order in orders {
                group.addTask {
                    let invoice = try await backend.createInvoice(order)
                    _ = try InvoiceInspection(network: .regtest, order: order).inspect(invoice, at: UnixTime(0))
                }
            }
            try await until { fixture.heldCount == orders.count }
            fixture.release { $0.reversed() }
            try await group.waitForAll()
        }
    }

    @Test("A broken connection fails only its pending commands")
    func dropped() async throws {
        let fixture = try NodeFixture()
        let backend = try fixture.backend()
        let invoice = try await backend.createInvoice(.sample())
        fixture.hold(["listinvoices"])
        let status = Task { try await backend.status(of: invoice.paymentHash) }
        try await until { fixture.heldCount == 1 }
        fixture.dropConnections()
        await #expect(throws: BackendFault.unreachable("the connection was lost")) { try await status.value }
        fixture.release()
        #expect(try await backend.status(of: invoice.paymentHash) == .open)
    }

    @Test(
        "Of a thousand concurrent commands the maximum waits, the rest are rejected at once, and none is left"
    )
    func overload() async throws {
        let fixture = try NodeFixture()
        let backend = try fixture.backend()
        fixture.hold(["invoice"])
        let refused = Guarded(0)
        let made = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    do throws(BackendFault) {
                        _ = try await backend.createInvoice(.sample("\(number)"))
                        return true
                    } catch {
                        #expect(error == .overloaded)
                        refused.withLock { $0 += 1 }
                        return false
                    }
                }
            }
            // A node that makes 50 per second gets no more than it can make before the timeout.
            try? await until { refused.withLock { $0 } >= 1000 - 128 && fixture.heldCount >= 128 }
            fixture.release()
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made == 128)
        _ = try await backend.createInvoice(.sample("afterwards"))
    }

    @Test("A canceled caller returns at once; the node's work counts until it is done")
    func canceled() async throws {
        let fixture = try NodeFixture()
        var limits = CallLimits()
        limits.maximumConcurrency = 1
        let backend = try fixture.backend(limits: limits)
        fixture.hold(["invoice"])
        let order = Task { try await backend.createInvoice(.sample("first")) }
        try await until { fixture.heldCount == 1 }
        order.cancel()
        await #expect(throws: BackendFault.unreachable("canceled")) { try await order.value }
        await #expect(throws: BackendFault.overloaded) {
            try await backend.createInvoice(.sample("second"))
        }
        fixture.release()
        try await until { fixture.lightningd.state.withLock { !$0.records.isEmpty } }
        while (try? await backend.createInvoice(.sample("third"))) == nil {
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

private func connects(to path: String) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
    }
}
