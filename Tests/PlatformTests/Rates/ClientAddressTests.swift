import LightningCoding
import Platform
import Testing

@Suite("Who asks", .timeLimit(.minutes(5)))
struct ClientAddressTests {
    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text), "\(text)") }

    @Test("An IPv6 client is its network of 64 bits, an IPv4 client itself, in either spelling")
    func networks() throws {
        func network(_ text: String) throws -> ClientNetwork { ClientNetwork(try address(text)) }
        #expect(try network("2001:db8:1:2::1") == network("2001:db8:1:2:ffff::9"))
        #expect(try network("2001:db8:1:2::1") != network("2001:db8:1:3::1"))
        #expect(try network("192.0.2.1") != network("192.0.2.2"))
        #expect(try network("192.0.2.1") == network("::ffff:192.0.2.1"))
        #expect(try network("::ffff:192.0.2.1") != network("::ffff:192.0.2.2"))
    }

    @Test("An IPv6 network is counted with the /56 and the /48 around it; an IPv4 address and an unknown one are alone")
    func nested() throws {
        func nested(_ text: String) throws -> [ClientNetwork] { ClientNetwork(try address(text)).nested }
        let home = try nested("2001:db8:1:0::1")
        #expect(Set(home).count == 3)
        for (other, shared) in [
            ("2001:db8:1:ff::1", 2), ("2001:db8:1:100::1", 1), ("2001:db8:2::1", 0), ("2001:db8:1::ffff", 3),
        ] { #expect(try Set(home).intersection(nested(other)).count == shared, "\(other)") }
        #expect(try nested("192.0.2.1") == nested("::ffff:192.0.2.1") && nested("192.0.2.1").count == 1)
        #expect(ClientNetwork(nil).nested == [ClientNetwork(nil)])
    }

    @Test(
        "A prefix holds its range to the edges",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("10.0.0.0/8", "9.255.255.255", false), ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7/32", "192.0.2.6", false), ("0.0.0.0/0", "255.255.255.255", true), ("0.0.0.0/0", "::1", false),
            ("::/0", "ffff::", true), ("::/0", "10.0.0.1", false), ("fd00::/8", "fdff::1", true),
            ("fd00::/8", "fe00::1", false), ("2001:db8::/64", "2001:db8:0:0:ffff::", true),
            ("2001:db8::/64", "2001:db8:0:1::", false), ("2001:db8::/65", "2001:db8:0:0:7fff::", true),
            ("2001:db8::/65", "2001:db8:0:0:8000::", false), ("::1", "::1", true), ("::1/128", "::2", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true),
        ])
    func prefixes(prefix: String, other: String, isInside: Bool) throws {
        #expect(try #require(NetworkPrefix(prefix)).contains(try address(other)) == isInside)
    }

    @Test(
        "What is no prefix is none",
        arguments: [
            "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08", "10.0.0.1/8", "::1/64",
            "::/129", "10.0.0.0/8/8", "localhost", "10.0.0.0/8 ",
        ])
    func notPrefixes(text: String) {
        #expect(NetworkPrefix(text) == nil)
    }

    static let chains: [(peer: String, forwardedFor: [String], client: String)] = [
        // Nobody trusted is connected: whatever the list says is an invention.
        ("198.51.100.1", ["203.0.113.9"], "198.51.100.1"),
        // One proxy, two, and one that adds a field of its own.
        ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["203.0.113.9, 10.0.0.2"], "203.0.113.9"),
        ("10.0.0.1", ["203.0.113.9", "10.0.0.2"], "203.0.113.9"),
        ("::ffff:10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        // What the client invented stands left of what the proxy saw.
        ("10.0.0.1", ["127.0.0.1, 203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["10.0.0.7, 203.0.113.9"], "203.0.113.9"),
        // No list, an empty one, and words that are no address.
        ("10.0.0.1", [], "10.0.0.1"), ("10.0.0.1", [""], "10.0.0.1"), ("10.0.0.1", ["unknown"], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9, unknown"], "10.0.0.1"), ("10.0.0.1", ["203.0.113.9, , 10.0.0.2"], "10.0.0.2"),
        ("10.0.0.1", ["203.0.113.9\u{0}"], "10.0.0.1"),
        // Everybody is trusted: the farthest.
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        // Ports and brackets.
        ("10.0.0.1", ["203.0.113.9:4711"], "203.0.113.9"), ("10.0.0.1", ["[2001:db8::1]:4711"], "2001:db8::1"),
        ("10.0.0.1", ["[2001:db8::1]"], "2001:db8::1"), ("10.0.0.1", ["2001:db8::1"], "2001:db8::1"),
        ("10.0.0.1", [" \t::ffff:203.0.113.9 "], "203.0.113.9"), ("10.0.0.1", ["[2001:db8::1"], "10.0.0.1"),
    ]

    @Test("The list of proxies is read from its end, as far as it can be trusted", arguments: chains)
    func forwarded(peer: String, forwardedFor: [String], client: String) throws {
        let trusted = [try #require(NetworkPrefix("10.0.0.0/8"))]
        let found = ClientAddress.of(peer: try address(peer), forwardedFor: forwardedFor, trusting: trusted)
        #expect(try found == address(client))
        #expect(
            try ClientAddress.of(peer: address(peer), forwardedFor: forwardedFor, trusting: [])
                == address(peer).withoutMapping)
    }

    @Test("A list of any length is read as far as its last sixteen addresses")
    func longList() throws {
        let trusted = [try #require(NetworkPrefix("10.0.0.0/8"))]
        for (proxies, client) in [(15, "203.0.113.9"), (16, "10.0.0.9"), (100_000, "10.0.0.9")] {
            let list = "203.0.113.9" + String(repeating: ",10.0.0.9", count: proxies)
            let found = ClientAddress.of(peer: try address("10.0.0.1"), forwardedFor: [list], trusting: trusted)
            #expect(try found == address(client), "\(proxies)")
        }
    }
}
