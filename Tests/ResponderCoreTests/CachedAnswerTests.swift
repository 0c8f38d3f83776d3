import LightningCoding
import Platform
@testable import ResponderModel
import Testing
import Waiting
@testable import ResponderCore

@Suite("Cached responses of a backend", .timeLimit(.minutes(5)))
struct CachedAnswerTests {
    @Test("are kept for their lifetime by a monotonic clock, then refreshed")
    func lifetime() async throws {
        let clock = ManualClock()
        let cache = CachedAnswer<Int>(for: .seconds(5), clock: clock.clock)
        let asked = Guarded(0)
        func value() async throws -> Int {
            try await cache.value { () async throws(BackendFault) in
                asked.withLock { asked in
                    asked += 1
                    return asked
                }
            }
        }
        #expect(try await value() == 1)
        clock.advance(by: .milliseconds(4_999))
        #expect(try await value() == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await value() == 2)
    }

    @Test("are taken by a caller who found none, once an earlier question was answered")
    func answeredMeanwhile() async throws {
        // The caller's second look finds what its first did not.
        let readings = Guarded<[MonotonicTime]>([])
        let start = MonotonicTime(sinceStart: .zero)
        let clock = MonotonicClock(
            now: { readings.withLock { $0.isEmpty ? start : $0.removeFirst() } }, sleep: { _ in })
        let cache = CachedAnswer<Int>(for: .seconds(5), clock: clock)
        #expect(try await cache.value { () async throws(BackendFault) in 1 } == 1)
        readings.withLock { $0 = [start + .seconds(5), start] }
        #expect(try await cache.value { () async throws(BackendFault) in 2 } == 1)
        readings.withLock { $0 = [start + .seconds(5), start + .seconds(5)] }
        #expect(try await cache.value { () async throws(BackendFault) in 2 } == 2)
    }

    @Test("are not kept longer when a wall clock is set back by a day")
    func setBack() async throws {
        let fixture = try await Fixture()
        let clock = ManualClock()
        let node = FakeNodeBackend(fixture.node)
        let responder = try await fixture.responder(in: node, ageClock: clock.clock)
        _ = try await responder.payRequest(for: fixture.alice())
        fixture.time.withLock { $0 = UnixTime($0.seconds - 86_400) }
        let before = node.asked.withLock { $0 }
        clock.advance(by: .seconds(5))
        _ = try await responder.payRequest(for: fixture.alice())
        #expect(node.asked.withLock { $0 } > before)
    }

    @Test("are refreshed after 5 seconds for heights and peers, however long limits are cached")
    func nodes() async throws {
        let fixture = try await Fixture()
        let clock = ManualClock()
        let node = FakeNodeBackend(fixture.node)
        let responder = try await fixture.responder(in: node, limitsLifetime: 3600, ageClock: clock.clock)
        let first = try await responder.nodes.node(named: .embedded).info
        node.info.withLock {
            $0 = NodeInfo(nodeID: first.nodeID, network: .regtest, blockHeight: first.blockHeight + 1)
        }
        clock.advance(by: .milliseconds(4_999))
        #expect(try await responder.nodes.node(named: .embedded).info.blockHeight == first.blockHeight)
        clock.advance(by: .milliseconds(1))
        #expect(try await responder.nodes.node(named: .embedded).info.blockHeight == first.blockHeight + 1)
    }
}
