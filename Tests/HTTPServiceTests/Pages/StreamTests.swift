import LedgerRecords
@testable import Devices
import LightningCoding
import Platform
import ResponderModel
import SQLiteLedger
import ServiceLifecycle
import Testing
import Waiting
@testable import HTTPService

@Suite("Messages as they come", .timeLimit(.minutes(5)))
struct StreamTests {
    private let clock = ManualClock()
    private let fixture: PageFixture

    init() async throws {
        fixture = try await PageFixture()
    }

    private func running(
        limits: ServiceLimits = ServiceLimits(), rates: ServiceRates = ServiceRates(),
        _ body: (ListenAddress, ServiceGroup) async throws -> Void
    ) async throws {
        try await RunningService.with(
            limits: limits, rates: rates, monotonic: clock.clock, existing: fixture.service, features: [fixture.pages]
        ) { _, payers, _, group in try await body(payers, group) }
    }

    private func listen(
        at address: ListenAddress, query: String = "", _ fields: String...
    ) throws -> RawConnection {
        let connection = try RawConnection(to: address)
        let head =
            ["GET /v1/notifications/stream\(query) HTTP/1.1", "Host: example.com"]
            + (fields.isEmpty ? ["Authorization: Bearer \(fixture.secret.disclosed)"] : fields)
        connection.send(head.joined(separator: "\r\n") + "\r\n\r\n")
        return connection
    }

    /// Lets streams look at the ledger again.
    private func look(_ streams: Int = 1) async throws {
        try await clock.waitForSleepers(streams)
        clock.advance(by: .seconds(2))
    }

    @Test("A listener gets what is unread, then each message with its place, and what was read elsewhere")
    func events() async throws {
        try await fixture.add("m1")
        try await running { address, _ in
            let stream = try listen(at: address)
            let begun = try await stream.read(until: "\"seq\":1}\n\n")
            #expect(begun.contains("Content-Type: text/event-stream\r\n"))
            #expect(begun.contains("Cache-Control: no-store, private\r\n"))
            #expect(begun.contains("X-Accel-Buffering: no\r\n"))
            #expect(begun.contains("retry: 3000\n\nid: 1\nevent: read\ndata: {\"unread\":1,\"seq\":1}\n\n"))
            try await fixture.add("m2")
            try await look()
            let added = try await stream.read(until: "\"seq\":2}\n\n")
            #expect(added.contains("id: 2\nevent: notification\ndata: {\"id\":\"m2\",\"seq\":2,"))
            #expect(added.contains("id: 2\nevent: read\ndata: {\"unread\":2,\"seq\":2}\n\n"))
            try await fixture.service.ledger.mark(
                .upTo(2), of: fixture.device.profile.owner, read: true, at: fixture.service.clock.now)
            try await look()
            #expect(try await stream.read(until: "\n\n").contains("event: read\ndata: {\"unread\":0,\"seq\":2}"))
        }
    }

