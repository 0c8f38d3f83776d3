import LightningCoding
import LoopbackServer
import OutboundHTTP
import Platform
@testable import ResponderCore
import Testing
import Waiting

@Suite("Posting replies over real connections", .timeLimit(.minutes(5)))
struct ReplySenderTests {
    /// Four attempts without pauses.
    private static let quick = DeliverySchedule(
        moments: [.zero, .zero, .zero, .zero], hardStop: .seconds(60), attemptTime: .seconds(30))

    private func sender(
        _ schedule: DeliverySchedule = quick, change: (inout ReplySender.Settings) -> Void = { _ in }
    ) throws -> ReplySender {
        var settings = ReplySender.Settings(policy: ReplyPolicy(allowsLoopback: true))
        settings.schedule = { schedule }
        change(&settings)
        return try ReplySender(settings)
    }

    private func deliver(
        to url: String, by sender: ReplySender, within time: Duration = .seconds(120)
    ) async -> DeliveryReport {
        await sender.deliver(Reply([:]), to: url, within: time)
    }

    private func url(_ server: LoopbackServer) -> String { "http://127.0.0.1:\(server.port)/response/7" }

    /// A server whose n-th connection is served by the n-th closure; the last one serves all further ones.
    private func server(_ turns: (@Sendable (LoopbackConnection) -> Void)...) throws -> LoopbackServer {
        let count = Guarded(0)
        return try LoopbackServer(raw: { connection in
            let turn = count.withLock { count in
                count += 1
                return count
            }
            turns[min(turn, turns.count) - 1](connection)
        })
    }

    private static func answering(_ status: Int) -> @Sendable (LoopbackConnection) -> Void {
        { connection in
            _ = connection.readRequest()
            connection.write(LoopbackAnswer(status: status, "", headers: ["Connection: close"]).bytes)
        }
    }

    private static let silent: @Sendable (LoopbackConnection) -> Void = { $0.readToEnd() }

    @Test("The body is posted unchanged, as JSON, with a lifetime only when there is one", arguments: [nil, 0, 60])
    func request(maxAge: UInt64?) async throws {
        let (requests, continuation) = AsyncStream.makeStream(of: LoopbackRequest.self)
        let server = try LoopbackServer { request in
            continuation.yield(request)
            return LoopbackAnswer("")
        }
        let report = try await sender().deliver(
            Reply(["pr": "lnbc1"], maxAge: maxAge), to: url(server), within: .seconds(60))
        #expect(report.outcome == .taken)
        #expect(report.attempts == 1)
        for await request in requests.prefix(1) {
            #expect(request.method == "POST")
            #expect(request.target == "/response/7")
            #expect(request.header("content-type") == "application/json")
            #expect(request.header("cache-control") == (maxAge == 60 ? "max-age=60" : nil))
            #expect(request.body == Array(#"{"pr":"lnbc1"}"#.utf8))
        }
    }

    @Test("A host that refuses connections is tried four times")
    func refusingHost() async throws {
        let closed = try ClosedPort()
        let report = try await deliver(to: "http://127.0.0.1:\(closed.port)/", by: sender())
        #expect(report.outcome == .unreachable(.connect))
        #expect(report.attempts == 4)
    }

    @Test("A host that resets after the request may have accepted it, and is not tried again")
    func reset() async throws {
        let server = try server { connection in
            _ = connection.readRequest()
            connection.resetOnClose()
        }
        let report = try await deliver(to: url(server), by: sender())
        #expect(report.outcome == .uncertain)
        #expect(report.attempts == 1)
    }

    @Test("A host that never answers is tried again, and may have accepted it, by the real clock")
    func silence() async throws {
        let schedule = DeliverySchedule(
            moments: [.zero, .zero], hardStop: .seconds(60), attemptTime: .seconds(1))
        let server = try server(Self.silent)
        let report = try await deliver(to: url(server), by: sender(schedule))
        #expect(report.outcome == .uncertain)
        #expect(report.attempts == 2)
        // By libcurl's clock, which is not quite ours: two of its seconds have been 1,999 ms.
        #expect(report.milliseconds >= 1_990)
        #expect(server.connections == 2)
    }

