#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An address of the internet protocol, as a connection is about to be made to it.
public enum IPAddress: Hashable, Sendable {
    /// Version 4, as a number (127.0.0.1 is 0x7F000001).
    case v4(UInt32)
    /// Version 6, as its two halves.
    case v6(high: UInt64, low: UInt64)

    /// Reads the numeric form, `192.0.2.1` or `2001:db8::1`, without brackets or zone.
    public init?(_ text: String) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self = .v4(UInt32(bigEndian: v4.s_addr))
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(v6)
        } else {
            return nil
        }
    }

    /// The address in a socket address, when it is one of the internet protocol.
    init?(_ address: UnsafeRawPointer, family: Int32) {
        switch family {
        case AF_INET: self = .v4(UInt32(bigEndian: address.load(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6: self.init(address.load(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    private init(_ address: in6_addr) {
        let (high, low) = withUnsafeBytes(of: address) { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self = .v6(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }
}
