extension CodingFault {
    /// The name of the rule in vector files.
    public var rule: String {
        switch kind {
        case .truncated: "truncated"
        case .trailingBytes: "trailing-bytes"
        case .notMinimal: "not-minimal"
        case .leadingZero: "leading-zero"
        case .tooLong: "too-long"
        case .oddLength: "odd-length"
        case .invalidCharacter: "invalid-character"
        case .mixedCase: "mixed-case"
        case .missingSeparator: "missing-separator"
        case .emptyHumanReadablePart: "empty-human-readable-part"
        case .badChecksum: "bad-checksum"
        case .badPadding: "bad-padding"
        case .outOfOrder: "out-of-order"
        case .duplicate: "duplicate"
        case .invalidUTF8: "invalid-utf8"
        case .outOfRange: "out-of-range"
        case .empty: "empty"
        case .invalidContinuation: "invalid-continuation"
        }
    }
}
