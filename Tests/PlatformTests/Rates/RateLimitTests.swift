import Platform
import Testing

@Suite("How often somebody may ask", .timeLimit(.minutes(5)))
struct RateLimitTests {
    private let start = MonotonicTime.now

    @Test("The burst is there at once, then one more after each interval, exactly")
    func bucket() throws {
        let limit = try #require(RateLimit(burst: 3, interval: .seconds(2)))
        var bucket = TokenBucket(at: start)
        for _ in 0..<3 { #expect(bucket.take(limit, at: start) == nil) }
        #expect(bucket.take(limit, at: start) == .seconds(2))
        #expect(bucket.take(limit, at: start + .milliseconds(1_999)) == .milliseconds(1))
        #expect(bucket.take(limit, at: start + .seconds(2)) == nil)
        #expect(bucket.take(limit, at: start + .seconds(2)) == .seconds(2))
        // However long the silence was, the bucket holds no more than the burst.
        let later = start + .seconds(1_000)
        for _ in 0..<3 { #expect(bucket.take(limit, at: later) == nil) }
        #expect(bucket.take(limit, at: later) == .seconds(2))
    }

    @Test("A limit that is divided gives all who share it together what it gave one, and each at least one")
    func dividing() throws {
        let limit = try #require(RateLimit(burst: 6, interval: .seconds(10)))
        #expect(limit.divided(by: 1) == limit)
        #expect(limit.divided(by: 3) == RateLimit(burst: 2, interval: .seconds(30)))
        #expect(limit.divided(by: 4) == RateLimit(burst: 1, interval: .seconds(40)))
        #expect(limit.divided(by: 100) == RateLimit(burst: 1, interval: .seconds(60)))
        for count in [0, -1, .min] { #expect(limit.divided(by: count) == limit) }
        let slow = try #require(RateLimit(burst: 2, interval: .seconds(86_400)))
        #expect(slow.divided(by: .max) == RateLimit(burst: 1, interval: .seconds(86_400)))
        var limiter = RateLimiter<Int>(limit)
        for _ in 0..<2 { #expect(limiter.take(1, at: start, dividedBy: 3) == nil) }
        #expect(limiter.take(1, at: start, dividedBy: 3) == .seconds(30))
        limiter.putBack(1, dividedBy: 3)
        #expect(limiter.take(1, at: start, dividedBy: 3) == nil)
        #expect(limiter.take(1, at: start, dividedBy: 3) == .seconds(30))
    }

    @Test("A token that is put back is there again, and no more than the burst")
    func puttingBack() throws {
        let limit = try #require(RateLimit(burst: 2, interval: .seconds(10)))
        var limiter = RateLimiter<Int>(limit)
        limiter.putBack(1)
        for _ in 0..<2 { #expect(limiter.take(1, at: start) == nil) }
        #expect(limiter.take(1, at: start) == .seconds(10))
        limiter.putBack(1)
        #expect(limiter.take(1, at: start) == nil)
        #expect(limiter.take(1, at: start) == .seconds(10))
        for _ in 0..<9 { limiter.putBack(1) }
        for _ in 0..<2 { #expect(limiter.take(1, at: start) == nil) }
        #expect(limiter.take(1, at: start) == .seconds(10))
    }

    @Test("What has happened already is counted where there were too few tokens, too, and makes later ones wait")
    func spending() throws {
        let limit = try #require(RateLimit(burst: 3, interval: .seconds(2)))
        var bucket = TokenBucket(at: start)
        #expect(bucket.spend(3, of: limit, at: start) == .zero)
        #expect(bucket.spend(2, of: limit, at: start + .seconds(1)) == .seconds(3))
        #expect(bucket.wait(limit, at: start + .seconds(1)) == .seconds(5))
        let later = start + .seconds(1_000)
        #expect(bucket.spend(1, of: limit, at: later) == .zero)
        for _ in 0..<2 { #expect(bucket.take(limit, at: later) == nil) }
        #expect(bucket.take(limit, at: later) == .seconds(2))
    }

    @Test("A refusal takes nothing")
    func refusalIsFree() throws {
        let limit = try #require(RateLimit(burst: 1, interval: .seconds(10)))
        var bucket = TokenBucket(at: start)
        #expect(bucket.take(limit, at: start) == nil)
        for second in 1...9 { #expect(bucket.take(limit, at: start + .seconds(second)) == .seconds(10 - second)) }
        #expect(bucket.take(limit, at: start + .seconds(10)) == nil)
    }

    @Test("Limits outside of their ranges are none")
    func ranges() throws {
        #expect(RateLimit(burst: 0, interval: .seconds(1)) == nil)
        #expect(RateLimit(burst: 1_000_001, interval: .seconds(1)) == nil)
        #expect(RateLimit(burst: 1, interval: .zero) == nil)
        #expect(RateLimit(burst: 1, interval: .seconds(86_401)) == nil)
        #expect(RateLimit(perMinute: 0) == nil)
        #expect(RateLimit(perMinute: .min) == nil)
        #expect(RateLimit(burst: 1, interval: .nanoseconds(1)) != nil)
        #expect(RateLimit(burst: 1_000_000, interval: .seconds(86_400)) != nil)
        #expect(RateLimit(perMinute: 1) == RateLimit(burst: 1, interval: .seconds(60)))
        let limit = try #require(RateLimit(perMinute: 30))
        #expect(limit.burst == 30)
        #expect(limit.interval == .seconds(2))
    }

    @Test("Keys do not share a bucket")
    func keys() throws {
        var limiter = RateLimiter<Int>(try #require(RateLimit(burst: 1, interval: .seconds(60))))
        #expect(limiter.take(1, at: start) == nil)
        #expect(limiter.take(1, at: start) == .seconds(60))
        #expect(limiter.take(2, at: start) == nil)
    }

    @Test("Memory is bounded, and nobody is forgotten before as many others as half of the places have come")
    func memory() throws {
        var limiter = RateLimiter<Int>(try #require(RateLimit(burst: 1, interval: .seconds(60))), capacity: 100)
        #expect(limiter.take(0, at: start) == nil)
        for key in 1...50 { #expect(limiter.take(key, at: start) == nil) }
        for key in 0...50 {
            var copy = limiter
            #expect(copy.take(key, at: start) == .seconds(60), "\(key) is still known")
        }
        for key in 1_000...100_000 {
            _ = limiter.take(key, at: start)
            #expect(limiter.count <= 100)
        }
        #expect(limiter.take(0, at: start) == nil)
    }

    @Test("Seconds to wait are rounded up and at least 1")
    func retryAfter() {
        #expect(Duration.zero.retryAfterSeconds == 1)
        #expect(Duration.nanoseconds(1).retryAfterSeconds == 1)
        #expect(Duration.seconds(2).retryAfterSeconds == 2)
        #expect((Duration.seconds(2) + .nanoseconds(1)).retryAfterSeconds == 3)
    }
}
