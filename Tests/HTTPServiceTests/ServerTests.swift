import LedgerRecords
import EmbeddedNode
import Hummingbird
import Logging
import NIOPosix
import ResponderModel
import SQLiteLedger
import ServiceLifecycle
import Testing
import Waiting

@testable import HTTPService

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite("Limits per client", .timeLimit(.minutes(5)))
struct ServerTests {
    @Test("Requests are answered over a socket, several on one connection")
    func keepAlive() async throws {
        try await RunningService.with { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            for _ in 0..<2 {
                connection.send("GET /lnurlp/alice HTTP/1.1\r\nHost: example.com\r\n\r\n")
                #expect(try await connection.read(until: "payRequest").hasPrefix("HTTP/1.1 200 OK\r\n"))
            }
            connection.send("GET /robots.txt HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n")
            #expect(try await connection.readToEnd().hasSuffix("\r\n\r\nUser-agent: *\nDisallow: /\n"))
        }
    }

    @Test("The host of an absolute target counts, not the Host field (RFC 9112, 3.2.2)")
    func absoluteTarget() async throws {
        try await RunningService.with { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            connection.send("GET http://example.com/lnurlp/alice HTTP/1.1\r\nHost: other.example\r\n\r\n")
            #expect(try await connection.read(until: "}").contains("payRequest"))
            connection.send("GET http://other.example/lnurlp/alice HTTP/1.1\r\nHost: example.com\r\n\r\n")
            #expect(try await connection.read(until: "}").contains("There is no payment address at this host"))
        }
    }

    @Test("A request is answered on the thread that has read it")
    func threads() async throws {
        try await RunningService.with(features: [ThreadFeature()]) { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            connection.send("GET /thread HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n")
            #expect(try await connection.readToEnd().hasSuffix("\r\n\r\nthe same thread"))
        }
    }

    @Test(
        "A header that never ends times out, even if it trickles in, by the real clock",
        arguments: [("", "\r\n"), ("GET /lnurlp/alice HTTP/1.1\r\nHos", "t")])
    func slowHeader(beginning: String, more: String) async throws {
        try await RunningService.with(limits: ServiceLimits(headerTime: 1)) { _, payers, _, _ in
            let silent = try RawConnection(to: payers)
            silent.send(beginning)
            #expect(try await silent.readToEnd().isEmpty)
            let trickling = try RawConnection(to: payers)
            trickling.send(beginning)
            #expect(await trickling.trickle(more))
            #expect(try await trickling.readToEnd().isEmpty)
        }
    }

    @Test("A body that never ends times out, even if it trickles in, by the real clock")
    func slowBody() async throws {
        try await RunningService.with(limits: ServiceLimits(requestTime: 1)) { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            connection.send(
                "POST /lnurlpay/alice/invoice HTTP/1.1\r\nHost: example.com\r\nContent-Length: 100\r\n\r\n{")
            #expect(await connection.trickle(" "))
            #expect(try await connection.readToEnd().isEmpty)
        }
    }

