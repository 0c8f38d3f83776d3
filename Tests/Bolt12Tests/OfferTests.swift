import Bolt12
import LightningCoding
import Testing

@Suite("Offers", .timeLimit(.minutes(5)))
struct OfferTests {
    @Test("An offer that is written reads back, with every field")
    func readsBack() throws {
        let written = try offer { fields in
            fields.chains = [ChainHash(.regtest), .bitcoin]
            fields.metadata = [1, 2, 3]
            fields.currency = "EUR"
            fields.amount = 250
            fields.features = FeatureBits([1, 17])
            fields.absoluteExpiry = now
            fields.paths = [try? path(to: key(0x45))].compactMap(\.self)
            fields.issuer = "alice@example.com"
            fields.quantityMax = 0
        }
        let read = try Offer(written.text)
        #expect(read.fields == written.fields)
        #expect(read.stream == written.stream)
        #expect(read.id == written.id)
        #expect(read.paths?.count == 1)
        #expect(read.currency == "EUR")
    }

    @Test("Records of types without a field are kept byte for byte, between the others")
    func furtherRecords() throws {
        let further = [TLVRecord(type: 1_000_000_001, value: [9]), TLVRecord(type: 33, value: [])]
        let written = try offer(furtherRecords: further)
        #expect(written.stream.records.map(\.type) == [10, 22, 33, 1_000_000_001])
        #expect(try Offer(bytes: written.stream.bytes).stream == written.stream)
    }

    @Test("A further record of a type that is there already is refused")
    func repeatedType() throws {
        #expect(throws: OfferFault.record(.stream(CodingFault(.duplicate, at: 5)))) {
            try offer(furtherRecords: [TLVRecord(type: 10, value: [])])
        }
    }

    @Test("A further record of an even type, or of another document, is refused")
    func forbiddenTypes() throws {
        #expect(throws: OfferFault.record(.unknownEvenType(34))) {
            try offer(furtherRecords: [TLVRecord(type: 34, value: [])])
        }
        #expect(throws: OfferFault.typeOutOfRange(81)) {
            try offer(furtherRecords: [TLVRecord(type: 81, value: [])])
        }
    }

    @Test("A currency is three capital letters", arguments: ["EU", "EURO", "eur", "E€", ""])
    func currency(currency: String) throws {
        #expect(throws: OfferFault.invalidCurrency) {
            try offer {
                $0.currency = currency
                $0.amount = 1
            }
        }
    }

    @Test("What a reader refuses is not written")
    func writersRules() throws {
        #expect(throws: OfferFault.amountWithoutDescription) {
            try offer {
                $0.amount = 1
                $0.description = nil
            }
        }
        #expect(throws: OfferFault.amountNotPositive) { try offer { $0.amount = 0 } }
        #expect(throws: OfferFault.currencyWithoutAmount) { try offer { $0.currency = "EUR" } }
        #expect(throws: OfferFault.noWayToIssuer) { try offer { $0.issuerID = nil } }
        #expect(throws: OfferFault.unknownRequiredFeature(bit: 4)) { try offer { $0.features = FeatureBits([4]) } }
        #expect(throws: OfferFault.record(.malformed(type: 16, .encoding(CodingFault(.empty, at: 0))))) {
            try offer { $0.paths = [] }
        }
        #expect(throws: OfferFault.record(.malformed(type: 2, .encoding(CodingFault(.empty, at: 0))))) {
            try offer { $0.chains = [] }
        }
    }

    @Test("The last second of the expiry still counts, the one after does not")
    func expiry() throws {
        let offer = try offer { $0.absoluteExpiry = now }
        #expect(throws: Never.self) { try offer.check(chains: bitcoin, now: now) }
        #expect(throws: OfferFault.expired) { try offer.check(chains: bitcoin, now: now.adding(seconds: 1)) }
    }

    @Test("One chain of ours is enough, none is not")
    func chains() throws {
        let offer = try offer { $0.chains = [ChainHash(.regtest), ChainHash(.signet)] }
        #expect(throws: Never.self) { try offer.check(chains: [ChainHash(.signet)], now: now) }
        #expect(throws: OfferFault.unsupportedChain) { try offer.check(chains: bitcoin, now: now) }
    }

    @Test("Cut short at any byte, an offer is refused or has lost whole records")
    func truncated() throws {
        let whole = try offer { $0.paths = [try? path(to: key(0x45))].compactMap(\.self) }.stream.bytes
        for count in whole.indices {
            let cut = try? Offer(bytes: Array(whole.prefix(count)))
            #expect(cut.map { $0.stream.bytes.count == count } ?? true)
            #expect(cut?.issuerID == nil)
        }
    }

    @Test("With any bit changed, an offer is refused or differs")
    func flipped() throws {
        let original = try offer { $0.paths = [try? path(to: key(0x45))].compactMap(\.self) }
        for index in original.stream.bytes.indices {
            for bit in 0..<8 {
                var bytes = original.stream.bytes
                bytes[index] ^= 1 << bit
                #expect((try? Offer(bytes: bytes))?.id != original.id)
            }
        }
    }

    @Test("64 KiB of anything is one fault", arguments: [0x00, 0x01, 0x0a, 0x10, 0xfd, 0xff] as [UInt8])
    func junk(byte: UInt8) {
        let junk = [UInt8](repeating: byte, count: 1 << 16)
        #expect(throws: OfferFault.self) { try Offer(bytes: junk) }
        #expect(throws: InvoiceRequestFault.self) { try InvoiceRequest(bytes: junk) }
        #expect(throws: InvoiceFault.self) { try Bolt12Invoice(bytes: junk) }
        #expect(throws: InvoiceErrorFault.self) { try InvoiceError(bytes: junk) }
        #expect(throws: OfferFault.self) { try Offer(Bolt12Text.encode(junk, as: .offer)) }
    }

    @Test("The id of an offer has 32 bytes", arguments: [(31, false), (32, true), (33, false)])
    func idLength(count: Int, isValid: Bool) {
        #expect((OfferID([UInt8](repeating: 1, count: count)) != nil) == isValid)
    }
}
