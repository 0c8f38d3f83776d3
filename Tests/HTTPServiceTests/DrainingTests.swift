import EmbeddedNode
import LedgerContract
import LightningCoding
import LightningCrypto
import Logging
import Platform
@testable import ResponderCore
import ResponderModel
import SQLiteLedger
import ServiceLifecycle
import Testing
import Waiting
@testable import HTTPService

@Suite("Draining, and instances behind a load balancer", .timeLimit(.minutes(5)))
struct DrainingTests {
    private static let request = "GET /lnurlp/alice HTTP/1.1\r\nHost: example.com\r\n\r\n"

    /// The last response on a connection of its own.
    private func get(_ path: String, at address: ListenAddress) async throws -> String {
        let connection = try RawConnection(to: address)
        connection.send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return try await connection.readToEnd()
    }

    @Test("When it stops it is not ready, but serves on until the time of draining is over, and ends connections")
    func draining() async throws {
        let gate = FirstAnswer<Void>()
        let asleep = Guarded(false)
        let clock = MonotonicClock(
            now: MonotonicClock.system.now,
            sleep: { _ in
                asleep.withLock { $0 = true }
                await gate.value()
            })
        try await RunningService.with(drainTime: 5, monotonic: clock) { service, payers, admin, group in
            #expect(try await get("/health/ready", at: admin).hasPrefix("HTTP/1.1 200 OK\r\n"))
            let kept = try RawConnection(to: payers)
            kept.send(Self.request)
            #expect(try await !kept.read(until: "payRequest").contains("Connection: close"))
            await group.triggerGracefulShutdown()
            try await eventually { asleep.withLock { $0 } }
            let ready = try await get("/health/ready", at: admin)
            #expect(ready.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
            #expect(ready.hasSuffix(#"{"status":"draining"}"#))
            #expect(try await get("/health/live", at: admin).hasPrefix("HTTP/1.1 200 OK\r\n"))
            // A connection that was kept ends with the next response, and new ones are served.
            for connection in [kept, try RawConnection(to: payers)] {
                connection.send(Self.request)
                let answer = try await connection.readToEnd()
                #expect(answer.contains("payRequest") && answer.contains("Connection: close"))
            }
            #expect(try await service.invoice()["pr"] != nil)
            gate.give(())
            try await eventually { (try? RawConnection(to: payers)) == nil }
        }
    }

    @Test("When it stops, no more notifications are accepted, and it ends when those that it has accepted are answered")
    func accepted() async throws {
        let service = try await TestService()
        let alice = try AccountID("alice@example.com")
        let (gate, isDone, started) = (FirstAnswer<Void>(), Guarded(false), FirstAnswer<Void>())
        try service.queue.accept(for: alice, bytes: 1) {
            await gate.value()
            isDone.withLock { $0 = true }
        }
        #expect(service.metrics.page().contains("responder_notifications_held 1"))
        let starting = BackgroundTask {
            started.give(())
            try? await gracefulShutdown()
        }
        let notifications = service.notifications(service.responder)
        let group = ServiceGroup(services: notifications.services + [starting], logger: Logger(label: "test"))
        let running = Task { try await group.run() }
        await started.value()
        await group.triggerGracefulShutdown()
        try await eventually { (try? service.queue.accept(for: alice, bytes: 1) {}) == nil }
        #expect(!isDone.withLock { $0 })
        gate.give(())
        try await running.value
        #expect(isDone.withLock { $0 })
        #expect(service.metrics.page().contains("responder_notifications_held 0"))
    }

    @Test("One of two instances follows the node; both are ready; when it ends the other follows at once")
    func handover() async throws {
        let terms = LeaseTerms(
            length: 60, renewal: .milliseconds(20), hold: .seconds(50), heartbeat: .milliseconds(20), lifetime: 60,
            isAlone: false)
        let first = try await TestService(terms: terms)
        let second = try await TestService(folder: first.folder, instance: 2, terms: terms)
        try await RunningService.with(existing: first) { _, _, oneAdmin, group in
            try await eventually { first.instance.leases.filter(\.isHeld).count == 3 }
            try await RunningService.with(existing: second) { _, _, twoAdmin, _ in
                try await eventually { second.instance.alive == 2 && second.instance.leases.count == 3 }
                for admin in [oneAdmin, twoAdmin] {
                    #expect(try await get("/health/ready", at: admin).hasPrefix("HTTP/1.1 200 OK\r\n"))
                    let parts = try await get("/health/parts", at: admin)
                    #expect(parts.hasPrefix("HTTP/1.1 200 OK\r\n"))
                    #expect(parts.contains(#""backend:embedded":"\#(first.instance.id)""#))
                }
                let metrics = try await get("/metrics", at: twoAdmin)
                #expect(metrics.contains("responder_instances 2"))
                #expect(metrics.contains(#"responder_lease_held{lease="backend:embedded"} 0"#))
                #expect(metrics.contains(#"responder_settlements_followed{backend="embedded"} 0"#))
                #expect(
                    try await get("/metrics", at: oneAdmin).contains(#"responder_lease_held{lease="outbox"} 1"#))
                await group.triggerGracefulShutdown()
                try await eventually { second.instance.leases.allSatisfy(\.isHeld) }
                let made = try #require(try await second.invoice()["verify"]?.string?.split(separator: "/").last)
                let hash = try PaymentHash(hexadecimal: made)
                // Paid at the other process of the same node, once that knows it.
                try await eventually { try await first.node.status(of: hash) == .open }
                try await first.node.settle(hash, at: first.clock.now)
                try await eventually { try await second.ledger.invoice(hash)?.settlement != nil }
            }
        }
    }

    @Test("The operator sees every instance, with what it does")
    func listed() async throws {
        let service = try await TestService()
        _ = try await service.ledger.held(.upkeep)
        let json = try await service.administer("/instances").json()
        let shown = try #require(json["instances"]?.array)
        #expect(shown.count == 1)
        #expect(shown.first?["id"] == .string(service.instance.id.text))
        #expect(shown.first?["version"] == "1.1" && shown.first?["process"] == 1)
        #expect(shown.first?["leases"] == ["upkeep"])
        #expect(try await service.administer("/instances", token: nil).status == 401)
    }
}
