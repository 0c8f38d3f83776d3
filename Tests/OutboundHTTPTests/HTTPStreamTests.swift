import Dispatch
import LightningCoding
import LoopbackServer
import OutboundHTTP
import Testing

@Suite("Streamed responses", .timeLimit(.minutes(5)))
struct HTTPStreamTests {
    private static let head = "HTTP/1.1 200 OK\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n"

    private func request(_ server: LoopbackServer, timeout: Duration = .seconds(20)) throws -> HTTPRequest {
        HTTPRequest(.get, try HTTPURL("http://127.0.0.1:\(server.port)/events"), timeout: timeout)
    }

    private func chunk(_ text: String) -> String {
        String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n"
    }

    @Test("Head and pieces arrive as soon as they are sent, then the end")
    func pieces() async throws {
        let next = DispatchSemaphore(value: 0)
        let server = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            connection.write(Self.head)
            next.wait()
            connection.write(chunk("a\n"))
            next.wait()
            connection.write(chunk("b\n") + chunk("") + "")
        })
        let client = try HTTPClient()
        let events = client.stream(try request(server)).makeAsyncIterator()
        guard case .head(200, let headers) = try await events.next() else { throw Unexpected() }
        #expect(headers.first(named: "x-a") == "1")
        next.signal()
        #expect(try await events.next() == .bytes(Array("a\n".utf8)))
        next.signal()
        #expect(try await events.next() == .bytes(Array("b\n".utf8)))
        #expect(try await events.next() == nil)
    }

    @Test("Any status is passed on, and interim responses are skipped")
    func status() async throws {
        let server = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 103 Early Hints\r\nX-B: 2\r\n\r\nHTTP/1.1 503 -\r\nContent-Length: 2\r\n\r\nno")
        })
        var events: [HTTPStreamEvent] = []
        for try await event in try HTTPClient().stream(try request(server)) { events.append(event) }
        #expect(
            events == [
                .head(status: 503, headers: [try #require(Self.contentLength(events))]), .bytes(Array("no".utf8)),
            ])
    }

    private static func contentLength(_ events: [HTTPStreamEvent]) -> HTTPField? {
        guard case .head(_, let headers) = events.first else { return nil }
        return headers.first { $0.isNamed("content-length") }
    }

    @Test("More than the pipe's capacity arrives complete and in order")
    func large() async throws {
        let line = (0..<1000).map { "\($0)" }.joined(separator: ",") + "\n"
        let server = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(line.utf8.count * 2000)\r\n\r\n")
            for _ in 0..<2000 { connection.write(line) }
        })
        var count = 0
        let expected = Array(line.utf8)
        for try await event in try HTTPClient().stream(try request(server)) {
            guard case .bytes(let bytes) = event else { continue }
            let isRight = bytes.indices.allSatisfy { bytes[$0] == expected[(count + $0) % expected.count] }
            guard isRight else { throw Unexpected() }
            count += bytes.count
        }
        #expect(count == expected.count * 2000)
    }

    @Test("It outlives the request's timeout, which is for connecting only, by the real clock")
    func endless() async throws {
        let next = DispatchSemaphore(value: 0)
        let server = try LoopbackServer(raw: { connection in
            guard connection.readRequest()?.path == "/events" else { return connection.readToEnd() }
            next.wait()
            connection.write(Self.head + chunk("late") + chunk(""))
        })
        let client = try HTTPClient()
        let events = client.stream(try request(server, timeout: .seconds(2))).makeAsyncIterator()
        let hanging = HTTPRequest(
            .get, try HTTPURL("http://127.0.0.1:\(server.port)/hang"), timeout: .seconds(3))
        await #expect(throws: OutboundFault.timeout(requestSent: true)) { try await client.send(hanging) }
        next.signal()
        _ = try await events.next()
        #expect(try await events.next() == .bytes(Array("late".utf8)))
    }

    @Test("A lost connection is a fault, after what arrived before it")
    func broken() async throws {
        let server = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            connection.write(Self.head + chunk("a") + "5\r\nhal")
        })
        let events = try HTTPClient().stream(try request(server)).makeAsyncIterator()
        _ = try await events.next()
        var text = ""
        await #expect(throws: OutboundFault.connectionLost(requestSent: true)) {
            while case .bytes(let bytes)? = try await events.next() { text += String(decoding: bytes, as: UTF8.self) }
        }
        #expect(text == "ahal")
    }

    @Test("An unreachable server is a fault")
    func absent() async throws {
        let port = try ClosedPort()
        let request = HTTPRequest(.get, try HTTPURL("http://127.0.0.1:\(port.port)/"))
        let events = try HTTPClient().stream(request).makeAsyncIterator()
        await #expect(throws: OutboundFault.connect) { try await events.next() }
    }

    @Test("An address that the policy forbids is not contacted")
    func policy() async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer("") }
        var configuration = HTTPClient.Configuration()
        configuration.addressPolicy = .publicOnly
        let events = try HTTPClient(configuration).stream(try request(server)).makeAsyncIterator()
        await #expect(throws: OutboundFault.refusedAddress) { try await events.next() }
        #expect(server.connections == 0)
    }

    @Test("Canceling the reader, or releasing the iterator, closes the connection", arguments: [true, false])
    func given(up isCancelled: Bool) async throws {
        let (closed, isClosed) = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            connection.write(Self.head)
            connection.readToEnd()
            isClosed.finish()
        })
        let client = try HTTPClient()
        let request = try request(server)
        if isCancelled {
            let reader = Task {
                for try await event in client.stream(request) {
                    guard case .head = event else { throw Unexpected() }
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            await #expect(throws: OutboundFault.canceled) { try await reader.value }
        } else {
            _ = try await client.stream(request).makeAsyncIterator().next()
        }
        for await _ in closed {}
    }

    @Test("Closing the client ends it")
    func close() async throws {
        let server = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            connection.write(Self.head)
            connection.readToEnd()
        })
        let client = try HTTPClient()
        let events = client.stream(try request(server)).makeAsyncIterator()
        _ = try await events.next()
        client.close()
        await #expect(throws: OutboundFault.closed) { try await events.next() }
    }

    private struct Unexpected: Error {}
}
