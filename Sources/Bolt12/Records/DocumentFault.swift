import BlindedPaths

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
