import LightningCoding
import Testing
@testable import Platform

@Suite("Places that strangers share", .timeLimit(.minutes(5)))
struct SharedSlotsTests {
    private func network(_ text: String) throws -> ClientNetwork {
        let address: IPAddress = try #require(IPAddress(text))
        return ClientNetwork(address)
    }

    /// The slots that a hundred get of so many.
    private func taken(
        _ slots: SharedSlots, _ who: (Int) throws -> (ClientNetwork?, [SharedSlots.Share])
    ) throws -> [SharedSlots.Slot] {
        try (0..<100).compactMap { number in
            let (network, shares) = try who(number)
            return try? slots.take(for: network, shares)
        }
    }

    @Test("An IPv4 address or a /64 has an eighth of the slots, a /56 a quarter, a /48 half; all others have theirs")
    func networks() throws {
        for (expected, address) in [
            (8, { _ in "192.0.2.1" }), (8, { "2001:db8::\($0)" }),
            (16, { "2001:db8:0:\(String($0 << 1, radix: 16))::1" }),
            (32, { "2001:db8:0:\(String($0 << 9, radix: 16))::1" }), (64, { "192.0.2.\($0)" }),
        ] as [(Int, (Int) -> String)] {
            let slots = SharedSlots(64)
            let held = try taken(slots) { (try network(address($0)), []) }
            #expect(held.count == expected && slots.count == expected)
            if expected < 64 { _ = try slots.take(for: try network("198.51.100.1")) }
            #expect(slots.count == expected)
        }
    }

    @Test("Those without an address are one network; those without a connection are none")
    func unknown() throws {
        #expect(try taken(SharedSlots(64)) { _ in (ClientNetwork(nil), []) }.count == 8)
        #expect(try taken(SharedSlots(64)) { _ in (nil, []) }.count == 64)
    }

    @Test("A share is a part of all slots or a number of them, at least one, and each is counted by itself")
    func shares() throws {
        for (expected, share) in [
            (16, { _ in .part(4, of: "a") }), (3, { _ in .most(3, of: "a") }), (1, { _ in .part(65, of: "a") }),
            (64, { .most(1, of: "\($0)") }),
        ] as [(Int, (Int) -> SharedSlots.Share)] {
            #expect(try taken(SharedSlots(64)) { (nil, [share($0)]) }.count == expected)
        }
        // The same letter by another sequence of bytes is another share.
        let slots = SharedSlots(64)
        let held = try ["\u{e9}", "e\u{301}"].map { try slots.take(for: nil, [.most(1, of: $0)]) }
        #expect(held.count == 2)
    }

    @Test(
        "One alone has as many slots as it leaves free, and leaves each further one half of what the others have left")
    func asManyAsFree() throws {
        let slots = SharedSlots(64)
        var held: [SharedSlots.Slot] = []
        for (name, expected) in [("a", 32), ("b", 16), ("c", 8), ("d", 4), ("e", 2), ("f", 1), ("g", 1), ("h", 0)] {
            let taken = try taken(slots) { _ in (nil, [.asManyAsFree(of: name)]) }
            #expect(taken.count == expected, "\(name)")
            held += taken
        }
        // What one gives back is there for the others.
        held.removeFirst(8)
        #expect(try taken(slots) { _ in (nil, [.asManyAsFree(of: "h")]) }.count == 4)
    }

    @Test("Who gives some of several slots back may take as many, and no further one", arguments: 1...3)
    func givenBack(count: Int) throws {
        let slots = SharedSlots(64)
        var held = try taken(slots) { _ in (nil, [.most(3, of: "a")]) }
        held.removeLast(count)
        held += try taken(slots) { _ in (nil, [.most(3, of: "a")]) }
        #expect(held.count == 3)
    }

    @Test("Whoever has given back all their slots is forgotten")
    func forgotten() throws {
        let slots = SharedSlots(64)
        for number in 0..<100 {
            let slot = try slots.take(for: try network("192.0.2.\(number)"), [.most(1, of: "\(number)")])
            #expect(slots.holderCount > 0)
            slot.free()
            #expect(slots.holderCount == 0)
        }
    }

    @Test("A refusal says which slots are taken, and takes none of the others")
    func refusals() throws {
        let slots = SharedSlots(16)
        let one = try network("192.0.2.1")
        var held = try [slots.take(for: one, [.most(1, of: "x")]), slots.take(for: one)]
        #expect(throws: SharedSlots.Refusal.network) { try slots.take(for: one, [.most(1, of: "y")]) }
        #expect(throws: SharedSlots.Refusal.share) {
            try slots.take(for: nil, [.most(1, of: "y"), .most(1, of: "x")])
        }
        #expect(slots.count == 2)
        held.append(try slots.take(for: nil, [.most(1, of: "y")]))
        slots.total = 3
        #expect(throws: SharedSlots.Refusal.full) { try slots.take(for: nil) }
        slots.total = 16
        held.removeFirst()
        held.append(try slots.take(for: one, [.most(1, of: "x")]))
        #expect(slots.count == 3)
        held = []
        #expect(slots.count == 0)
    }
}
