import Bolt12
import LightningCoding
import Testing

@Suite("Invoices", .timeLimit(.minutes(5)))
struct InvoiceTests {
    private let outside = InvoiceReception(arrival: .outsideLightning, now: now, chains: bitcoin)

    @Test("A signed draft reads back as what was signed, and passes its payer's checks")
    func readsBack() throws {
        let offer = try offer(furtherRecords: [TLVRecord(type: 1_000_000_001, value: [9])])
        let request = try request(for: offer)
        var draft = try draft(for: request, of: offer)
        draft.relativeExpiry = 60
        draft.parts = .severalAllowed
        draft.fallbacks = [FallbackProgram(version: 1, program: [1, 2])].compactMap(\.self)
        let signed = try draft.signed(by: key(0x41), auxiliaryRandom: nil)
        let read = try Bolt12Invoice(signed.text)
        #expect(read == signed)
        #expect(read.fields == signed.fields)
        #expect(read.usablePaths == signed.usablePaths)
        #expect(read.relativeExpiry == 60)
        #expect(read.parts == .severalAllowed)
        #expect(read.usableFallbacks.map(\.program) == [[1, 2]])
        #expect(read.stream.records.last?.type == 1_000_000_001)
        #expect(throws: Never.self) { try read.check(answering: request, outside) }
    }

    @Test("The usual expiry and a payment in one part are not written")
    func defaults() throws {
        let offer = try offer()
        let invoice = try draft(for: request(for: offer), of: offer).signed(by: key(0x41), auxiliaryRandom: nil)
        #expect(invoice.fields.relativeExpiry == nil)
        #expect(invoice.fields.features == nil)
        #expect(invoice.fields.fallbacks == nil)
        #expect(invoice.expiresAt == now.adding(seconds: 7200))
        #expect(invoice.parts == .one)
    }

    @Test("The signature of the request is not repeated, everything else is")
    func mirrors() throws {
        let offer = try offer(furtherRecords: [TLVRecord(type: 33, value: [0, 1])])
        let request = try request(for: offer)
        let invoice = try draft(for: request, of: offer).signed(by: key(0x41), auxiliaryRandom: nil)
        for record in request.stream.records where record.type != 240 {
            #expect(invoice.stream[record.type] == record)
        }
        #expect(invoice.stream[240]?.value != request.stream[240]?.value)
    }

    @Test("Only the key that the request must be answered with can sign")
    func otherKey() throws {
        let offer = try offer()
        let draft = try draft(for: request(for: offer), of: offer)
        #expect(throws: InvoiceFault.signerIsNotNode) { try draft.signed(by: key(0x42), auxiliaryRandom: nil) }
    }

    @Test("An invoice has a way to be paid that a payer can use")
    func paths() throws {
        let offer = try offer()
        var draft = try draft(for: request(for: offer), of: offer)
        draft.paths = []
        #expect(throws: InvoiceFault.missingPaths) { try draft.signed(by: key(0x41), auxiliaryRandom: nil) }
        draft.paths = [try paymentPath(features: [1])]
        #expect(throws: InvoiceFault.noUsablePath) { try draft.signed(by: key(0x41), auxiliaryRandom: nil) }
        draft.paths.append(try paymentPath())
        #expect(try draft.signed(by: key(0x41), auxiliaryRandom: nil).usablePaths == [try paymentPath()])
    }

    @Test("With any bit changed, an invoice is refused")
    func flipped() throws {
        let offer = try offer()
        let request = try request(for: offer)
        let original = try draft(for: request, of: offer).signed(by: key(0x41), auxiliaryRandom: nil).stream.bytes
        for index in original.indices {
            for bit in 0..<8 {
                var bytes = original
                bytes[index] ^= 1 << bit
                #expect(throws: InvoiceFault.self) {
                    try Bolt12Invoice(bytes: bytes).check(answering: request, outside)
                }
            }
        }
    }

    @Test("What a payer has authorized is kept to")
    func authorized() throws {
        let offer = try offer { $0.amount = 1000 }
        let request = try request(for: offer, amount: nil)
        let invoice = try draft(for: request, of: offer).signed(by: key(0x41), auxiliaryRandom: nil)
        var reception = outside
        reception.authorized = Millisatoshi(1000)...Millisatoshi(1000)
        #expect(throws: Never.self) { try invoice.check(answering: request, reception) }
        reception.authorized = Millisatoshi(1)...Millisatoshi(999)
        #expect(throws: InvoiceFault.amountNotAuthorized) { try invoice.check(answering: request, reception) }
    }

    @Test(
        "A mismatch names the lowest type that is not the same", arguments: [0, 10, 33, 82, 1_000_000_001] as [UInt64])
    func mismatch(type: UInt64) throws {
        let offer = try offer(
            furtherRecords: [TLVRecord(type: 33, value: [1]), TLVRecord(type: 1_000_000_001, value: [9])])
        let request = try request(for: offer)
        let invoice = try draft(for: request, of: offer).signed(by: key(0x41), auxiliaryRandom: nil)
        let without = try Bolt12Invoice(bytes: bytes(invoice.stream, changing: type, to: nil))
        #expect(throws: InvoiceFault.requestMismatch(type: type)) { try without.check(answering: request, outside) }
        let changed = try Bolt12Invoice(bytes: bytes(invoice.stream, changing: type, to: [5]))
        #expect(throws: InvoiceFault.requestMismatch(type: type)) { try changed.check(answering: request, outside) }
    }

    @Test("The latest expiry there is ends with 64 bits")
    func saturates() throws {
        let offer = try offer()
        var draft = try draft(for: request(for: offer), of: offer)
        draft.createdAt = UnixTime(.max)
        #expect(try draft.signed(by: key(0x41), auxiliaryRandom: nil).expiresAt == UnixTime(.max))
    }

    @Test(
        "A fallback is a witness version and a program that it can have",
        arguments: [(0, 19), (0, 33), (1, 1), (16, 41), (17, 20), (255, 20)] as [(UInt8, Int)])
    func fallbacks(version: UInt8, count: Int) {
        #expect(FallbackProgram(version: version, program: [UInt8](repeating: 0, count: count)) == nil)
    }
}

@Suite("Invoice errors", .timeLimit(.minutes(5)))
struct InvoiceErrorTests {
    @Test("An error that is written reads back")
    func readsBack() throws {
        let error = try InvoiceError("too little", erroneousField: 82, suggestedValue: [3, 232])
        #expect(try InvoiceError(bytes: error.bytes) == error)
        #expect(try InvoiceError(bytes: InvoiceError("no").bytes) == InvoiceError("no"))
    }

    @Test("A value is suggested for a field only")
    func suggestion() {
        #expect(throws: InvoiceErrorFault.suggestionWithoutField) { try InvoiceError("no", suggestedValue: []) }
    }
}
