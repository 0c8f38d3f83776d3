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
        let width = Self.width(of: address)
        var length = width
        if parts.count == 2 {
            guard let written = UInt8(parts[1]), String(written) == parts[1], Int(written) <= width else { return nil }
            length = Int(written)
        }
        self.address = address
        self.length = length
        guard Self.masked(address, length) == address else { return nil }
    }

    /// `ADDRESS/LENGTH`.
    package var description: String { "\(address)/\(length)" }

    /// Whether the address is in the range. An IPv4-mapped IPv6 address counts as IPv4.
    package func contains(_ other: IPAddress) -> Bool {
        let other = other.withoutMapping
        return Self.width(of: other) == Self.width(of: address) && Self.masked(other, length) == address
    }

    private static func width(of address: IPAddress) -> Int {
        if case .v4 = address { 32 } else { 128 }
    }

    /// The address with the bits after the prefix cleared. Swift's shifts by the full width or more give zero.
    private static func masked(_ address: IPAddress, _ length: Int) -> IPAddress {
        switch address {
        case .v4(let number): .v4(number & (UInt32.max << (32 - length)))
        case .v6(let high, let low):
            .v6(
                high: high & (UInt64.max << max(0, 64 - length)), low: low & (UInt64.max << min(64, 128 - length)))
        }
    }
}
