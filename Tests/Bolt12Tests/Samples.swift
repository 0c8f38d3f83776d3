import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto

let now = UnixTime(1_800_000_000)
let bitcoin: Set<ChainHash> = [.bitcoin]

func key(_ byte: UInt8) throws -> SecretKey {
    try SecretKey([UInt8](repeating: byte, count: 32))
}

/// A path of one hop to the owner of `end`.
func path(to end: SecretKey) throws -> BlindedPath {
    try BlindedPath(
        introductionNode: .node(key(0x43).publicKey), firstPathKey: key(0x44).publicKey,
        hops: [BlindedPath.Hop(blindedNodeID: end.publicKey, encryptedRecipientData: [0xaa, 0xbb])])
}

func paymentPath(features: [UInt8] = []) throws -> PaymentPath {
    PaymentPath(
        path: try path(to: key(0x45)),
        payinfo: try BlindedPayinfo(
            feeBase: 1, feeProportionalMillionths: 2, cltvExpiryDelta: 18, htlcMinimum: Millisatoshi(1),
            htlcMaximum: .maximum, features: features))
}

/// An offer of the key 41…41, of any amount unless `change` says otherwise.
func offer(
    furtherRecords: [TLVRecord] = [], _ change: (inout OfferFields) -> Void = { _ in }
) throws -> Offer {
    var fields = OfferFields()
    fields.description = "tea"
    fields.issuerID = try key(0x41).publicKey
    change(&fields)
    return try Offer(fields, furtherRecords: furtherRecords)
}

/// A request by the key 42…42.
func request(for offer: Offer, amount: UInt64? = 1000, quantity: UInt64? = nil) throws -> InvoiceRequest {
    try InvoiceRequestDraft(
        for: offer, metadata: Array(0..<16), amount: amount.map { Millisatoshi($0) }, quantity: quantity
    ).signed(by: key(0x42), auxiliaryRandom: nil)
}

func reception(_ arrival: Arrival = .direct) -> RequestReception {
    RequestReception(arrival: arrival, now: now, chains: bitcoin)
}

/// A draft that answers a request for an offer of the key 41…41.
func draft(for request: InvoiceRequest, of offer: Offer) throws -> InvoiceDraft {
    InvoiceDraft(
        answering: try request.accepted(for: offer, reception()), createdAt: now,
        paymentHash: try PaymentHash([UInt8](repeating: 7, count: 32)), paths: [try paymentPath()])
}

/// The records of a stream, one of them replaced, added or, with nil, left out.
func bytes(_ stream: TLVStream, changing type: UInt64, to value: [UInt8]?) throws -> [UInt8] {
    var records = stream.records.filter { $0.type != type }
    if let value { records.append(TLVRecord(type: type, value: value)) }
    return try TLVStream(records.sorted { $0.type < $1.type }).bytes
}
