import LightningCrypto
import Platform
import Testing
@testable import OnionPeer

@Suite("Pacing", .timeLimit(.minutes(5)))
struct PacingTests {
    private static let start = MonotonicTime.now

    @Test("Twenty messages are sent as fast as a Core Lightning node accepts them, and none is lost")
    func pacedBelowLimit() throws {
        var limits = PeerLimits()
        limits.departureQueue = 20
        var queue = PacedQueue(limits, at: Self.start)
        #expect((0..<20).allSatisfy { queue.append([$0]) })
        let bearable = try #require(RateLimit(burst: 4, interval: .milliseconds(250)))
        var theirs = TokenBucket(at: Self.start)
        var left: [[UInt8]] = []
        var now = Self.start
        while let deadline = queue.deadline(after: now) {
            now = max(now, deadline)
            for message in queue.due(at: now) {
                #expect(theirs.take(bearable, at: now) == nil)
                left.append(message)
            }
        }
        #expect(left == (0..<20).map { [UInt8($0)] })
        #expect(now == Self.start + .milliseconds(17 * 262))
    }

    @Test("Messages beyond the queue are dropped, and nothing waits while there are tokens")
    func shedding() {
        var limits = PeerLimits()
        limits.departureQueue = 2
        var queue = PacedQueue(limits, at: Self.start)
        #expect([1, 2, 3].map { queue.append([$0]) } == [true, true, false])
        #expect(queue.due(at: Self.start) == [[1], [2]])
        #expect(queue.deadline(after: Self.start) == nil)
        #expect([4, 5].map { queue.append([$0]) } == [true, true])
        #expect(queue.due(at: Self.start) == [[4]])
        #expect(queue.count == 1)
        #expect(queue.deadline(after: Self.start) == Self.start + .milliseconds(262))
    }
}

@Suite("Backoff between attempts", .timeLimit(.minutes(5)))
struct BackOffTests {
    private static let least: @Sendable (Int) -> [UInt8] = { [UInt8](repeating: 0, count: $0) }
    private static let most: @Sendable (Int) -> [UInt8] = { [UInt8](repeating: 255, count: $0) }

    @Test("Each failure doubles the wait, up to five minutes; jitter removes at most half")
    func doubling() {
        var (short, long) = (BackOff(), BackOff())
        for failure in 0..<20 {
            let whole = min(Duration.seconds(1 << min(failure, 10)), .seconds(300))
            #expect(short.wait(afterLasting: .zero, misbehaved: false, random: Self.least) == whole / 2)
            #expect(long.wait(afterLasting: .zero, misbehaved: false, random: Self.most) == whole)
        }
    }

    @Test("A connection that lasted a minute resets the backoff, a shorter one does not")
    func lasting() {
        var backOff = BackOff()
        for _ in 0..<5 { _ = backOff.wait(afterLasting: .zero, misbehaved: false, random: Self.most) }
        #expect(backOff.wait(afterLasting: .seconds(59), misbehaved: false, random: Self.most) == .seconds(32))
        #expect(backOff.wait(afterLasting: .seconds(60), misbehaved: false, random: Self.most) == .seconds(1))
    }

    @Test("A misbehaving peer is avoided for five minutes at once, however long it behaved")
    func misbehavior() {
        var backOff = BackOff()
        #expect(backOff.wait(afterLasting: .seconds(3_600), misbehaved: true, random: Self.most) == .seconds(300))
        #expect(backOff.wait(afterLasting: .zero, misbehaved: false, random: Self.most) == .seconds(300))
    }

    @Test("Without randomness there is no jitter")
    func noRandomness() {
        var backOff = BackOff()
        let wait = backOff.wait(afterLasting: .zero, misbehaved: false) { _ throws(CryptoFault) in
            throw .entropyUnavailable
        }
        #expect(wait == .seconds(1))
    }
}
