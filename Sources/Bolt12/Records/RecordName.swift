/// The specification's names of the record types. Related documents never reuse a type, so one table serves offers,
/// invoice requests and invoices.
public enum RecordName {
    private static let names = Dictionary(
        uniqueKeysWithValues: Namespace.invoice.rows.map { ($0.type, $0.name) })

    /// `offer_issuer_id` for 22; nil for an unknown type.
    public static func name(ofType type: UInt64) -> String? {
        names[type]
    }
}
