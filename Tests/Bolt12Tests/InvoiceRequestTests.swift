import Bolt12
import LightningCoding
import LightningCrypto
import Testing

@Suite("Invoice requests", .timeLimit(.minutes(5)))
struct InvoiceRequestTests {
    @Test("A request repeats the offer's records byte for byte, unknown ones too")
    func mirrors() throws {
        let further = [TLVRecord(type: 33, value: [0, 1]), TLVRecord(type: 1_000_000_001, value: [9])]
        let offer = try offer(furtherRecords: further)
        let request = try request(for: offer)
        #expect(try request.mirroredOffer() == offer)
        #expect(request.stream.records.map(\.type) == [0, 10, 22, 33, 82, 88, 240, 1_000_000_001])
        #expect(request.chain == nil)
        #expect(throws: Never.self) { try request.checkSignature() }
    }

    @Test("A request that is written reads back, with every field")
    func readsBack() throws {
        let offer = try offer {
            $0.chains = [ChainHash(.regtest)]
            $0.quantityMax = 3
        }
        let written = try InvoiceRequestDraft(
            for: offer, metadata: [1], chain: ChainHash(.regtest), amount: Millisatoshi(5), quantity: 2,
            payerNote: "für dich", bip353Name: BIP353Name("₿alice@example.com"),
            furtherRecords: [TLVRecord(type: 2_000_000_001, value: [7])]
        ).signed(by: key(0x42), auxiliaryRandom: [UInt8](repeating: 1, count: 32))
        let read = try InvoiceRequest(written.text)
        #expect(read == written)
        #expect(read.fields == written.fields)
        #expect(read.chainToPayOn == ChainHash(.regtest))
        #expect(read.quantity == 2)
        #expect(read.payerNote == "für dich")
        #expect(read.bip353Name?.description == "alice@example.com")
        #expect(read.payerID == (try key(0x42).publicKey))
        #expect(throws: Never.self) { try read.checkSignature() }
    }

