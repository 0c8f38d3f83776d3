import LightningCoding

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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
