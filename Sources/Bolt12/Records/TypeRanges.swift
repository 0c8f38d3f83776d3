/// The types that each document may contain (BOLT 12, the "Requirements" of each).
enum TypeRanges {
    /// Those of an offer, mirrored by every document derived from it.
    static let offer: [ClosedRange<UInt64>] = [1...79, 1_000_000_000...1_999_999_999]
    /// Those of an invoice request except its signature, mirrored by the invoice.
    static let invoiceRequest: [ClosedRange<UInt64>] = [0...159, 1_000_000_000...2_999_999_999]
    /// Signatures, which the merkle tree does not cover.
    static let signatures: ClosedRange<UInt64> = 240...1000
}

extension [ClosedRange<UInt64>] {
    func contain(_ type: UInt64) -> Bool { contains { $0.contains(type) } }
}
