import BlindedPaths

/// The faults of a document that has blinded paths.
protocol DocumentFault: Error {
    /// Its bytes are not even records.
    static func record(_ fault: RecordFault) -> Self
    /// One of its paths has no hop, which the specification names as a rule of its own.
    static var pathWithoutHops: Self { get }
}

extension OfferFault: DocumentFault {}
extension InvoiceRequestFault: DocumentFault {}
extension InvoiceFault: DocumentFault {}

extension DocumentFault {
    /// Turns the fault of a record into that of a document.
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
