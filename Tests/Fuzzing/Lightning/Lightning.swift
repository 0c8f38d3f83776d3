import BlindedPaths
import Bolt11
@testable import Bolt12
import LightningCoding
import LightningCrypto

extension FuzzTarget {
    static let lightning = [
        FuzzTarget(text: "bolt11", checkInvoice),
        // Checksum and signature are made here, since no mutation would find them.
        FuzzTarget("bolt11-signed") { bytes in
            let prefixes = ["lnbc", "lntb", "lnbcrt", "lnbc1", "lnbc2500u", "lntbs20m", "lnbc10p", "lnbc15p"]
            guard let first = bytes.first else { return }
            let prefix = prefixes[Int(first) % prefixes.count]
            let groups = bytes.dropFirst().map { $0 & 31 }
            let message = Array(prefix.utf8) + padded(groups)
            let signature = try payeeKey.get().recoverableSignature(of: SHA256.hash(message))
            let signed = groups + Bech32.groups(fromBytes: signature.compact + [signature.recoveryID])
            try checkInvoice(Bech32.encode(.init(humanReadablePart: prefix, groups: signed), checksum: .bech32))
        },
        FuzzTarget("offer") { bytes in
            guard let offer = try? Offer(bytes: bytes) else { return }
            try require((try? Offer(offer.text)) == offer, "an offer is read as it was written")
            try requireSameRecords(.offer, offer.fields, offer.stream)
        },
        FuzzTarget("invoice-request") { bytes in
            _ = try? InvoiceRequest(bytes: bytes)
            guard let records = try? TLVStream(parsing: bytes).records,
                let signed = try? signed(records, key: 88, .invoiceRequest)
            else { return }
            guard let request = try? InvoiceRequest(bytes: signed) else { return }
            try require((try? request.checkSignature()) != nil, "a signature of the payer is accepted")
            try require((try? InvoiceRequest(request.text)) == request, "a request is read as it was written")
            try requireSameRecords(.invoiceRequest, request.fields, request.stream)
            _ = try? request.mirroredOffer()
        },
        FuzzTarget("bolt12-invoice") { bytes in
            guard let records = try? TLVStream(parsing: bytes).records,
                let signed = try? signed(records, key: 176, .invoice)
            else { return }
            guard let invoice = try? Bolt12Invoice(bytes: signed) else { return }
            try require((try? invoice.checkSignature()) != nil, "a signature of the node is accepted")
            try require((try? Bolt12Invoice(invoice.text)) == invoice, "an invoice is read as it was written")
            try requireSameRecords(.invoice, invoice.fields, invoice.stream)
            _ = invoice.usableFallbacks
            _ = invoice.isExpired(at: UnixTime(1_700_000_000))
        },
        FuzzTarget("bolt12-text") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = try? Offer(text)
            _ = try? InvoiceRequest(text)
            _ = try? Bolt12Invoice(text)
            _ = try? BIP353Name(text)
        },
        FuzzTarget("invoice-error") { bytes in try requireRoundTrip(bytes, { try InvoiceError(bytes: $0) }, \.bytes) },
        FuzzTarget("blinded-path") { bytes in
            try requireSameBytes(bytes, { try BlindedPath($0) }, \.bytes)
            try requireSameBytes(bytes, { try BlindedPayinfo($0) }, \.bytes)
        },
        FuzzTarget("recipient-data") { bytes in
            try requireRoundTrip(bytes, { try RecipientData(parsing: $0) }, { try $0.encoded() })
        },
    ]

    @Sendable
    private static func checkInvoice(_ text: String) throws {
        _ = try? Bolt11Outline(text)
        guard let invoice = try? UnverifiedBolt11Invoice(text) else { return }
        let upper = try? UnverifiedBolt11Invoice(text.uppercased())
        try require(upper == invoice, "an invoice is the same in upper case")
        _ = try? invoice.verified()
        _ = invoice.contents.isExpired(at: UnixTime(1_700_000_000))
    }

    /// The fields that were read are written as the records that they were read from.
    private static func requireSameRecords<Fields>(
        _ table: Namespace<Fields>, _ fields: Fields, _ stream: TLVStream
    ) throws {
        let types = Set(table.rows.map(\.type))
        let read = stream.records.filter { types.contains($0.type) }
        try require(table.records(of: fields) == read, "a record is written as it was read")
    }

    private static let payeeKey = Result { try SecretKey([UInt8](repeating: 0x41, count: 32)) }

    private static func padded(_ groups: [UInt8]) -> [UInt8] {
        regroup(groups[...], from: 5, to: 8, isPadded: true).groups
    }

    /// The records with the signer's key in the record of type `key`, signed.
    private static func signed(_ records: [TLVRecord], key: UInt64, _ tag: SignatureTag) throws -> [UInt8] {
        let others = records.filter { $0.type != key && $0.type != SignatureTag.recordType }
        let unsigned = try (others + [TLVRecord(type: key, value: payeeKey.get().publicKey.bytes)]).sorted {
            $0.type < $1.type
        }
        let signature = try tag.sign(MerkleTree(unsigned), with: payeeKey.get(), auxiliaryRandom: nil)
        let all = unsigned + [TLVRecord(type: SignatureTag.recordType, value: signature.bytes)]
        return try TLVStream(all.sorted { $0.type < $1.type }).bytes
    }
}