    @Test("Who comes back gets what was missed; after a gap the list must be read again")
    func returning() async throws {
        for number in 1...103 { try await fixture.add("m\(number)") }
        try await running { address, _ in
            let bearer = "Authorization: Bearer \(fixture.secret.disclosed)"
            let short = try listen(at: address, query: "?after=1", bearer, "Last-Event-ID: 101")
            let missed = try await short.read(until: "event: read")
            #expect(missed.components(around: "event: notification").count == 3)
            let long = try listen(at: address, query: "?after=2")
            let gap = try await long.read(until: "event: resync")
            #expect(gap.contains("id: 103\nevent: resync") && !gap.contains("event: notification"))
            let wrong = try listen(at: address, query: "?after=x")
            #expect(try await wrong.response().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        }
    }

    @Test("A page listens with its session, and nobody without either")
    func session() async throws {
        let cookie = try await fixture.session()
        try await running { address, _ in
            let stream = try listen(at: address, "Cookie: \(cookie)")
            #expect(try await stream.read(until: "event: read").hasPrefix("HTTP/1.1 200 OK\r\n"))
            for field in ["Cookie: \(cookie)x", "Authorization: Bearer wkd_x", "X-Nothing: 1"] {
                let refused = try await listen(at: address, field).response()
                #expect(refused.hasPrefix("HTTP/1.1 401 Unauthorized\r\n"))
                #expect(refused.contains(#"{"error":"unauthorized","#))
            }
        }
    }

    @Test("After twenty silent seconds there is a comment, unless the device has gone: then the stream ends")
    func silence() async throws {
        try await running { address, _ in
            let stream = try listen(at: address)
            _ = try await stream.read(until: "}\n\n\r\n")
            for _ in 0..<9 { try await look() }
            try await clock.waitForSleepers(1)
            #expect(await !stream.isReadable(within: 50))
            try await look()
            #expect(try await stream.read(until: ":\n\n").contains(":\n\n"))
            #expect(try await fixture.service.ledger.removeDevice(fixture.device.id))
            for _ in 0..<10 { try await look() }
            #expect(try await stream.read(until: "0\r\n\r\n").contains("0\r\n\r\n"))
        }
    }

    @Test("A stream to which there is always something to write ends soon after its device was removed, too")
    func removed() async throws {
        try await running { address, _ in
            let stream = try listen(at: address)
            _ = try await stream.read(until: "}\n\n\r\n")
            #expect(try await fixture.service.ledger.removeDevice(fixture.device.id))
            for number in 1...10 {
                try await clock.waitForSleepers(1)
                try await fixture.add("m\(number)")
                clock.advance(by: .seconds(2))
            }
            let rest = try await stream.readToEnd()
            #expect(rest.hasSuffix("0\r\n\r\n"))
            #expect(!rest.contains("m10"))
        }
    }

    @Test("An owner has three streams; when one is closed by the client, another may begin")
    func limit() async throws {
        try await running { address, _ in
            var open = try (0..<3).map { _ in try listen(at: address) }
            for stream in open { _ = try await stream.read(until: "event: read") }
            let fourth = try await listen(at: address).response()
            #expect(fourth.hasPrefix("HTTP/1.1 429 Too Many Requests\r\n"))
            #expect(fourth.contains("Retry-After: "))
            open.removeFirst()
            try await eventually {
                let next = try listen(at: address)
                return try await next.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n")
            }
        }
    }

    @Test("All streams take a quarter of the slots of those who wait, and those of one network an eighth")
    func slots() async throws {
        let rates = ServiceRates(trustedProxies: [try #require(NetworkPrefix("127.0.0.1"))])
        try await running(limits: ServiceLimits(connections: 11), rates: rates) { address, _ in
            // Of nine slots.
            let secret = "Authorization: Bearer \(fixture.secret.disclosed)"
            func listen(from client: Int) throws -> RawConnection {
                try self.listen(at: address, secret, "X-Forwarded-For: 192.0.2.\(client)")
            }
            let first = try listen(from: 1)
            _ = try await first.read(until: "event: read")
            #expect(fixture.service.slots.count == 1 && fixture.service.slots.total == 9)
            #expect(try await listen(from: 1).response().hasPrefix("HTTP/1.1 429 Too Many Requests\r\n"))
            let second = try listen(from: 2)
            _ = try await second.read(until: "event: read")
            #expect(try await listen(from: 3).response().hasPrefix("HTTP/1.1 429 Too Many Requests\r\n"))
            first.reset()
            try await eventually { fixture.service.slots.count == 1 }
            _ = try await listen(from: 3).read(until: "event: read")
        }
    }

    @Test("The metrics say how many streams are open")
    func gauge() async throws {
        try await RunningService.with(
            monotonic: clock.clock, existing: fixture.service, features: [fixture.pages]
        ) { _, payers, admin, _ in
            func count() async throws -> Substring? {
                let connection = try RawConnection(to: admin)
                connection.send("GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                let name = "\nresponder_device_streams "
                return try await connection.readToEnd().components(around: name).dropFirst().first?.prefix {
                    $0 != "\n"
                }
            }
            #expect(try await count() == "0.0")
            var open = try (0..<2).map { _ in try listen(at: payers) }
            for stream in open { _ = try await stream.read(until: "event: read") }
            _ = try await listen(at: payers, "X-Nothing: 1").response()
            #expect(try await count() == "2.0")
            open.removeFirst()
            try await eventually { try await count() == "1.0" }
        }
    }

    @Test("When the service stops, streams end")
    func stop() async throws {
        try await running { address, group in
            let stream = try listen(at: address)
            _ = try await stream.read(until: "event: read")
            await group.triggerGracefulShutdown()
            let end = Guarded<String?>(nil)
            let reading = Task {
                let text = try await stream.readToEnd()
                end.withLock { $0 = text }
            }
            // Whether it stops is seen at the next look.
            try await eventually {
                clock.advance(by: .seconds(2))
                return end.withLock { $0 != nil }
            }
            try await reading.value
            #expect(end.withLock { $0 }?.hasSuffix("0\r\n\r\n") == true)
        }
    }
}
