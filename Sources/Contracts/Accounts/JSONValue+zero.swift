import LightningCoding

extension JSONValue {
    /// Whether a text in it contains U+0000.
    var containsZero: Bool {
        switch self {
        case .string(let text): text.utf8.contains(0)
        case .array(let elements): elements.contains(where: \.containsZero)
        case .object(let object): object.members.contains { $0.key.utf8.contains(0) || $0.value.containsZero }
        default: false
        }
    }
}
