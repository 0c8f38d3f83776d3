import LightningCoding
import LightningCrypto
import Logging
import Receiving
import SQLiteLedger
import ServiceLifecycle
import Testing

@testable import AddressService

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite("What a client may cost", .timeLimit(.minutes(1)))
struct ServerTests {
    @Test("A request is answered over a socket, and another on the same connection")
    func keepAlive() async throws {
        try await RunningService.with { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            for _ in 0..<2 {
                connection.send("GET /lnurlp/alice HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try await connection.read(until: "payRequest").hasPrefix("HTTP/1.1 200 OK\r\n"))
            }
            connection.send("GET /robots.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(try await connection.readToEnd().hasSuffix("\r\n\r\nUser-agent: *\nDisallow: /\n"))
        }
    }

    @Test(
        "A header that does not end is given up on, however it trickles",
        arguments: ["", "GET /lnurlp/alice HTTP/1.1\r\nHos"])
    func slowHeader(beginning: String) async throws {
        try await RunningService.with(limits: ServiceLimits(headerTime: 1)) { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            connection.send(beginning)
            #expect(try await connection.readToEnd().isEmpty)
        }
    }

    @Test("A body that does not end is given up on")
    func slowBody() async throws {
        try await RunningService.with(limits: ServiceLimits(requestTime: 1)) { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            connection.send("POST /lnurlpay/alice/invoice HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
            #expect(try await connection.readToEnd().isEmpty)
        }
    }

    /// Ways to send a header that is too large.
    enum LargeHeader: String, CaseIterable, Sendable {
        case longTarget, longField, longSection, manyFields

        var request: String {
            let word = String(repeating: "a", count: 900)
            let fields =
                switch self {
                case .longTarget: ""
                case .longField: "X: \(String(repeating: word, count: 10))\r\n"
                case .longSection: String(repeating: "X: \(word)\r\n", count: 20)
                case .manyFields: String(repeating: "X: a\r\n", count: 200)
                }
            let target = self == .longTarget ? String(repeating: word, count: 10) : "alice"
            return "GET /lnurlp/\(target) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"
        }
    }

    @Test("A header over the limit ends the connection", arguments: LargeHeader.allCases)
    func largeHeader(header: LargeHeader) async throws {
        try await RunningService.with { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            connection.send(header.request)
            #expect(try await connection.readToEnd().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        }
    }

    @Test("A body over the limit is refused without being read")
    func largeBody() async throws {
        try await RunningService.with { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            connection.send("POST /lnurlpay/alice/invoice HTTP/1.1\r\nHost: x\r\nContent-Length: 16385\r\n\r\n")
            connection.send(String(repeating: " ", count: 16_385))
            #expect(try await connection.read(until: "too large").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test("Connections over the limit wait until another ends")
    func connections() async throws {
        try await RunningService.with(limits: ServiceLimits(headerTime: 1, connections: 1)) { _, payers, _, _ in
            let request = "GET /robots.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            let first = try RawConnection(to: payers)
            first.send("GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await first.read(until: "Disallow")
            let second = try RawConnection(to: payers)
            second.send(request)
            #expect(await second.isReadable(within: 200) == false)
            first.send(request)
            _ = try await first.readToEnd()
            #expect(try await second.readToEnd().contains("Disallow"))
        }
    }

    @Test("A request in flight is finished when the service is told to stop, and new ones are not taken")
    func gracefulShutdown() async throws {
        let (reached, atGate) = AsyncStream.makeStream(of: Void.self)
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let inner = try await TestService()
        let backend = GatedBackend(inner: inner.node, atGate: atGate, gate: gate)
        try await RunningService.with(backend: backend) { service, payers, _, group in
            let connection = try RawConnection(to: payers)
            connection.send("GET /lnurlpay/alice/invoice?amount=1000 HTTP/1.1\r\nHost: x\r\n\r\n")
            for await _ in reached { break }
            await group.triggerGracefulShutdown()
            opener.yield()
            let answer = try await connection.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.contains(#""pr":"lnbcrt"#))
            #expect(throws: RawConnection.Refused.self) {
                _ = try RawConnection(to: payers)
            }
            #expect(try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).invoices.count == 1)
        }
    }

    @Test("An address that is taken is named")
    func addressTaken() async throws {
        try await RunningService.with { service, payers, _, _ in
            var settings = service.settings
            settings.listen = payers
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let second = AddressServer(service.parts, settings: settings, logger: logger) { _ in }
            await #expect(throws: ListenFault(address: payers, code: EADDRINUSE)) { try await second.run() }
        }
    }

    @Test("An account that another process adds is served within a moment")
    func otherProcess() async throws {
        try await RunningService.with { service, payers, admin, _ in
            let connection = try RawConnection(to: payers)
            connection.send("GET /lnurlp/alice HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await connection.read(until: "payRequest")
            var changed = AccountSettings(description: "Another", backend: .embedded)
            changed.commentAllowed = 1
            try await service.put("alice", changed)
            var answer = ""
            while !answer.contains("Another") {
                connection.send("GET /lnurlp/alice HTTP/1.1\r\nHost: x\r\n\r\n")
                answer = try await connection.read(until: "payRequest")
            }
            let operating = try RawConnection(to: admin)
            operating.send("GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(try await operating.readToEnd().hasSuffix(#"{"status":"ok"}"#))
        }
    }
}

/// A backend that makes no invoice before a test lets it.
private struct GatedBackend: ReceiveBackend {
    let inner: any ReceiveBackend
    let atGate: AsyncStream<Void>.Continuation
    let gate: AsyncStream<Void>

    var capabilities: BackendCapabilities { inner.capabilities }

    func nodeInfo() async throws(BackendFault) -> NodeInfo { try await inner.nodeInfo() }
    func limits() async throws(BackendFault) -> ReceiveLimits { try await inner.limits() }

    func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        atGate.yield()
        for await _ in gate { break }
        return try await inner.createInvoice(order)
    }

    func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        try await inner.status(of: paymentHash)
    }

    func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) { try await inner.cancel(paymentHash) }

    func settlements(after cursor: SettlementCursor?) -> AsyncThrowingStream<Settlement, any Error> {
        inner.settlements(after: cursor)
    }
}
