import Bolt11
import LightningCoding
import LightningCrypto
import Testing

@Suite("The specification's first example", .timeLimit(.minutes(5)))
struct PublishedTests {
    @Test("Every value is the published one")
    func values() throws {
        let invoice = try Bolt11Invoice(donation)
        #expect(invoice.text == donation)
        #expect(invoice.network == .bitcoin)
        #expect(invoice.amount == nil)
        #expect(invoice.timestamp == UnixTime(1_496_314_658))
        #expect(
            invoice.paymentHash.hexadecimal == "0001020304050607080900010203040506070809000102030405060708090102")
        #expect(invoice.paymentSecret.bytes == [UInt8](repeating: 0x11, count: 32))
        #expect(invoice.description == .text("Please consider supporting this project"))
        #expect(invoice.features.bits == [8, 14])
        #expect(invoice.payee == (try publishedNode()))
        #expect(!invoice.isPayeeStated)
        #expect(
            Hexadecimal.encode(invoice.signature.compact)
                == "8d3ce9e28357337f62da0162d9454df827f83cfe499aeb1c1db349d4d8112742"
                + "5e434ca29929406c23bba1ae8ac6ca32880b38d4bf6ff874024cac34ba9625f1")
        #expect(invoice.signature.recoveryID == 1)
    }

    @Test("In upper case it is the same invoice")
    func upperCase() throws {
        #expect(try Bolt11Invoice(donation.uppercased()) == Bolt11Invoice(donation))
        #expect(try Bolt11Invoice(donation.uppercased()).text == donation)
        #expect(try UnverifiedBolt11Invoice(donation.uppercased()) == UnverifiedBolt11Invoice(donation))
    }

    @Test("Another text is another invoice")
    func otherText() throws {
        let other = try draft(payee: publishedNode()).signed(by: publishedKey()).text
        #expect(try UnverifiedBolt11Invoice(other) != UnverifiedBolt11Invoice(donation))
        #expect(try Bolt11Invoice(other) != Bolt11Invoice(donation))
    }

    @Test("A recovery id is from 0 to 3")
    func recoveryID() throws {
        let text = try Bech32.decode(donation, checksum: .bech32)
        for number in 0...UInt8.max {
            // The last byte of the signature: three bits of the last group but one, and the last.
            var groups = text.groups
            groups[groups.count - 2] = groups[groups.count - 2] & 0b11000 | number >> 5
            groups[groups.count - 1] = number & 0b11111
            let changed = Bech32.encode(
                Bech32.Text(humanReadablePart: text.humanReadablePart, groups: groups), checksum: .bech32)
            if number <= 3 {
                #expect(try UnverifiedBolt11Invoice(changed).signature.recoveryID == number)
            } else {
                #expect(throws: Bolt11Fault.invalidRecoveryID) { try UnverifiedBolt11Invoice(changed) }
            }
        }
    }

    @Test("Without a look at the signature the contents are the same")
    func unverified() throws {
        let unverified = try UnverifiedBolt11Invoice(donation)
        let invoice = try Bolt11Invoice(donation)
        #expect(unverified.contents == invoice.contents)
        #expect(unverified.paymentHash == invoice.paymentHash)
        #expect(try unverified.verified() == invoice)
    }

    @Test("A signature by another than the stated payee is found by verification only")
    func wrongSigner() throws {
        let signed = try draft(payee: publishedNode()).signed(by: publishedKey())
        var groups = try Bech32.decode(signed.text, checksum: .bech32).groups
        groups[2] ^= 1
        let text = Bech32.encode(
            Bech32.Text(humanReadablePart: "lnbcrt210n", groups: groups), checksum: .bech32)
        #expect(throws: Never.self) { try UnverifiedBolt11Invoice(text) }
        #expect(throws: Bolt11Fault.invalidSignature) { try Bolt11Invoice(text) }
    }
}
