import Bolt11
import LightningCoding
import Testing

@Suite("The human-readable part", .timeLimit(.minutes(5)))
struct AmountTests {
    @Test(
        "An amount is written in its shortest form",
        arguments: [
            (1, "10p"), (99, "990p"), (100, "1n"), (101, "1010p"), (100_000, "1u"), (250_000_000, "2500u"),
            (2_000_000_000, "20m"), (100_000_000_000, "1"), (100_000_000_001, "1000000000010p"),
            (2_100_000_000_000_000_000, "21000000"),
        ] as [(UInt64, String)])
    func shortest(msat: UInt64, spelling: String) throws {
        let invoice = try draft(amount: Millisatoshi(msat)).signed(by: publishedKey())
        #expect(invoice.text.hasPrefix("lnbcrt" + spelling + "1"))
        #expect(try Bolt11Invoice(invoice.text).amount == Millisatoshi(msat))
    }

    @Test("Every network has its own prefix", arguments: Network.allCases)
    func networks(network: Network) throws {
        var draft = try draft(amount: nil)
        draft.network = network
        let invoice = try draft.signed(by: publishedKey())
        #expect(invoice.text.hasPrefix("ln" + network.bolt11Prefix + "1"))
        #expect(try Bolt11Invoice(invoice.text).network == network)
    }

    @Test(
        "An amount that is not one is refused by its rule",
        arguments: [
            ("0", .amountNotPositive), ("0p", .amountNotPositive), ("01m", .amountLeadingZero),
            ("1p", .amountBelowMillisatoshi), ("1x", .unknownMultiplier), ("1mm", .amountNotDecimal),
            ("1m1", .amountNotDecimal), ("1.5m", .amountNotDecimal), ("21000001", .amountTooLarge),
            ("18446744073709551616n", .amountTooLarge), ("99999999999999999999999999p", .amountBelowMillisatoshi),
        ] as [(String, Bolt11Fault)])
    func refused(amount: String, fault: Bolt11Fault) throws {
        let groups = try Bech32.decode(donation, checksum: .bech32).groups
        let text = Bech32.encode(
            Bech32.Text(humanReadablePart: "lnbc" + amount, groups: groups), checksum: .bech32)
        #expect(throws: fault) { try Bolt11Invoice(text) }
    }

    @Test("Any other prefix is refused", arguments: ["ln", "lnb", "lnbcx", "lnbcrtx", "bc", "lnurl", "lno", "x"])
    func otherPrefix(prefix: String) throws {
        let groups = try Bech32.decode(donation, checksum: .bech32).groups
        let text = Bech32.encode(Bech32.Text(humanReadablePart: prefix, groups: groups), checksum: .bech32)
        #expect(throws: Bolt11Fault.unknownPrefix) { try Bolt11Invoice(text) }
    }
}
