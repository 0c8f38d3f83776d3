public import BlindedPaths
public import LightningCoding

/// Why an offer must not be responded to, or cannot be created: one case per rule, in the order of the specification
/// (BOLT 12, "Requirements For Offers").
public enum OfferFault: Error, NamedRule, Hashable, Sendable {
    /// Not a BOLT 12 text or TLV stream.
    case record(RecordFault)
    /// A record outside 1…79 and 1,000,000,000…1,999,999,999.
    case typeOutOfRange(UInt64)
    /// An unknown even bit in `offer_features`: none is defined.
    case unknownRequiredFeature(bit: Int)
    /// None of the chains (bitcoin by default) is ours.
    case unsupportedChain
    /// `offer_amount` without `offer_description`.
    case amountWithoutDescription
    /// `offer_amount` is zero.
    case amountNotPositive
    /// `offer_currency` without `offer_amount`.
    case currencyWithoutAmount
    /// Neither `offer_issuer_id` nor `offer_paths`.
    case noWayToIssuer
    /// A path of `offer_paths` without hops.
    case pathWithoutHops
    /// `offer_absolute_expiry` has passed.
    case expired

    // Of the writer
    /// `offer_currency` is not three capital letters (ISO 4217).
    case invalidCurrency
}

/// The faults of a document that has blinded paths.
protocol DocumentFault: Error {
    /// Its bytes are not valid records.
    static func record(_ fault: RecordFault) -> Self
    /// One of its paths has no hops, for which the specification has a separate rule.
    static var pathWithoutHops: Self { get }
}

extension OfferFault: DocumentFault {}
extension InvoiceRequestFault: DocumentFault {}
extension InvoiceFault: DocumentFault {}

extension DocumentFault {
    /// Converts a record's fault to the document's.
    static func reading<Value>(_ body: () throws(RecordFault) -> Value) throws(Self) -> Value {
        do {
            return try body()
        } catch .malformed(_, .path(.noHops)) {
            throw .pathWithoutHops
        } catch {
            throw .record(error)
        }
    }
}

/// Why a text or TLV stream is not valid BOLT 12, regardless of the meaning of its values.
public enum RecordFault: Error, NamedRule, Hashable, Sendable {
    /// The text is not bech32 without a checksum: its characters, case, `+` or padding.
    case text(CodingFault)
    /// The text has another prefix.
    case wrongPrefix(expected: String)
    /// The bytes are not a TLV stream; the offset is from their start.
    case stream(CodingFault)
    /// An unknown even type (BOLT 1, "Requirements").
    case unknownEvenType(UInt64)
    /// The value of a known type is malformed.
    case malformed(type: UInt64, ValueFault)
}

/// Why the value of a record cannot be decoded.
public enum ValueFault: Error, Hashable, Sendable {
    /// A coding fault; the offset is from the start of the value.
    case encoding(CodingFault)
    /// 33 bytes that are not a compressed point of the curve.
    case notAPoint
    /// A blinded path or payinfo.
    case path(BlindedPathFault)
}

/// Why an invoice request must be rejected or ignored, or cannot be created: one case per rule, in the order of the
/// specification (BOLT 12, "Requirements for Invoice Requests").
public enum InvoiceRequestFault: Error, NamedRule, Hashable, Sendable {
    /// Not a BOLT 12 text or TLV stream.
    case record(RecordFault)
    /// No `invreq_payer_id`.
    case missingPayerID
    /// No `invreq_metadata`.
    case missingMetadata
    /// A record outside 0…159 and 1,000,000,000…2,999,999,999 that is not a signature.
    case typeOutOfRange(UInt64)
    /// An unknown even bit in `invreq_features`: none is defined.
    case unknownRequiredFeature(bit: Int)
    /// No `signature`.
    case missingSignature
    /// `signature` is not a valid signature of `invreq_payer_id`.
    case invalidSignature
    /// A path of `invreq_paths` without hops.
    case pathWithoutHops

    // In response to an offer
    /// The offer's records differ from those of the requested offer.
    case offerMismatch
    /// The offer has expired.
    case offerExpired
    /// The offer has paths, and the request did not arrive over one of them: ignore, do not answer.
    case notViaOfferPath
    /// The offer has no paths, and the request arrived over one: ignore, do not answer.
    case viaBlindedPath
    /// `offer_quantity_max` without `invreq_quantity`.
    case missingQuantity
    /// `invreq_quantity` is zero.
    case quantityNotPositive
    /// `invreq_quantity` exceeds `offer_quantity_max`.
    case quantityTooLarge(maximum: UInt64)
    /// `invreq_quantity` without `offer_quantity_max`.
    case unexpectedQuantity
    /// The amount is in a currency that cannot be converted.
    case unsupportedCurrency(String)
    /// The expected or requested amount exceeds 21 million bitcoin.
    case amountOverflow
    /// `invreq_amount` is less than the expected amount.
    case amountTooLow(expected: Millisatoshi)
    /// `invreq_amount` greatly exceeds the expected amount.
    case amountTooHigh(expected: Millisatoshi)
    /// Neither `offer_amount` nor `invreq_amount`.
    case missingAmount

