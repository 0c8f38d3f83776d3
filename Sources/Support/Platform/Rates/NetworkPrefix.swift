package import LightningCoding

/// A range of addresses: `10.0.0.0/8`, `fd00::/8`, or a single address.
package struct NetworkPrefix: Hashable, Sendable, CustomStringConvertible {
    private let address: IPAddress
    /// The number of leading bits that count.
    private let length: Int

    /// Reads `ADDRESS/LENGTH` or `ADDRESS`; `nil` when it is neither, or when a bit after the prefix is set, which
    /// suggests a mistake.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
        var length = address.width
        if parts.count == 2 {
            guard let written = UInt8(parts[1]), String(written) == parts[1], Int(written) <= length else { return nil }
            length = Int(written)
        }
        self.address = address
        self.length = length
        guard address.masked(to: length) == address else { return nil }
    }

    /// `ADDRESS/LENGTH`.
    package var description: String { "\(address)/\(length)" }

    /// Whether the address is in the range. An IPv4-mapped IPv6 address counts as IPv4.
    package func contains(_ other: IPAddress) -> Bool {
        let other = other.withoutMapping
        return other.width == address.width && other.masked(to: length) == address
    }
}
