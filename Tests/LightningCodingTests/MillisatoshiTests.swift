import LightningCoding
import Testing

@Suite("Millisatoshi", .timeLimit(.minutes(5)))
struct MillisatoshiTests {
    private let largest = Millisatoshi(.max)

    @Test("Arithmetic is exact or refused")
    func arithmetic() throws {
        #expect(try Millisatoshi(1).adding(Millisatoshi(2)) == Millisatoshi(3))
        #expect(try largest.adding(.zero) == largest)
        #expect(throws: AmountFault.overflow) { try largest.adding(Millisatoshi(1)) }
        #expect(try Millisatoshi(6_148_914_691_236_517_205).multiplied(by: 3) == largest)
        #expect(throws: AmountFault.overflow) { try Millisatoshi(6_148_914_691_236_517_206).multiplied(by: 3) }
        #expect(try Millisatoshi(satoshi: 21_000_000 * 100_000_000) == .maximum)
        #expect(throws: AmountFault.overflow) { try Millisatoshi(satoshi: UInt64.max / 1000 + 1) }
        #expect(Millisatoshi(1) < Millisatoshi(2))
    }

    @Test("Rounding goes to a whole satoshi")
    func rounding() {
        #expect(Millisatoshi(1000).isWholeSatoshi)
        #expect(!Millisatoshi(1001).isWholeSatoshi)
        #expect(Millisatoshi(1999).roundedDownToSatoshi == Millisatoshi(1000))
        #expect(Millisatoshi(1001).roundedUpToSatoshi == Millisatoshi(2000))
        #expect(Millisatoshi(2000).roundedUpToSatoshi == Millisatoshi(2000))
        #expect(largest.roundedUpToSatoshi == Millisatoshi(18_446_744_073_709_551_000))
    }

    @Test(
        "Amounts are read with their unit, in any case",
        arguments: [
            ("21sat", 21_000), ("21 sat", 21_000), ("21 SAT", 21_000), ("1500msat", 1500), ("0msat", 0),
            ("0.001btc", 100_000_000), ("0.001 BTC", 100_000_000), ("1.5sat", 1500), ("1.500sat", 1500),
            ("0.00000000001btc", 1), ("1.0msat", 1), ("007sat", 7000), ("21000000btc", 2_100_000_000_000_000_000),
            ("18446744073709551615msat", UInt64.max), ("18446744073709551.615sat", UInt64.max),
        ] as [(String, UInt64)])
    func reading(text: String, msat: UInt64) throws {
        #expect(try Millisatoshi(text: text) == Millisatoshi(msat))
    }

    @Test(
        "What is not exactly an amount is refused",
        arguments: [
            ("", .empty), ("21", .missingUnit), ("0.5", .missingUnit), ("21 ", .missingUnit),
            ("21satoshi", .unknownUnit), ("21 usd", .unknownUnit), ("21sat ", .unknownUnit), ("0x10sat", .unknownUnit),
            ("1e3sat", .unknownUnit), ("sat", .notANumber), (" 21sat", .notANumber), (" ", .notANumber),
            ("-1sat", .notANumber), ("+1sat", .notANumber), ("1,000sat", .notANumber), (".5sat", .notANumber),
            ("5.sat", .notANumber), ("1.2.3sat", .notANumber), ("1 000sat", .notANumber), ("٣sat", .notANumber),
            ("0.0001sat", .notWholeMillisatoshi), ("0.5msat", .notWholeMillisatoshi),
            ("0.000000000001btc", .notWholeMillisatoshi), ("18446744073709551616msat", .overflow),
            ("18446744073709551.616sat", .overflow), ("184467440.73709551616btc", .overflow),
            ("99999999999999999999999999btc", .overflow),
        ] as [(String, AmountFault)])
    func refused(text: String, fault: AmountFault) {
        #expect(throws: fault) { try Millisatoshi(text: text) }
    }

    @Test(
        "The shortest exact text is printed, and reads as the same amount",
        arguments: [
            (0, "0 sat"), (1, "1 msat"), (1500, "1500 msat"), (21_000, "21 sat"), (999_999_000, "999999 sat"),
            (1_000_000_000, "0.01 BTC"), (1_000_001_000, "1000001 sat"), (1_230_000_000, "0.0123 BTC"),
            (100_000_000_000, "1 BTC"), (2_100_000_000_000_000_000, "21000000 BTC"),
            (123_456_789_000, "123456789 sat"), (UInt64.max, "18446744073709551615 msat"),
        ] as [(UInt64, String)])
    func printing(msat: UInt64, text: String) throws {
        #expect(Millisatoshi(msat).formatted == text)
        #expect(try Millisatoshi(text: text) == Millisatoshi(msat))
    }

    @Test("The description is in msat")
    func description() {
        #expect("\(Millisatoshi(21_000))" == "21000 msat")
    }
}
