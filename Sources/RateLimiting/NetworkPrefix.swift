public import LightningCoding

/// A range of addresses: `10.0.0.0/8`, `fd00::/8`, or one address alone.
public struct NetworkPrefix: Hashable, Sendable, CustomStringConvertible {
    private let address: IPAddress
    /// How many leading bits count.
    private let length: Int

    /// Reads `ADDRESS/LENGTH` or `ADDRESS`; `nil` when it is neither, or when a bit behind the prefix is set, since then
    /// something else was meant.
    public init?(_ text: String) {
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

    /// As it is read: `ADDRESS/LENGTH`.
    public var description: String { "\(address)/\(length)" }

    /// Whether the address lies in the range. An IPv4 address in its IPv6 spelling counts as IPv4.
    public func contains(_ other: IPAddress) -> Bool {
        let other = other.withoutMapping
        return Self.width(of: other) == Self.width(of: address) && Self.masked(other, length) == address
    }

    private static func width(of address: IPAddress) -> Int {
        if case .v4 = address { 32 } else { 128 }
    }

    /// The address with zeros behind the prefix. Swift's shifts by the full width or more give zero.
    private static func masked(_ address: IPAddress, _ length: Int) -> IPAddress {
        switch address {
        case .v4(let number): .v4(number & (UInt32.max << (32 - length)))
        case .v6(let high, let low):
            .v6(
                high: high & (UInt64.max << max(0, 64 - length)), low: low & (UInt64.max << min(64, 128 - length)))
        }
    }
}