    @Test(
        "503 is retried, 404 and 500 are final, and 500 after an unread response is uncertain, by the real clock"
    )
    func statuses() async throws {
        let schedule = DeliverySchedule(
            moments: [.zero, .zero, .zero], hardStop: .seconds(60), attemptTime: .seconds(5))
        let cases: [([@Sendable (LoopbackConnection) -> Void], DeliveryOutcome, Int)] = [
            ([Self.answering(503), Self.answering(200)], .taken, 2),
            ([Self.answering(404), Self.answering(200)], .refused(status: 404), 1),
            ([Self.answering(500), Self.answering(200)], .refused(status: 500), 1),
            ([Self.silent, Self.answering(500)], .uncertain, 2),
            ([Self.silent, Self.answering(200)], .taken, 2),
        ]
        for (turns, outcome, attempts) in cases {
            let server = try server(turns[0], turns[turns.count - 1])
            let report = try await deliver(to: url(server), by: sender(schedule))
            #expect(report.outcome == outcome)
            #expect(report.attempts == attempts)
        }
    }

    @Test("A response that arrives byte by byte is abandoned at the attempt's timeout, by the real clock")
    func trickle() async throws {
        let schedule = DeliverySchedule(moments: [.zero], hardStop: .seconds(60), attemptTime: .seconds(3))
        let sender = try sender(schedule)
        let slowHead = try server { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nX: ")
            connection.readToEnd()
        }
        #expect(await deliver(to: url(slowHead), by: sender).outcome == .uncertain)
        let slowBody = try server { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
            connection.readToEnd()
        }
        #expect(await deliver(to: url(slowBody), by: sender).outcome == .taken)
    }

