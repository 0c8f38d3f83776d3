import LightningCoding
import RateLimiting
import Testing

@Suite("Places that strangers share", .timeLimit(.minutes(1)))
struct FairShareTests {
    private func network(_ text: String) throws -> ClientNetwork {
        let address: IPAddress = try #require(IPAddress(text))
        return ClientNetwork(address)
    }

    /// How many of so many get a place.
    private func taken(
        _ share: inout FairShare, _ count: Int, _ who: (Int) throws -> FairShare.Stranger
    ) throws -> Int {
        var taken = 0
        for number in 0..<count {
            do throws(FairShare.Refusal) { try share.take(try! who(number)) } catch { continue }
            taken += 1
        }
        return taken
    }

    @Test("An IPv4 address or a /64 takes an eighth, a /56 a quarter, a /48 or a host half of the places")
    func parts() throws {
        for (expected, who) in [
            (8, { _ in .init(network: try network("192.0.2.1")) }),
            (8, { _ in .init(network: ClientNetwork(nil)) }),
            (8, { .init(network: try network("2001:db8::\($0)")) }),
            (16, { .init(network: try network("2001:db8:0:\(String($0, radix: 16))::1")) }),
            (32, { .init(network: try network("2001:db8:0:\(String($0 << 8, radix: 16))::1")) }),
            (32, { _ in .init(host: "push.example") }),
            (5, { _ in .init(keys: ["device": 5]) }),
            (64, { .init(network: try network("192.0.2.\($0)"), host: "\($0)", keys: ["\($0)": 1]) }),
        ] as [(Int, (Int) throws -> FairShare.Stranger)] {
            var share = FairShare(64)
            #expect(try taken(&share, 100, who) == expected)
            #expect(share.count == expected)
        }
    }

    @Test("Each refusal says whose places are taken, and takes none")
    func refusals() throws {
        var share = FairShare(8)
        let one = FairShare.Stranger(network: try network("192.0.2.1"), host: "a", keys: ["x": 1])
        try share.take(one)
        #expect(throws: FairShare.Refusal.busy) { try share.take(.init(keys: ["x": 1])) }
        #expect(throws: FairShare.Refusal.crowded) { try share.take(.init(network: one.network)) }
        #expect(share.count == 1)
        share.release(one)
        try share.take(one)
        share.total = 1
        #expect(throws: FairShare.Refusal.full) { try share.take(.init()) }
    }

    @Test("A place is free again when nobody refers to it")
    func release() throws {
        let places = SharedPlaces(1)
        do {
            let place = try places.take(.init(host: "a"))
            #expect(throws: FairShare.Refusal.full) { try places.take(.init()) }
            withExtendedLifetime(place) {}
        }
        #expect(places.count == 0)
        _ = try places.take(.init(host: "a"))
    }

    @Test("A token is taken of a network and of each around it, or of none")
    func rates() throws {
        let start = ContinuousClock.now
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
}
