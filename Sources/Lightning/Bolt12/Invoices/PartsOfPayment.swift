/// Whether an invoice may be paid in parts (BOLT 12, "Invoice Features").
public enum PartsOfPayment: Hashable, Sendable {
    /// One part.
    case one
    /// One or several parts (bit 17).
    case severalAllowed
    /// Several parts (bit 16).
    case severalRequired

    static let requiredBit = 16
    private static let allowedBit = 17

    init(_ features: FeatureBits?) {
        self =
            if features?.contains(Self.requiredBit) ?? false {
                .severalRequired
            } else if features?.contains(Self.allowedBit) ?? false {
                .severalAllowed
            } else {
                .one
            }
    }

    /// The record's value; nil for none.
    var features: FeatureBits? {
        switch self {
        case .one: nil
        case .severalAllowed: FeatureBits([UInt16(Self.allowedBit)])
        case .severalRequired: FeatureBits([UInt16(Self.requiredBit)])
        }
    }
}
