import LightningCrypto
import Testing

@Suite("Preimages, payment hashes and payment secrets", .timeLimit(.minutes(5)))
struct PaymentTests {
    // LUD-10's example preimage and its hash.
    static let preimage = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    static let hash = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"

    @Test("A preimage hashes to its payment hash")
    func paymentHash() throws {
        let preimage = try Preimage(hexadecimal: Self.preimage)
        #expect(try preimage.paymentHash == PaymentHash(hexadecimal: Self.hash))
        #expect("\(preimage.paymentHash)" == Self.hash)
        #expect(preimage.hexadecimal == Self.preimage)
        #expect(preimage.bytes == Array(0...31))
    }

    @Test("Hexadecimal is read in either case and written in lower case")
    func eitherCase() throws {
        #expect(try PaymentHash(hexadecimal: Self.hash.uppercased()).hexadecimal == Self.hash)
        #expect(try PaymentSecret(hexadecimal: Self.preimage.uppercased()).hexadecimal == Self.preimage)
    }

    @Test("Each has 32 bytes", arguments: [0, 31, 33])
    func lengths(count: Int) {
        let fault = CryptoFault.invalidLength(expected: 32, found: count)
        #expect(throws: fault) { try PaymentHash(filled(1, count: count)) }
        #expect(throws: fault) { try Preimage(filled(1, count: count)) }
        #expect(throws: fault) { try PaymentSecret(filled(1, count: count)) }
        #expect(throws: fault) { try Preimage(SecretBytes(filled(1, count: count))) }
        #expect(throws: fault) { try PaymentSecret(random: { _ in filled(1, count: count) }) }
    }

    @Test("Each has 64 hexadecimal digits")
    func digits() {
        for wrong in [String(Self.hash.dropLast()), "g" + Self.hash.dropFirst(), "0x" + Self.hash.dropFirst(2)] {
            #expect(throws: CryptoFault.invalidHexadecimal) { try PaymentHash(hexadecimal: wrong) }
            #expect(throws: CryptoFault.invalidHexadecimal) { try Preimage(hexadecimal: wrong) }
        }
        #expect(throws: CryptoFault.invalidLength(expected: 32, found: 31)) {
            try PaymentHash(hexadecimal: Self.hash.dropLast(2))
        }
    }

    @Test("Secrets are equal by value and come from the given randomness")
    func equality() throws {
        #expect(try Preimage(filled(1)) == Preimage(SecretBytes(filled(1))))
        #expect(try Preimage(filled(1)) != Preimage(filled(2)))
        #expect(try PaymentSecret(random: { filled(5, count: $0) }) == PaymentSecret(filled(5)))
        #expect(try Preimage(random: SystemRandom.bytes) != Preimage(random: SystemRandom.bytes))
    }
}