    @Test("Hardly anything of a body of 10 MB is read", arguments: [true, false])
    func longBody(announced: Bool) async throws {
        let (ends, continuation) = AsyncStream.makeStream(of: Bool.self)
        let server = try server { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n\(announced ? "Content-Length: 10000000\r\n" : "")\r\n")
            continuation.yield(connection.write([UInt8](repeating: 65, count: 10_000_000)))
        }
        let report = try await deliver(to: url(server), by: sender())
        #expect(report.outcome == .taken)
        for await wasWritten in ends.prefix(1) { #expect(!wasWritten) }
    }

    @Test("As many replies as allowed are on their way at once, and no more after others have ended")
    func underway() async throws {
        let server = try server(Self.answering(200), Self.silent)
        let sender = try sender { $0.maximumUnderway = 1 }
        #expect(await deliver(to: url(server), by: sender).outcome == .taken)
        let first = Task { [url = url(server)] in await deliver(to: url, by: sender) }
        try await eventually { server.connections == 2 }
        let report = await deliver(to: url(server), by: sender)
        #expect(report.outcome == .overloaded && report.attempts == 0)
        first.cancel()
        #expect(await first.value.outcome == .uncertain)
    }

    @Test("Redirects are not followed, wherever they lead")
    func redirect() async throws {
        let target = try LoopbackServer { _ in LoopbackAnswer("") }
        let location = "Location: http://127.0.0.1:\(target.port)/"
        let server = try LoopbackServer { _ in LoopbackAnswer(status: 307, "", headers: [location]) }
        #expect(try await deliver(to: url(server), by: sender()).outcome == .refused(status: 307))
        #expect(target.connections == 0)
    }

    @Test(
        "A name that resolves to a forbidden address is rejected on connecting",
        arguments: [
            "127.0.0.1", "::1", "0.0.0.0", "::", "10.0.0.1", "192.168.1.1", "fd00::1", "169.254.169.254", "fe80::1",
            "100.64.0.1", "224.0.0.1", "ff02::1", "168.63.129.16", "192.0.0.192", "192.0.2.1", "198.18.0.1",
            "255.255.255.255", "2001:db8::1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        ])
    func resolved(address: String) async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer("") }
        let pin = try #require(PinnedHost(host: "innocent.example", port: server.port, address: address))
        let sender = try sender {
            $0.policy = ReplyPolicy(allowedPorts: [server.port])
            $0.pinnedHosts = [pin]
        }
        let report = await deliver(to: "https://innocent.example:\(server.port)/", by: sender)
        #expect(report.outcome == .forbidden(.resolvedAddress))
        #expect(report.attempts == 1)
        #expect(server.connections == 0)
    }

    @Test("An open connection of another client is not reused for a forbidden address")
    func reusedConnection() async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer("") }
        let pin = try #require(PinnedHost(host: "innocent.example", port: server.port, address: "127.0.0.1"))
        var configuration = HTTPClient.Configuration()
        configuration.pinnedHosts = [pin]
        let other = try HTTPClient(configuration)
        let url = "http://innocent.example:\(server.port)/"
        #expect(try await other.send(HTTPRequest(.get, HTTPURL(url))).status == 200)
        // The same policy except for its scheme: plain http is for a listed Tor service and loopback only.
        let sender = try sender {
            $0.policy = ReplyPolicy(allowedPorts: [server.port])
            $0.pinnedHosts = [pin]
        }
        let secure = "https://innocent.example:\(server.port)/"
        #expect(await deliver(to: url, by: sender).outcome == .forbidden(.clearnetHTTP))
        #expect(await deliver(to: secure, by: sender).outcome == .forbidden(.resolvedAddress))
        #expect(server.connections == 1)
    }

    @Test("A sender reuses its own connections")
    func reuse() async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer("{}") }
        let sender = try sender()
        for _ in 0..<5 { #expect(await deliver(to: url(server), by: sender).outcome == .taken) }
        #expect(server.connections == 1)
    }

    @Test("Forbidden URLs are reported before anything is sent")
    func forbidden() async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer("") }
        let sender = try sender { $0.policy = ReplyPolicy() }
        let report = await deliver(to: url(server), by: sender)
        #expect(report.outcome == .forbidden(.address(.loopback)) && report.attempts == 0)
        #expect(throws: ReplyURLFault.address(.loopback)) { try sender.check(url(server)) }
        #expect(server.connections == 0)
    }

    @Test("Through a proxy an unlisted host is not requested, and a listed one is requested by name")
    func proxy() async throws {
        let (targets, continuation) = AsyncStream.makeStream(of: String.self)
        let proxy = try LoopbackServer { request in
            continuation.yield("\(request.method) \(request.target)")
            return LoopbackAnswer(status: 403, "")
        }
        let listed = try #require(HostSuffix("pay.example"))
        let sender = try sender {
            $0.policy = ReplyPolicy(allowedHosts: [listed], proxy: .http(host: "127.0.0.1", port: proxy.port))
        }
        #expect(await deliver(to: "https://other.example/", by: sender).outcome == .forbidden(.hostNotListed))
        #expect(proxy.connections == 0)
        #expect(await deliver(to: "https://pay.example/", by: sender).outcome == .unreachable(.proxy))
        for await target in targets.prefix(1) { #expect(target == "CONNECT pay.example:443") }
    }

    @Test("A silent receiver of many replies does not delay a reply to another")
    func independence() async throws {
        let silent = try server(Self.silent)
        let good = try LoopbackServer { _ in LoopbackAnswer("") }
        let sender = try sender {
            $0.maximumInFlight = 4
            $0.maximumInFlightPerHost = 2
        }
        let silentURL = url(silent)
        let stuck = Task {
            await withTaskGroup(of: DeliveryReport.self) { group in
                for _ in 0..<50 { group.addTask { await deliver(to: silentURL, by: sender) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        try await eventually { silent.connections == 2 }
        for _ in 0..<10 { #expect(await deliver(to: url(good), by: sender).outcome == .taken) }
        #expect(silent.connections == 2)
        stuck.cancel()
        #expect(await stuck.value.allSatisfy { $0.outcome == .uncertain })
    }

    @Test("Canceling ends a pause and a post in flight")
    func cancellation() async throws {
        let hour = Duration.seconds(3600)
        let patient = DeliverySchedule(moments: [.zero, hour], hardStop: hour * 2, attemptTime: hour)
        let sender = try sender(patient)
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        let busy = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            // The sender closes it when it has read the response.
            connection.readToEnd()
            continuation.yield()
        })
        let silent = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            continuation.yield()
            connection.readToEnd()
        })
        var questions = asked.makeAsyncIterator()
        for (server, outcome) in [(busy, DeliveryOutcome.refused(status: 503)), (silent, .uncertain)] {
            let url = url(server)
            let task = Task { await deliver(to: url, by: sender, within: hour * 3) }
            await questions.next()
            task.cancel()
            #expect(await task.value.outcome == outcome)
        }
    }

    @Test("Replies above the limit are rejected at once, and accepted again afterwards")
    func overload() async throws {
        let silent = try server(Self.silent, Self.answering(200))
        let sender = try sender { $0.maximumUnderway = 1 }
        let url = url(silent)
        let first = Task { await deliver(to: url, by: sender) }
        try await eventually { silent.connections > 0 }
        let second = await deliver(to: url, by: sender)
        #expect(second.outcome == .overloaded)
        #expect(second.attempts == 0)
        first.cancel()
        #expect(await first.value.outcome == .uncertain)
        #expect(await deliver(to: url, by: sender).outcome == .taken)
    }

    @Test("After the deadline nothing is sent; a closed sender sends nothing either")
    func tooLate() async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer("") }
        let sender = try sender()
        #expect(await deliver(to: url(server), by: sender, within: .zero).outcome == .outOfTime)
        sender.close()
        #expect(await deliver(to: url(server), by: sender).outcome == .uncertain)
        #expect(server.connections == 0)
    }
}