    @Test(
        "An unread body ends the connection with the response",
        arguments: [
            ("POST /lnurlpay/alice/invoice", "The body is too large"),
            ("POST /lnurlp/alice", "This path answers GET, HEAD only"), ("GET /robots.txt", "Disallow: /"),
        ])
    func unreadBody(line: String, answered: String) async throws {
        try await RunningService.with { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            connection.send("\(line) HTTP/1.1\r\nHost: example.com\r\nContent-Length: 99999999999\r\n\r\n{")
            let answer = try await connection.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.contains("\r\nConnection: close\r\n"))
            #expect(answer.contains(answered))
            #expect(await connection.trickle(" "))
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
            return "GET /lnurlp/\(target) HTTP/1.1\r\nHost: example.com\r\n\(fields)\r\n"
        }
    }

    @Test("A header over the limit ends the connection", arguments: LargeHeader.allCases)
    func largeHeader(header: LargeHeader) async throws {
        try await RunningService.with { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            connection.send(header.request)
            #expect(try await connection.readToEnd().isUnreadableAnswer)
        }
    }

    @Test(
        "A body over the limit is refused without being read", arguments: ["", String(repeating: " ", count: 16_385)])
    func largeBody(body: String) async throws {
        try await RunningService.with { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            connection.send(
                "POST /lnurlpay/alice/invoice HTTP/1.1\r\nHost: example.com\r\nContent-Length: 16385\r\n\r\n")
            if !body.isEmpty { connection.send(body) }
            let answer = try await connection.read(until: "too large")
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            if body.isEmpty { #expect(answer.contains("\r\nConnection: close\r\n")) }
        }
    }

    @Test("A chunked body is refused as soon as it exceeds the limit")
    func largeChunks() async throws {
        try await RunningService.with { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            connection.send(
                "POST /lnurlpay/alice/invoice HTTP/1.1\r\nHost: example.com\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.send("4001\r\n" + String(repeating: " ", count: 0x4001) + "\r\n")
            let answer = try await connection.readToEnd()
            #expect(answer.contains("\r\nConnection: close\r\n"))
            #expect(answer.contains("The body is too large"))
        }
    }

    @Test(
        "Bytes that are not a request get an ERROR that a web page may read, and are counted",
        arguments: [
            "GET /lnurlp/älice HTTP/1.1\r\nHost: example.com\r\n\r\n",
            "FETCH /lnurlp/alice HTTP/1.1\r\nHost: example.com\r\n\r\n",
            "GET /lnurlp/alice HTTP/1.1\r\nHost x\r\n\r\n", "\u{16}\u{3}\u{1}",
            "POST /lnurlpay/alice/invoice HTTP/1.1\r\nHost: example.com\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        ])
    func unreadable(bytes: String) async throws {
        try await RunningService.with { _, payers, admin, _ in
            let connection = try RawConnection(to: payers)
            connection.send(bytes)
            #expect(try await connection.readToEnd().isUnreadableAnswer)
            let operating = try RawConnection(to: admin)
            operating.send("GET /metrics HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n")
            #expect(
                try await operating.readToEnd().contains(
                    "\nresponder_unreadable_requests_total{listener=\"payers\"} 1\n"))
        }
    }

    @Test("Two Host fields get 400, whatever is asked, after the responses to the requests before")
    func severalHosts() async throws {
        try await RunningService.with { _, payers, admin, _ in
            for (address, path) in [(payers, "/robots.txt"), (payers, "/lnurlp/alice"), (admin, "/health/live")] {
                for fields in ["Host: example.com\r\nhost: example.com", "Host: example.com\r\nHost: example.org"] {
                    let connection = try RawConnection(to: address)
                    connection.send(
                        "GET \(path) HTTP/1.1\r\nHost: example.com\r\n\r\n"
                            + "POST \(path) HTTP/1.1\r\n\(fields)\r\nContent-Length: 2\r\n\r\n{}")
                    let answer = try await connection.readToEnd()
                    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(path)")
                    #expect(answer.ranges(of: "HTTP/1.1 400 Bad Request\r\n").count == 1, "\(path)")
                    #expect(answer.ranges(of: "HTTP/1.1 ").count == 2, "\(path)")
                    #expect(
                        answer.hasSuffix("the request is malformed or too large\"}")
                            || answer.hasSuffix(
                                "The request is malformed or too large\"}"),
                        "\(path)")
                }
            }
        }
    }

    @Test("Requests before invalid bytes are answered first")
    func unreadableSecond() async throws {
        try await RunningService.with { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            connection.send("GET /robots.txt HTTP/1.1\r\nHost: example.com\r\n\r\nthis is no request\r\n\r\n")
            let answer = try await connection.readToEnd()
            let second = try #require(answer.firstRange(of: "Disallow: /\n"))
            #expect(String(answer[second.upperBound...]).isUnreadableAnswer)
        }
    }

    @Test("On the admin listener, bytes that are not a request get status 400")
    func unreadableAdmin() async throws {
        try await RunningService.with { _, _, admin, _ in
            let connection = try RawConnection(to: admin)
            connection.send("GET / /metrics HTTP/1.1\r\n\r\n")
            let answer = try await connection.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(answer.hasSuffix(#"{"error":"the request is malformed or too large"}"#))
        }
    }

    @Test("HTTP/1.0 is answered once, or repeatedly if it asks for keep-alive")
    func oldVersion() async throws {
        // Only the response itself closes the connection in time.
        try await RunningService.with(limits: ServiceLimits(headerTime: 60)) { _, payers, _, _ in
            let connection = try RawConnection(to: payers)
            connection.send("GET /robots.txt HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try await connection.read(until: "Disallow").contains("\r\nConnection: keep-alive\r\n"))
            connection.send("GET /robots.txt HTTP/1.0\r\n\r\n")
            #expect(try await connection.readToEnd().contains("\r\nConnection: close\r\n"))
        }
    }

    @Test("Connections above the limit wait until another ends")
    func connections() async throws {
        try await RunningService.with(limits: ServiceLimits(headerTime: 60, connections: 1)) { _, payers, _, _ in
            let request = "GET /robots.txt HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n"
            let first = try RawConnection(to: payers)
            first.send("GET /robots.txt HTTP/1.1\r\nHost: example.com\r\n\r\n")
            _ = try await first.read(until: "Disallow")
            let second = try RawConnection(to: payers)
            second.send(request)
            #expect(await second.isReadable(within: 200) == false)
            first.send(request)
            _ = try await first.readToEnd()
            #expect(try await second.readToEnd().contains("Disallow"))
        }
    }

    @Test("On shutdown, requests in flight are finished, and new ones are refused")
    func gracefulShutdown() async throws {
        let (reached, atGate) = AsyncStream.makeStream(of: Void.self)
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let inner = try await TestService()
        let backend = StubBackend(inner.node) { [node = inner.node] order throws(BackendFault) in
            atGate.yield()
            for await _ in gate { break }
            return try await node.createInvoice(order)
        }
        try await RunningService.with(backend: backend) { service, payers, _, group in
            let connection = try RawConnection(to: payers)
            connection.send("GET /lnurlpay/alice/invoice?amount=1000 HTTP/1.1\r\nHost: example.com\r\n\r\n")
            for await _ in reached { break }
            await group.triggerGracefulShutdown()
            try await eventually {
                do {
                    _ = try RawConnection(to: payers)
                    return false
                } catch is RawConnection.Refused {
                    return true
                }
            }
            opener.yield()
            let answer = try await connection.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.contains(#""pr":"lnbcrt"#))
            #expect(try await service.ledger.invoices(InvoiceQuery(now: service.clock.now)).elements.count == 1)
        }
    }

    @Test("An address in use is named")
    func addressTaken() async throws {
        try await RunningService.with { service, payers, _, _ in
            var settings = service.settings
            settings.listen = payers
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let second = AddressServer(service.parts, settings: settings, logger: logger) { _ in }
            await #expect(throws: ListenFault(address: payers, code: EADDRINUSE)) { try await second.run() }
        }
    }

    @Test("An account added by another process is served shortly afterwards")
    func otherProcess() async throws {
        try await RunningService.with { service, payers, admin, _ in
            let connection = try RawConnection(to: payers)
            connection.send("GET /lnurlp/alice HTTP/1.1\r\nHost: example.com\r\n\r\n")
            _ = try await connection.read(until: "payRequest")
            var changed = AccountSettings(description: "Another", backend: .embedded)
            changed.commentAllowed = 1
            try await service.put("alice", changed)
            var answer = ""
            while !answer.contains("Another") {
                try Task.checkCancellation()
                connection.send("GET /lnurlp/alice HTTP/1.1\r\nHost: example.com\r\n\r\n")
                answer = try await connection.read(until: "payRequest")
            }
            let operating = try RawConnection(to: admin)
            operating.send("GET /health/live HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n")
            #expect(try await operating.readToEnd().hasSuffix(#"{"status":"ok"}"#))
        }
    }
}

extension String {
    /// Whether it is exactly one response to bytes that are not a request.
    fileprivate var isUnreadableAnswer: Bool {
        hasPrefix("HTTP/1.1 200 OK\r\n")
            && hasSuffix("\r\n\r\n" + #"{"status":"ERROR","reason":"The request is malformed or too large"}"#)
            && contains("\r\nAccess-Control-Allow-Origin: *\r\n") && contains("\r\nConnection: close\r\n")
            && ranges(of: "HTTP/1.1 ").count == 1
    }
}

/// Tells whether it answers on the thread of an event loop.
private struct ThreadFeature: ServiceFeature {
    func addRoutes(to router: PublicRouter) {
        router.router.get("/thread") { _, _ in
            await Task.yield()
            return MultiThreadedEventLoopGroup.currentEventLoop == nil ? "another thread" : "the same thread"
        }
    }
}
