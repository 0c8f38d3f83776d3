/// What an onion message is about: one BOLT 12 document, as a TLV stream that nobody has read yet.
public enum MessageContent: Hashable, Sendable {
    /// A payer asks for an invoice.
    case invoiceRequest([UInt8])
    /// The payee answers with one.
    case invoice([UInt8])
    /// One of them refuses what the other has sent.
    case invoiceError([UInt8])

    /// The TLV stream.
    public var bytes: [UInt8] {
        switch self {
        case .invoiceRequest(let bytes), .invoice(let bytes), .invoiceError(let bytes): bytes
        }
    }
}
