import LightningCoding
import LoopbackServer
import OutboundHTTP
import Platform
import Testing
import Waiting

@Suite("A client over real connections", .timeLimit(.minutes(5)))
struct HTTPClientTests {
    private func url(_ server: LoopbackServer, _ path: String = "/") throws -> HTTPURL {
        try HTTPURL("http://127.0.0.1:\(server.port)\(path)")
    }

    private func fault(_ request: HTTPRequest, _ client: HTTPClient) async -> OutboundFault? {
        do throws(OutboundFault) {
            _ = try await client.send(request)
            return nil
        } catch {
            return error
        }
    }

    @Test("Status, header fields and body arrive as sent, whatever the status")
    func answer() async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer(status: 404, "{\"a\":1}", headers: ["X-Odd:  b \t"]) }
        let response = try await HTTPClient().send(HTTPRequest(.get, url(server)))
        #expect(response.status == 404)
        #expect(response.body == Array("{\"a\":1}".utf8))
        #expect(response.headers.first(named: "x-odd") == "b")
        #expect(response.timing.total > .zero)
    }

    @Test(
        "Method, target, header fields and body are sent as given",
        arguments: [HTTPMethod.post, .put, .delete, .options])
    func request(method: HTTPMethod) async throws {
        let server = try LoopbackServer { request in
            LoopbackAnswer("\(request.method) \(request.target) \(request.header("x-a") ?? "-") \(request.body.count)")
        }
        let request = HTTPRequest(
            method, try url(server, "/a/../b?c=%20d"), headers: [try HTTPField("X-A", "1"), .jsonContent],
            body: Array(repeating: 7, count: 100_000))
        let response = try await HTTPClient().send(request)
        #expect(String(decoding: response.body, as: UTF8.self) == "\(method.rawValue) /a/../b?c=%20d 1 100000")
    }

    @Test("A POST without a body has length zero, and a field without a value is still sent")
    func emptyBody() async throws {
        let server = try LoopbackServer { request in
            LoopbackAnswer("\(request.header("content-length") ?? "-") \(request.header("x-empty") == "")")
        }
        let request = HTTPRequest(.post, try url(server), headers: [try HTTPField("X-Empty", "")])
        let response = try await HTTPClient().send(request)
        #expect(String(decoding: response.body, as: UTF8.self) == "0 true")
    }

    @Test("One request after the other: each is sent as given, and nothing of the one before")
    func oneAfterTheOther() async throws {
        let server = try LoopbackServer { request in
            LoopbackAnswer("\(request.method) \(request.target) \(request.header("x-a") ?? "-") \(request.body.count)")
        }
        let client = try HTTPClient()
        func answer(
            _ method: HTTPMethod, _ path: String, _ headers: [HTTPField] = [], bytes: Int = 0
        ) async throws -> String {
            let body = [UInt8](repeating: 7, count: bytes)
            let request = HTTPRequest(method, try url(server, path), headers: headers, body: body)
            return String(decoding: try await client.send(request).body, as: UTF8.self)
        }
        #expect(try await answer(.post, "/1", [HTTPField("X-A", "1")], bytes: 9) == "POST /1 1 9")
        #expect(try await answer(.get, "/2") == "GET /2 - 0")
        #expect(try await answer(.put, "/3", [HTTPField("X-A", "3")], bytes: 100_000) == "PUT /3 3 100000")
        #expect(try await answer(.delete, "/4") == "DELETE /4 - 0")
        #expect(try await answer(.post, "/5") == "POST /5 - 0")
        #expect(try await client.send(HTTPRequest(.head, url(server), wantsBody: false)).status == 200)
        #expect(try await answer(.options, "/6", bytes: 1) == "OPTIONS /6 - 1")
        #expect(try await answer(.get, "/7") == "GET /7 - 0")
    }

    @Test("A stream's lack of a timeout is not the next request's, by the real clock")
    func timeoutAfterStream() async throws {
        let server = try LoopbackServer(raw: { connection in
            guard let request = connection.readRequest() else { return }
            if request.path == "/stream" { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na") }
            connection.readToEnd()
        })
        let client = try HTTPClient()
        for try await _ in client.stream(HTTPRequest(.get, try url(server, "/stream"))) {}
        let request = HTTPRequest(.get, try url(server, "/"), timeout: .seconds(1))
        #expect(await fault(request, client) == .timeout(requestSent: true))
    }

    @Test("A started request ends once, with its response or as canceled, before its task goes on")
    func started() async throws {
        let server = try LoopbackServer(raw: { connection in
            guard let request = connection.readRequest() else { return }
            if request.path == "/a" { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
            connection.readToEnd()
        })
        let client = try HTTPClient()
        let ends = Guarded<[String]>([])
        func outcome(_ path: String, isCancelled: Bool) async throws -> Result<HTTPResponse, OutboundFault> {
            let request = HTTPRequest(.get, try url(server, path))
            return await withCheckedContinuation { continuation in
                do throws(OutboundFault) {
                    let sending = try client.start(request, resuming: continuation) { outcome in
                        ends.withLock { $0.append("\(path) \((try? outcome.get().status) ?? 0)") }
                    }
                    if isCancelled { sending.cancel() }
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        #expect(try await outcome("/a", isCancelled: false).get().status == 200)
        #expect(ends.withLock { $0 } == ["/a 200"])
        #expect(try await outcome("/b", isCancelled: true) == .failure(.canceled))
        #expect(ends.withLock { $0 } == ["/a 200", "/b 0"])
        client.close()
        #expect(try await outcome("/a", isCancelled: false) == .failure(.closed))
        #expect(ends.withLock { $0 } == ["/a 200", "/b 0"])
    }

    @Test("The Host field names the server that is asked, or another one if the request says so")
    func host() async throws {
        let server = try LoopbackServer { request in
            LoopbackAnswer(request.headers.filter { $0.lowercased().hasPrefix("host:") }.joined(separator: "|"))
        }
        let client = try HTTPClient()
        func host(_ name: HTTPURL?) async throws -> String {
            let request = HTTPRequest(.get, try url(server), namedFor: name)
            return String(decoding: try await client.send(request).body, as: UTF8.self)
        }
        #expect(try await host(nil) == "Host: 127.0.0.1:\(server.port)")
        #expect(try await host(HTTPURL("https://pay.example:8443/a")) == "Host: pay.example:8443")
        #expect(try await host(nil) == "Host: 127.0.0.1:\(server.port)")
    }

    @Test("HEAD is answered without a body")
    func head() async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer(raw: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n") }
        let response = try await HTTPClient().send(HTTPRequest(.head, url(server)))
        #expect(response.status == 200)
        #expect(response.body.isEmpty)
    }

    @Test("A hundred concurrent requests share few connections")
    func reuse() async throws {
        let server = try LoopbackServer { request in LoopbackAnswer(request.target) }
        var configuration = HTTPClient.Configuration()
        configuration.maximumConcurrency = 8
        let client = try HTTPClient(configuration)
        let bodies = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<100 {
                let url = try url(server, "/\(number)")
                group.addTask { String(decoding: try await client.send(HTTPRequest(.get, url)).body, as: UTF8.self) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(bodies == Set((0..<100).map { "/\($0)" }))
        #expect(server.connections <= 8)
    }

    @Test("A silent server causes a timeout after the request was sent, by the real clock")
    func silence() async throws {
        let server = try LoopbackServer(raw: { $0.readToEnd() })
        let request = HTTPRequest(.get, try url(server), timeout: .seconds(2))
        #expect(await fault(request, try HTTPClient()) == .timeout(requestSent: true))
    }

    @Test(
        "The timeout includes queueing: a request queued behind a silent server times out, by the real clock")
    func queuedTimeout() async throws {
        let server = try LoopbackServer(raw: { $0.readToEnd() })
        var configuration = HTTPClient.Configuration()
        configuration.maximumConcurrency = 1
        let client = try HTTPClient(configuration)
        let url = try url(server)
        async let first = fault(HTTPRequest(.get, url, timeout: .seconds(60)), client)
        try await eventually { server.connections > 0 }
        let start = MonotonicTime.now
        #expect(
            await fault(HTTPRequest(.get, url, timeout: .milliseconds(100)), client) == .timeout(requestSent: false))
        #expect(MonotonicTime.now - start < .seconds(30))
        client.close()
        #expect(await first == .closed)
    }

    @Test("A closed port refuses the connection")
    func refused() async throws {
        let closed = try ClosedPort()
        let url = try HTTPURL("http://127.0.0.1:\(closed.port)/")
        #expect(await fault(HTTPRequest(.get, url), try HTTPClient()) == .connect)
    }

    @Test("A reset after the request is a lost connection, not a refusal")
    func reset() async throws {
        let server = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            connection.resetOnClose()
        })
        #expect(await fault(HTTPRequest(.get, try url(server)), try HTTPClient()) == .connectionLost(requestSent: true))
    }

    @Test("A truncated body is a lost connection")
    func truncated() async throws {
        let server = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
        })
        #expect(await fault(HTTPRequest(.get, try url(server)), try HTTPClient()) == .connectionLost(requestSent: true))
    }

    @Test("What is not HTTP is named as such", arguments: ["SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/9.1 200 OK\r\n\r\n"])
    func garbage(text: String) async throws {
        let server = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            connection.write(text)
        })
        #expect(await fault(HTTPRequest(.get, try url(server)), try HTTPClient()) == .malformedResponse)
    }

    @Test("A body of exactly the limit is read; one byte more is refused, announced or not", arguments: [true, false])
    func bodyLimit(announced: Bool) async throws {
        let server = try LoopbackServer(raw: { connection in
            guard let request = connection.readRequest(), let count = Int(request.path.dropFirst()) else { return }
            let length = announced ? "Content-Length: \(count)\r\n" : ""
            connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\(length)\r\n")
            connection.write([UInt8](repeating: 65, count: count))
        })
        var configuration = HTTPClient.Configuration()
        configuration.maximumBodyBytes = 50_000
        let client = try HTTPClient(configuration)
        let response = try await client.send(HTTPRequest(.get, try url(server, "/50000")))
        #expect(response.body.count == 50_000)
        #expect(await fault(HTTPRequest(.get, try url(server, "/50001")), client) == .bodyTooLarge)
    }

    @Test("An unwanted body is not kept, and the connection is reused if it was short")
    func unwantedBody() async throws {
        let server = try LoopbackServer { request in
            LoopbackAnswer(status: 299, String(repeating: "a", count: Int(request.path.dropFirst()) ?? 0))
        }
        let client = try HTTPClient()
        for (count, connections) in [(4096, 1), (4096, 1), (4097, 1), (10_000_000, 2), (0, 3), (0, 3)] {
            let response = try await client.send(HTTPRequest(.get, url(server, "/\(count)"), wantsBody: false))
            #expect(response.status == 299)
            #expect(response.body.isEmpty)
            #expect(response.headers.first(named: "Content-Length") == "\(count)")
            #expect(server.connections == connections)
        }
    }

    @Test("A response truncated in its header fails, wanted or not", arguments: [true, false])
    func cutHeader(wantsBody: Bool) async throws {
        let server = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX-A: b\r\n")
        })
        let request = HTTPRequest(.get, try url(server), wantsBody: wantsBody)
        #expect(await fault(request, try HTTPClient()) == .connectionLost(requestSent: true))
    }

    @Test("A header section over the limit is refused")
    func headerLimit() async throws {
        let server = try LoopbackServer { _ in
            LoopbackAnswer("", headers: (0..<100).map { "X-\($0): \(String(repeating: "a", count: 1000))" })
        }
        #expect(await fault(HTTPRequest(.get, try url(server)), try HTTPClient()) == .headersTooLarge)
    }

    @Test("Fields of an interim response do not mix with those of the final one")
    func interim() async throws {
        let server = try LoopbackServer { _ in
            LoopbackAnswer(
                raw: "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let response = try await HTTPClient().send(HTTPRequest(.get, url(server)))
        #expect(response.status == 200)
        #expect(response.headers.first(named: "X-Early") == nil)
    }

    @Test("A redirect is a response and is not followed")
    func redirect() async throws {
        let target = try LoopbackServer { _ in LoopbackAnswer("") }
        let location = "Location: http://127.0.0.1:\(target.port)/"
        let server = try LoopbackServer { _ in LoopbackAnswer(status: 302, "", headers: [location]) }
        let response = try await HTTPClient().send(HTTPRequest(.get, url(server)))
        #expect(response.status == 302)
        #expect(target.connections == 0)
    }

    @Test("Canceling the task ends the transfer and closes its connection")
    func cancellation() async throws {
        let (closed, continuation) = AsyncStream.makeStream(of: Void.self)
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            arrival.yield()
            connection.readToEnd()
            continuation.yield()
        })
        let client = try HTTPClient()
        let request = HTTPRequest(.get, try url(server))
        let task = Task { await fault(request, client) }
        for await _ in arrived.prefix(1) { task.cancel() }
        #expect(await task.value == .canceled)
        for await _ in closed.prefix(1) {}
    }

    @Test("A task canceled beforehand sends nothing")
    func canceledBefore() async throws {
        let server = try LoopbackServer(raw: { $0.readToEnd() })
        let client = try HTTPClient()
        let request = HTTPRequest(.get, try url(server))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await fault(request, client)
        }
        #expect(await task.value == .canceled)
    }

    @Test("A closed client refuses requests")
    func closed() async throws {
        let client = try HTTPClient()
        client.close()
        #expect(await fault(HTTPRequest(.get, try HTTPURL("http://127.0.0.1:1/")), client) == .closed)
    }

    @Test("A server without TLS, or that disconnects, is a handshake fault and not one of the certificate")
    func handshake() async throws {
        let server = try LoopbackServer(raw: { connection in
            _ = connection.read()
            connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
        })
        let url = try HTTPURL("https://127.0.0.1:\(server.port)/")
        #expect(await fault(HTTPRequest(.get, url), try HTTPClient()) == .handshake)
    }

    @Test("An exchange is passed on with its request, response and timing, and its credentials are marked")
    func trace() async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer("12345", headers: ["Set-Cookie: hidden"]) }
        let (exchanges, continuation) = AsyncStream.makeStream(of: HTTPExchange.self)
        var configuration = HTTPClient.Configuration()
        configuration.trace = { continuation.yield($0) }
        let headers = [try HTTPField("Authorization", "Bearer hidden"), try HTTPField("X-A", "hidden", isSecret: true)]
        _ = try await HTTPClient(configuration).send(HTTPRequest(.get, url(server, "/x?y=1"), headers: headers))
        var received = exchanges.makeAsyncIterator()
        let exchange = try #require(await received.next())
        let response = try exchange.outcome.get()
        #expect(try exchange.request.url == url(server, "/x?y=1"))
        #expect(response.body == Array("12345".utf8))
        #expect(response.timing.description.contains("total "))
        let fields = exchange.request.headers + response.headers
        #expect(fields.filter(\.isSecret).map(\.name) == ["Authorization", "X-A", "Set-Cookie"])
    }
}
