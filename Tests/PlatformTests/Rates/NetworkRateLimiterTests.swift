import LightningCoding
import Platform
import Testing

@Suite("Rates of nested networks", .timeLimit(.minutes(5)))
struct NetworkRateLimiterTests {
    private func network(_ text: String) throws -> ClientNetwork {
        let address: IPAddress = try #require(IPAddress(text))
        return ClientNetwork(address)
    }

    @Test("A token is taken of a network and of each around it, or of none")
    func rates() throws {
        let start = MonotonicTime.now
        var limiter = NetworkRateLimiter(try #require(RateLimit(perMinute: 2)))
        func take(_ text: String) throws -> Bool { limiter.take(try network(text), at: start) == nil }
        for number in 0..<4 {
            for _ in 0..<2 { #expect(try take("2001:db8:0:\(number)::1")) }
            #expect(try !take("2001:db8:0:\(number)::1"))
        }
        // The /56 has none left, the /64 has.
        #expect(try !take("2001:db8:0:9::1"))
        limiter.putBack(try network("2001:db8:0:1::1"))
        #expect(try take("2001:db8:0:9::1"))
        #expect(try take("2001:db8:0:900::1"))
    }

    @Test("A /48 may do sixteen times as much as a /64")
    func widest() throws {
        let start = MonotonicTime.now
        var limiter = NetworkRateLimiter(try #require(RateLimit(perMinute: 2)))
        func take(_ text: String) throws -> Bool { limiter.take(try network(text), at: start) == nil }
        for number in 0..<16 {
            for _ in 0..<2 { #expect(try take("2001:db8:0:\(number / 4)0\(number % 4)::1")) }
        }
        #expect(try !take("2001:db8:0:900::1"))
        #expect(try take("2001:db8:1:900::1"))
    }
}