    @Test("A chain is 32 bytes, and the fault of another length says where")
    func chainLength() throws {
        let request = try request(for: offer { $0.chains = [ChainHash(.regtest), .bitcoin] })
        for (count, fault) in [(31, CodingFault(.truncated, at: 0)), (33, CodingFault(.trailingBytes, at: 32))] {
            let chain = [UInt8](repeating: 1, count: count)
            #expect(ChainHash(chain) == nil)
            #expect(throws: InvoiceRequestFault.record(.malformed(type: 80, .encoding(fault)))) {
                try InvoiceRequest(bytes: bytes(request.stream, changing: 80, to: chain))
            }
        }
        #expect(ChainHash([UInt8](repeating: 1, count: 32))?.network == nil)
    }

    @Test("A request may be answered with the requested amount, or else the expected one")
    func amounts() throws {
        let priced = try offer { $0.amount = 700 }
        let more = try request(for: priced, amount: 900).accepted(for: priced, reception())
        #expect(more.amount == Millisatoshi(900))
        let asked = try request(for: priced, amount: nil).accepted(for: priced, reception())
        #expect(asked.amount == Millisatoshi(700))
        #expect(asked.nodeID == (try key(0x41).publicKey))
        #expect(asked.pathIndex == nil)
    }

    @Test(
        "A request without an offer has no chains, features or quantities of one",
        arguments: [
            (2, ChainHash.bitcoin.bytes), (12, [2]), (20, [1]),
        ] as [(UInt64, [UInt8])])
    func withoutOffer(type: UInt64, value: [UInt8]) throws {
        let written = try request(for: offer()).stream
        let plain = try InvoiceRequest(bytes: bytes(written, changing: 22, to: nil)).stream
        #expect(throws: InvoiceRequestFault.fieldWithoutOffer(type: type)) {
            try InvoiceRequest(bytes: bytes(plain, changing: type, to: value))
        }
        // An offer has them.
        #expect(throws: Never.self) { try InvoiceRequest(bytes: bytes(written, changing: type, to: value)) }
    }

    @Test("The largest amount may be requested, and no larger one")
    func maximum() throws {
        let most = Millisatoshi.maximum.msat
        #expect(try request(for: offer(), amount: most).amount == .maximum)
        #expect(throws: InvoiceRequestFault.amountOverflow) { try request(for: offer(), amount: most + 1) }
    }

    @Test("How much may be requested is the issuer's to say")
    func greatestMultiple() throws {
        let priced = try offer { $0.amount = 100 }
        let request = try request(for: priced, amount: 201)
        var reception = reception()
        reception.greatestMultiple = 2
        #expect(throws: InvoiceRequestFault.amountTooHigh(expected: Millisatoshi(100))) {
            try request.accepted(for: priced, reception)
        }
        reception.greatestMultiple = nil
        #expect(try request.accepted(for: priced, reception).amount == Millisatoshi(201))
    }

    @Test("Without an issuer id the end of the path taken signs", arguments: [0, 1])
    func pathEnds(index: Int) throws {
        let ends = [try key(0x51), try key(0x52)]
        let offer = try offer { fields in
            fields.issuerID = nil
            fields.paths = ends.compactMap { try? path(to: $0) }
        }
        let accepted = try request(for: offer).accepted(for: offer, reception(.viaPath(index)))
        #expect(accepted.nodeID == ends[index].publicKey)
        #expect(accepted.pathIndex == index)
    }

    @Test("Only the two rules about the way ask for silence")
    func silence() throws {
        #expect(InvoiceRequestFault.notViaOfferPath.isToBeIgnored)
        #expect(InvoiceRequestFault.viaBlindedPath.isToBeIgnored)
        #expect(!InvoiceRequestFault.offerMismatch.isToBeIgnored)
        #expect(!InvoiceRequestFault.invalidSignature.isToBeIgnored)
    }

    @Test("A path of a negative index is none of the offer's")
    func negativeIndex() throws {
        let offer = try offer { $0.paths = [try? path(to: key(0x51))].compactMap(\.self) }
        let request = try request(for: offer)
        #expect(throws: InvoiceRequestFault.notViaOfferPath) {
            try request.accepted(for: offer, reception(.viaPath(-1)))
        }
    }

    @Test("A converter's amount counts, and its overflow is refused")
    func conversion() throws {
        let offer = try offer {
            $0.currency = "EUR"
            $0.amount = 3
        }
        let request = try request(for: offer, amount: nil)
        var reception = reception()
        #expect(throws: InvoiceRequestFault.unsupportedCurrency("EUR")) {
            try request.accepted(for: offer, reception)
        }
        reception.converter = { amount, currency in currency == "EUR" ? Millisatoshi(amount * 1000) : nil }
        #expect(try request.accepted(for: offer, reception).amount == Millisatoshi(3000))
        reception.converter = { _, _ in Millisatoshi(.max) }
        #expect(throws: InvoiceRequestFault.amountOverflow) { try request.accepted(for: offer, reception) }
    }

    @Test("A payer who knows the rate does not request too little")
    func payersConversion() throws {
        let offer = try offer {
            $0.currency = "EUR"
            $0.amount = 3
        }
        let draft = InvoiceRequestDraft(for: offer, metadata: [1], amount: Millisatoshi(2999))
        #expect(throws: InvoiceRequestFault.amountTooLow(expected: Millisatoshi(3000))) {
            try draft.signed(by: key(0x42), auxiliaryRandom: nil) { amount, _ in Millisatoshi(amount * 1000) }
        }
        #expect(throws: Never.self) { try draft.signed(by: key(0x42), auxiliaryRandom: nil) }
        let exact = InvoiceRequestDraft(for: offer, metadata: [1], amount: Millisatoshi(3000))
        let request = try exact.signed(by: key(0x42), auxiliaryRandom: nil) { amount, _ in Millisatoshi(amount * 1000) }
        #expect(request.amount == Millisatoshi(3000))
    }

    @Test("With any bit changed, a request is refused")
    func flipped() throws {
        let offer = try offer()
        let original = try request(for: offer).stream.bytes
        for index in original.indices {
            for bit in 0..<8 {
                var bytes = original
                bytes[index] ^= 1 << bit
                #expect(throws: InvoiceRequestFault.self) {
                    try InvoiceRequest(bytes: bytes).accepted(for: offer, reception())
                }
            }
        }
    }

    @Test("Cut short at any byte, a request is refused")
    func truncated() throws {
        let offer = try offer()
        let original = try request(for: offer).stream.bytes
        for count in original.indices {
            #expect(throws: InvoiceRequestFault.self) {
                try InvoiceRequest(bytes: Array(original.prefix(count))).accepted(for: offer, reception())
            }
        }
    }

    @Test(
        "A name and a domain have one to 255 letters of the allowed ones",
        arguments: [
            "alice", "alice@", "@example.com", "a@b@c", "a b@c", "älice@c", String(repeating: "a", count: 256) + "@c",
        ])
    func names(text: String) {
        #expect(throws: InvoiceRequestFault.invalidBIP353Name) { try BIP353Name(text) }
    }
}
