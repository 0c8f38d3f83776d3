import LightningCoding
import Platform
import Testing

@Suite("Places that strangers share", .timeLimit(.minutes(1)))
struct SharedPlacesTests {
    private func network(_ text: String) throws -> ClientNetwork {
        let address: IPAddress = try #require(IPAddress(text))
        return ClientNetwork(address)
    }

    /// The places that a hundred get of so many.
    private func taken(
        _ places: SharedPlaces, _ who: (Int) throws -> (ClientNetwork?, [SharedPlaces.Share])
    ) throws -> [SharedPlaces.Place] {
        try (0..<100).compactMap { number in
            let (network, shares) = try who(number)
            return try? places.take(for: network, shares)
        }
    }

    @Test("An IPv4 address or a /64 has an eighth of the places, a /56 a quarter, a /48 half; all others have theirs")
    func networks() throws {
        for (expected, address) in [
            (8, { _ in "192.0.2.1" }), (8, { "2001:db8::\($0)" }),
            (16, { "2001:db8:0:\(String($0, radix: 16))::1" }),
            (32, { "2001:db8:0:\(String($0 << 8, radix: 16))::1" }), (64, { "192.0.2.\($0)" }),
        ] as [(Int, (Int) -> String)] {
            let places = SharedPlaces(64)
            let held = try taken(places) { (try network(address($0)), []) }
            #expect(held.count == expected && places.count == expected)
            if expected < 64 { _ = try places.take(for: try network("198.51.100.1")) }
            #expect(places.count == expected)
        }
    }

    @Test("Those without an address are one network; those without a connection are none")
    func unknown() throws {
        #expect(try taken(SharedPlaces(64)) { _ in (ClientNetwork(nil), []) }.count == 8)
        #expect(try taken(SharedPlaces(64)) { _ in (nil, []) }.count == 64)
    }

    @Test("A share is a part of all places or a number of them, at least one, and each is counted by itself")
    func shares() throws {
        for (expected, share) in [
            (16, { _ in .part(4, of: "a") }), (3, { _ in .most(3, of: "a") }), (1, { _ in .part(65, of: "a") }),
            (64, { .most(1, of: "\($0)") }),
        ] as [(Int, (Int) -> SharedPlaces.Share)] {
            #expect(try taken(SharedPlaces(64)) { (nil, [share($0)]) }.count == expected)
        }
        // The same letter by another sequence of bytes is another share.
        let places = SharedPlaces(64)
        let held = try ["\u{e9}", "e\u{301}"].map { try places.take(for: nil, [.most(1, of: $0)]) }
        #expect(held.count == 2)
    }

    @Test(
        "One alone has as many places as it leaves free, and leaves each further one half of what the others have left")
    func asManyAsFree() throws {
        let places = SharedPlaces(64)
        var held: [SharedPlaces.Place] = []
        for (name, expected) in [("a", 32), ("b", 16), ("c", 8), ("d", 4), ("e", 2), ("f", 1), ("g", 1), ("h", 0)] {
            let taken = try taken(places) { _ in (nil, [.asManyAsFree(of: name)]) }
            #expect(taken.count == expected, "\(name)")
            held += taken
        }
        // What one gives back is there for the others.
        held.removeFirst(8)
        #expect(try taken(places) { _ in (nil, [.asManyAsFree(of: "h")]) }.count == 4)
    }

    @Test("Who gives one of several places back may take one more, and no further one")
    func givenBack() throws {
        let places = SharedPlaces(64)
        var held = try taken(places) { _ in (nil, [.most(3, of: "a")]) }
        held.removeLast()
        held += try taken(places) { _ in (nil, [.most(3, of: "a")]) }
        #expect(held.count == 3)
    }

    @Test("A refusal says which places are taken, and takes none of the others")
    func refusals() throws {
        let places = SharedPlaces(16)
        let one = try network("192.0.2.1")
        var held = try [places.take(for: one, [.most(1, of: "x")]), places.take(for: one)]
        #expect(throws: SharedPlaces.Refusal.network) { try places.take(for: one, [.most(1, of: "y")]) }
        #expect(throws: SharedPlaces.Refusal.share) {
            try places.take(for: nil, [.most(1, of: "y"), .most(1, of: "x")])
        }
        #expect(places.count == 2)
        held.append(try places.take(for: nil, [.most(1, of: "y")]))
        places.total = 3
        #expect(throws: SharedPlaces.Refusal.full) { try places.take(for: nil) }
        places.total = 16
        held.removeFirst()
        held.append(try places.take(for: one, [.most(1, of: "x")]))
        #expect(places.count == 3)
        held = []
        #expect(places.count == 0)
    }
}
