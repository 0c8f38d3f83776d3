public import LightningCoding

/// Why an `InvoiceError` cannot be parsed or created (BOLT 12, "Invoice Errors").
public enum InvoiceErrorFault: Error, NamedRule, Hashable, Sendable {
    /// Not a TLV stream of BOLT 12.
    case record(RecordFault)
    /// No `error`.
    case missingMessage
    /// `suggested_value` without `erroneous_field`.
    case suggestionWithoutField
}

/// The rejection of an invoice request or an invoice (BOLT 12, "Invoice Errors").
public struct InvoiceError: Hashable, Sendable {
    /// What is wrong, for people.
    public let message: String
    /// The type of the erroneous record.
    public let erroneousField: UInt64?
    /// A value that would be accepted for this record.
    public let suggestedValue: [UInt8]?

    /// Throws `suggestionWithoutField`.
    public init(
        _ message: String, erroneousField: UInt64? = nil, suggestedValue: [UInt8]? = nil
    ) throws(InvoiceErrorFault) {
        guard suggestedValue == nil || erroneousField != nil else { throw .suggestionWithoutField }
        self.message = message
        self.erroneousField = erroneousField
        self.suggestedValue = suggestedValue
    }

    /// Parses a TLV stream. The specification has no rules for the reader yet; the writer's are applied.
    public init(bytes: [UInt8]) throws(InvoiceErrorFault) {
        var fields = InvoiceErrorFields()
        try rethrowing(
            Namespace.invoiceError.read(TLVStream(received: bytes).records, into: &fields), as: InvoiceErrorFault.record
        )
        guard let message = fields.message else { throw .missingMessage }
        try self.init(message, erroneousField: fields.erroneousField, suggestedValue: fields.suggestedValue)
    }

    /// The TLV stream.
    public var bytes: [UInt8] {
        let fields = InvoiceErrorFields(
            erroneousField: erroneousField, suggestedValue: suggestedValue, message: message)
        return Namespace.invoiceError.records(of: fields).flatMap(\.raw)
    }
}

private struct InvoiceErrorFields: Sendable {
    var erroneousField: UInt64?
    var suggestedValue: [UInt8]?
    var message: String?
}

extension Namespace<InvoiceErrorFields> {
    /// `tlv_stream`: `invoice_error`
    fileprivate static let invoiceError = Namespace(rows: [
        Row(1, "erroneous_field", \.erroneousField, .truncated),
        Row(3, "suggested_value", \.suggestedValue, .bytes),
        Row(5, "error", \.message, .utf8),
    ])
}
