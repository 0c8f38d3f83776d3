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
