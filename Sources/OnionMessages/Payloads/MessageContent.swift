/// The content of an onion message: one BOLT 12 document, as an unparsed TLV stream.
public enum MessageContent: Hashable, Sendable {
    /// A payer requests an invoice.
    case invoiceRequest([UInt8])
    /// The payee answers with one.
    case invoice([UInt8])
    /// One of them rejects what the other has sent.
    case invoiceError([UInt8])

    /// The TLV stream.
    public var bytes: [UInt8] {
        switch self {
        case .invoiceRequest(let bytes), .invoice(let bytes), .invoiceError(let bytes): bytes
        }
    }
}
