import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A local port in use.
final class TakenPort {
    private let descriptor: Int32
    let address: String

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 1) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        try #require(isListening)
        address = "127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
    }

    deinit {
        close(descriptor)
    }
}