    // Not in response to an offer
    /// A field that is only allowed in response to an offer: its type.
    case fieldWithoutOffer(type: UInt64)

    /// The chain is not ours, or not one of the offer's.
    case unsupportedChain
    /// `invreq_bip_353_name` has a byte outside `0-9 a-z A-Z - _ .`.
    case invalidBIP353Name

    /// Whether the standard says to ignore the request: not even an error may be sent, since it would reveal whose
    /// offer it is.
    public var isToBeIgnored: Bool { self == .notViaOfferPath || self == .viaBlindedPath }
}

/// Why an invoice must be rejected, or cannot be created: one case per rule, in the order of the specification (BOLT
/// 12, "Invoices", "Requirements").
public enum InvoiceFault: Error, NamedRule, Hashable, Sendable {
    /// Not a BOLT 12 text or TLV stream.
    case record(RecordFault)
    /// No `invoice_amount`.
    case missingAmount
    /// No `invoice_created_at`.
    case missingCreatedAt
    /// No `invoice_payment_hash`.
    case missingPaymentHash
    /// No `invoice_node_id`.
    case missingNodeID
    /// The chain is not one of ours.
    case unsupportedChain
    /// An unknown even bit in `invoice_features`: any but 16, multi-part payment.
    case unknownRequiredFeature(bit: Int)
    /// The invoice has expired.
    case expired
    /// `invoice_paths` is missing or empty.
    case missingPaths
    /// A path of `invoice_paths` without hops.
    case pathWithoutHops
    /// No `invoice_blindedpay`.
    case missingBlindedPay
    /// The number of `blinded_payinfo` differs from that of the paths.
    case blindedPayMismatch
    /// Every path has an unknown even feature.
    case noUsablePath

    // In response to an invoice request
    /// A record of the request is missing, changed or new: the lowest such type.
    case requestMismatch(type: UInt64)
    /// `invoice_node_id` is not `offer_issuer_id`.
    case nodeIsNotIssuer
    /// `invoice_node_id` is not the last blinded node id of the path that the request was sent to.
    case nodeIsNotPathEnd

    /// No `signature`.
    case missingSignature
    /// `signature` is not a valid signature of `invoice_node_id`.
    case invalidSignature
    /// `invoice_amount` is not `invreq_amount`.
    case amountIsNotRequested
    /// `invoice_amount` is outside the payer's authorized range.
    case amountNotAuthorized
    /// The request has paths of its own, and the invoice did not arrive over one of them.
    case notViaRequestPath
    /// The invoice is not for an offer, and arrived over a blinded path.
    case viaBlindedPath
    /// The invoice is for an offer, and did not arrive over the reply path of the request.
    case notViaReplyPath

    // Of the writer
    /// The key is not the one required to answer the request.
    case signerIsNotNode
}

extension OfferFault: ReadableFault {
    /// What is wrong, worded to follow the offer's name: "it has expired".
    public var reason: String {
        switch self {
        case .record(let fault): fault.reason
        case .typeOutOfRange(let type): "\(Record(type)) does not belong in an offer"
        case .unknownRequiredFeature(let bit): "it requires the unknown feature \(bit)"
        case .unsupportedChain: "it is for an unknown chain"
        case .amountWithoutDescription: "it has an amount, but no description"
        case .amountNotPositive: "its amount is zero"
        case .currencyWithoutAmount: "it has a currency, but no amount"
        case .noWayToIssuer: "it has neither an issuer id nor a path"
        case .pathWithoutHops: "one of its paths has no hop"
        case .expired: "it has expired"
        case .invalidCurrency: "its currency is not three capital letters"
        }
    }
}

