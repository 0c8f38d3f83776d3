package import LightningCoding

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The purpose of an address, by the IANA registries of special-purpose addresses.
package enum AddressClass: Hashable, Sendable {
    case global
    case loopback
    /// "Any local address"; connecting to it reaches loopback on many systems.
    case unspecified
    /// A private network (RFC 1918, unique local addresses).
    case privateUse
    /// The local link, where cloud machines find their metadata.
    case linkLocal
    /// A carrier-grade NAT (RFC 6598).
    case carrierGradeNAT
    case multicast
    /// A cloud provider's internal service at an otherwise public address.
    case metadataService
    /// An IPv4 address embedded in IPv6 (mapped, compatible, NAT64, 6to4, Teredo): another form of any address above.
    case translated
    /// Documentation, benchmarks, protocol assignments, future use.
    case reserved
}

extension IPAddress {
    package var addressClass: AddressClass {
        switch self {
        case .v4(let address):
            return Self.rangesV4.first { address >> (32 - $0.length) == $0.prefix >> (32 - $0.length) }?.kind ?? .global
        case .v6(let high, let low):
            if let range = Self.rangesV6.first(where: { $0.contains(high: high, low: low) }) { return range.kind }
            // Only 2000::/3 is allocated.
            return high >> 61 == 0b001 ? .global : .reserved
        }
    }

    private static let rangesV4: [(prefix: UInt32, length: UInt32, kind: AddressClass)] = [
        (0x00_00_00_00, 8, .unspecified),
        (0x0A_00_00_00, 8, .privateUse),
        (0x64_40_00_00, 10, .carrierGradeNAT),
        (0x7F_00_00_00, 8, .loopback),
        (0xA8_3F_81_10, 32, .metadataService),  // 168.63.129.16, Azure
        (0xA9_FE_00_00, 16, .linkLocal),  // includes 169.254.169.254
        (0xAC_10_00_00, 12, .privateUse),
        (0xC0_00_00_00, 24, .reserved),  // includes 192.0.0.192, Oracle's metadata
        (0xC0_00_02_00, 24, .reserved),
        (0xC0_58_63_00, 24, .reserved),  // 6to4 relays
        (0xC0_A8_00_00, 16, .privateUse),
        (0xC6_12_00_00, 15, .reserved),
        (0xC6_33_64_00, 24, .reserved),
        (0xCB_00_71_00, 24, .reserved),
        (0xE0_00_00_00, 4, .multicast),
        (0xF0_00_00_00, 4, .reserved),
    ]

    private static let rangesV6: [RangeV6] = [
        RangeV6(0, 0, length: 128, .unspecified),
        RangeV6(0, 1, length: 128, .loopback),
        RangeV6(0, 0, length: 96, .translated),  // ::a.b.c.d
        RangeV6(0, 0x0000_FFFF_0000_0000, length: 96, .translated),  // ::ffff:a.b.c.d
        RangeV6(0, 0xFFFF_0000_0000_0000, length: 80, .translated),  // ::ffff:0:a.b.c.d
        RangeV6(0x0064_FF9B_0000_0000, 0, length: 96, .translated),  // NAT64
        RangeV6(0x0064_FF9B_0001_0000, 0, length: 48, .translated),  // local NAT64
        RangeV6(0x2001_0000_0000_0000, 0, length: 32, .translated),  // Teredo
        RangeV6(0x2001_0000_0000_0000, 0, length: 23, .reserved),
        RangeV6(0x2001_0DB8_0000_0000, 0, length: 32, .reserved),
        RangeV6(0x2002_0000_0000_0000, 0, length: 16, .translated),  // 6to4
        RangeV6(0x3FFF_0000_0000_0000, 0, length: 20, .reserved),
        RangeV6(0xFC00_0000_0000_0000, 0, length: 7, .privateUse),  // includes fd00:ec2::254, Amazon's metadata
        RangeV6(0xFE80_0000_0000_0000, 0, length: 10, .linkLocal),
        RangeV6(0xFEC0_0000_0000_0000, 0, length: 10, .privateUse),
        RangeV6(0xFF00_0000_0000_0000, 0, length: 8, .multicast),
    ]
}

private struct RangeV6: Sendable {
    let high: UInt64
    let low: UInt64
    let length: Int
    let kind: AddressClass

    init(_ high: UInt64, _ low: UInt64, length: Int, _ kind: AddressClass) {
        self.high = high
        self.low = low
        self.length = length
        self.kind = kind
    }

    func contains(high otherHigh: UInt64, low otherLow: UInt64) -> Bool {
        // A smart shift by 64 or more gives zero, so that half is ignored.
        (high ^ otherHigh) >> max(0, 64 - length) == 0 && (low ^ otherLow) >> min(64, 128 - length) == 0
    }
}

extension IPAddress {
    /// The address in a socket address, if it is IPv4 or IPv6.
    init?(_ address: UnsafeRawPointer, family: Int32) {
        switch family {
        case AF_INET:
            let number = address.load(as: sockaddr_in.self).sin_addr.s_addr
            self = .v4(UInt32(bigEndian: number))
        case AF_INET6:
            let number = address.load(as: sockaddr_in6.self).sin6_addr
            guard let found = withUnsafeBytes(of: number, { IPAddress(bytes: $0) }) else { return nil }
            self = found
        default: return nil
        }
    }
}
