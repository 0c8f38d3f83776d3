#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An IP address.
public enum IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// Version 4, as a number (127.0.0.1 is 0x7F000001).
    case v4(UInt32)
    /// Version 6, as its two halves.
    case v6(high: UInt64, low: UInt64)

    /// Parses the numeric form, `192.0.2.1` or `2001:db8::1`, without brackets or zone.
    public init?(_ text: String) {
        // `inet_pton` alone would stop at a zero byte.
        guard !text.utf8.contains(0) else { return nil }
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self = .v4(UInt32(bigEndian: v4.s_addr))
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            guard let address = withUnsafeBytes(of: v6, { IPAddress(bytes: $0) }) else { return nil }
            self = address
        } else {
            return nil
        }
    }

    /// The numeric form.
    public var description: String {
        // The longest has 45 characters, plus the terminator.
        var text = [CChar](repeating: 0, count: 46)
        switch self {
        case .v4(let number):
            var address = in_addr(s_addr: number.bigEndian)
            _ = inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
        case .v6(let high, let low):
            var halves = (high.bigEndian, low.bigEndian)
            _ = inet_ntop(AF_INET6, &halves, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The address from 4 or 16 bytes in network order; `nil` for any other number of bytes.
    public init?(bytes: some Collection<UInt8>) {
        func number(_ bytes: some Collection<UInt8>) -> UInt64 {
            bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
        switch bytes.count {
        case 4: self = .v4(UInt32(truncatingIfNeeded: number(bytes)))
        case 16: self = .v6(high: number(bytes.prefix(8)), low: number(bytes.dropFirst(8)))
        default: return nil
        }
    }

    /// Whether it is of this machine only.
    package var isLoopback: Bool {
        switch self {
        case .v4(let number): number >> 24 == 127
        case .v6(let high, let low): (high, low) == (0, 1)
        }
    }

    /// The number of its bits.
    package var width: Int { if case .v4 = self { 32 } else { 128 } }

    /// The address with the bits after a prefix cleared. Swift's shifts by the full width or more give zero.
    package func masked(to length: Int) -> IPAddress {
        switch self {
        case .v4(let number): .v4(number & (UInt32.max << (32 - length)))
        case .v6(let high, let low):
            .v6(high: high & (UInt64.max << max(0, 64 - length)), low: low & (UInt64.max << min(64, 128 - length)))
        }
    }

    /// The same address, or the IPv4 address in `::ffff:a.b.c.d`: a dual-stack listener sees its IPv4 clients in that
    /// form.
    public var withoutMapping: IPAddress {
        if case .v6(0, let low) = self, low >> 32 == 0xFFFF { return .v4(UInt32(truncatingIfNeeded: low)) }
        return self
    }
}
