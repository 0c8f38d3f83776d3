/// The specification's names of the record types. No two documents that follow from one another use a type for
/// different things, so one table serves offers, invoice requests and invoices.
public enum RecordName {
    private static let names = Dictionary(
        uniqueKeysWithValues: Namespace.invoice.rows.map { ($0.type, $0.name) })

    /// `offer_issuer_id` for 22; nil for a type that is not known here.
    public static func name(ofType type: UInt64) -> String? {
        names[type]
    }
}