extension InvoiceRequestFault: ReadableFault {
    /// What is wrong, worded to follow the invoice request's name: "it has expired".
    public var reason: String {
        switch self {
        case .record(let fault): fault.reason
        case .missingPayerID: "it has no payer id"
        case .missingMetadata: "it has no metadata"
        case .typeOutOfRange(let type): "\(Record(type)) does not belong in an invoice request"
        case .unknownRequiredFeature(let bit): "it requires the unknown feature \(bit)"
        case .missingSignature: "it is not signed"
        case .invalidSignature: "its signature by the payer is invalid"
        case .pathWithoutHops: "one of its paths has no hop"
        case .offerMismatch: "it is for another offer"
        case .offerExpired: "the offer has expired"
        case .notViaOfferPath: "it did not come over a path of the offer"
        case .viaBlindedPath: "it came over a path, and the offer has none"
        case .missingQuantity: "it has no quantity, which the offer requires"
        case .quantityNotPositive: "its quantity is zero"
        case .quantityTooLarge(let maximum): "its quantity is above the offer's maximum of \(maximum)"
        case .unexpectedQuantity: "it has a quantity, which the offer does not accept"
        case .unsupportedCurrency(let currency): "the offer's price is in \(currency), which cannot be converted here"
        case .amountOverflow: "the amount exceeds 21 million bitcoin"
        case .amountTooLow(let expected): "its amount is below the price of \(expected.formatted)"
        case .amountTooHigh(let expected): "its amount is far above the price of \(expected.formatted)"
        case .missingAmount: "neither it nor the offer has an amount"
        case .fieldWithoutOffer(let type): "\(Record(type)) has a meaning only with an offer"
        case .unsupportedChain: "its chain is unknown, or not one of the offer's"
        case .invalidBIP353Name: "its BIP-353 name has an invalid character"
        }
    }
}

extension InvoiceFault: ReadableFault {
    /// What is wrong, worded to follow the invoice's name: "it has expired".
    public var reason: String {
        switch self {
        case .record(let fault): fault.reason
        case .missingAmount: "it has no amount"
        case .missingCreatedAt: "it has no creation time"
        case .missingPaymentHash: "it has no payment hash"
        case .missingNodeID: "it has no node id"
        case .unsupportedChain: "its chain is unknown"
        case .unknownRequiredFeature(let bit): "it requires the unknown feature \(bit)"
        case .expired: "it has expired"
        case .missingPaths: "it has no path"
        case .pathWithoutHops: "one of its paths has no hop"
        case .missingBlindedPay: "it does not state the fees of its paths"
        case .blindedPayMismatch: "it does not state the fees of each path"
        case .noUsablePath: "all its paths have an unknown feature"
        case .requestMismatch(let type): "\(Record(type)) is missing, changed or new: it answers another request"
        case .nodeIsNotIssuer: "its node id is not the offer's issuer id"
        case .nodeIsNotPathEnd: "its node id is not the end of a path of the offer"
        case .missingSignature: "it is not signed"
        case .invalidSignature: "its signature by its node id is invalid"
        case .amountIsNotRequested: "its amount is not the one that was requested"
        case .amountNotAuthorized: "its amount is not the offer's price"
        case .notViaRequestPath: "it did not come over a path of the request"
        case .viaBlindedPath: "it came over a path, and answers no offer"
        case .notViaReplyPath: "it did not come over the reply path of the request"
        case .signerIsNotNode: "it is to be signed with another key"
        }
    }
}

extension RecordFault {
    fileprivate var reason: String {
        switch self {
        case .text(let fault): fault.reason
        case .wrongPrefix(let expected): "it does not begin with \(expected)1"
        case .stream(let fault): "its records cannot be separated from byte \(fault.offset) on"
        case .unknownEvenType(let type): "\(Record(type)) is unknown and mandatory"
        case .malformed(let type, .encoding(let fault)): "\(Record(type)): \(fault.reason)"
        case .malformed(let type, .notAPoint): "\(Record(type)) is not a public key"
        case .malformed(let type, .path(let fault)): "\(Record(type)): \(fault.reason)"
        }
    }
}

/// A record as shown to people: `record 8 (offer_amount)`.
private struct Record: CustomStringConvertible {
    let type: UInt64

    init(_ type: UInt64) {
        self.type = type
    }

    var description: String {
        "record \(type)" + (RecordName.name(ofType: type).map { " (\($0))" } ?? "")
    }
}

extension RecordFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch self {
        case .text(let fault): fault.rule
        case .stream(let fault): "stream-" + fault.rule
        case .malformed(_, .encoding(let fault)): "value-" + fault.rule
        case .malformed(_, .notAPoint): "value-not-a-point"
        case .malformed(_, .path(.invalidFirstPathKey)): "path-invalid-path-key"
        case .malformed(_, .path(let fault)): "path-" + fault.rule
        case .wrongPrefix, .unknownEvenType: caseName
        }
    }
}
