import LightningCoding

/// Builds the data part of an invoice in one buffer of five-bit groups.
struct GroupWriter {
    /// The maximum of a field's ten-bit length.
    static let longestField = 1023

    private(set) var groups: [UInt8] = []

    init(capacity: Int) {
        groups.reserveCapacity(capacity)
    }

    /// Writes the lowest `count` groups of `value`, most significant first.
    mutating func write(_ value: UInt64, count: Int) {
        for index in (0..<count).reversed() {
            groups.append(UInt8(truncatingIfNeeded: value >> (UInt64(index) * 5)) & 31)
        }
    }

    /// Writes `value` in as few groups as possible: none for zero.
    mutating func writeMinimal(_ value: UInt64) {
        write(value, count: (UInt64.bitWidth - value.leadingZeroBitCount + 4) / 5)
    }

    mutating func write(groups more: some Sequence<UInt8>) {
        groups.append(contentsOf: more)
    }

    /// Writes `bytes`, padded with zero bits to a whole group.
    mutating func write(bytes: some Sequence<UInt8>) {
        groups += regroup(Array(bytes)[...], from: 8, to: 5, isPadded: true).groups
    }

    /// Writes type, length, and what `body` writes. False when that exceeds the maximum length.
    mutating func writeField(_ type: UInt8, _ body: (inout GroupWriter) -> Void) -> Bool {
        groups.append(type)
        let length = groups.count
        groups.append(0)
        groups.append(0)
        body(&self)
        let count = groups.count - length - 2
        guard count <= Self.longestField else { return false }
        groups[length] = UInt8(truncatingIfNeeded: count >> 5)
        groups[length + 1] = UInt8(truncatingIfNeeded: count & 31)
        return true
    }
}

/// Reads the data part of an invoice group by group.
struct GroupReader {
    private var rest: ArraySlice<UInt8>

    init(_ groups: ArraySlice<UInt8>) {
        rest = groups
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next `count` groups; nil when there are fewer.
    mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A number of `count` groups, at most twelve.
    mutating func readNumber(_ count: Int) -> UInt64? {
        read(count).map { $0.reduce(0) { $0 << 5 | UInt64($1) } }
    }
}
