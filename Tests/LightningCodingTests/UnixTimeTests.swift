import LightningCoding
import Testing

@Suite("UnixTime", .timeLimit(.minutes(5)))
struct UnixTimeTests {
    @Test(
        "Moments are printed in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"), (1_077_926_399, "2004-02-27T23:59:59Z"),
            (1_496_314_658, "2017-06-01T10:57:38Z"), (1_735_689_599, "2024-12-31T23:59:59Z"),
            (1_795_231_623, "2026-11-21T03:27:03Z"), (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
            (253_402_300_800, "10000-01-01T00:00:00Z"),
        ] as [(UInt64, String)])
    func printing(seconds: UInt64, text: String) {
        #expect(UnixTime(seconds).iso8601 == text)
    }

    @Test("The last moment can be printed")
    func last() {
        #expect(UnixTime(.max).iso8601.hasSuffix(":15Z"))
    }

    @Test("Time neither runs over its end nor backwards")
    func arithmetic() {
        #expect(UnixTime(10).adding(seconds: 5) == UnixTime(15))
        #expect(UnixTime(.max - 1).adding(seconds: 5) == UnixTime(.max))
        #expect(UnixTime(15).seconds(since: UnixTime(10)) == 5)
        #expect(UnixTime(10).seconds(since: UnixTime(15)) == 0)
        #expect(UnixTime(10) < UnixTime(15))
    }

    @Test("The system's clock is past the day on which this was written")
    func now() {
        #expect(UnixTime.now() > UnixTime(1_760_000_000))
    }
}

@Suite("Networks", .timeLimit(.minutes(5)))
struct NetworkTests {
    @Test(
        "Prefixes of BOLT 11 and chain hashes of BOLT 0",
        arguments: [
            (Network.bitcoin, "bc", "6fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000"),
            (.testnet, "tb", "43497fd7f826957108f4a30fd9cec3aeba79972084e90ead01ea330900000000"),
            (.signet, "tbs", "f61eee3b63a380a477a063af32b2bbc97c9ff9f01f2c4225e973988108000000"),
            (.regtest, "bcrt", "06226e46111a0b59caaf126043eb5bbf28c34f3a5e332a1fc7b2b73cf188910f"),
        ])
    func values(network: Network, prefix: String, chainHash: String) {
        #expect(network.bolt11Prefix == prefix)
        #expect(Hexadecimal.encode(network.chainHash) == chainHash)
    }
}
