#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// TCP keep-alive probes of an idle connection (RFC 9293, section 3.8.4): when they begin, and how many may go
/// unanswered before the connection is dropped.
struct KeepAlive: Hashable, Sendable {
    /// Seconds of silence before the first probe.
    let idle: Int32
    let interval: Int32
    /// How many in a row may go unanswered.
    let probes: Int32

    /// A dead peer is detected after 50 seconds.
    static let standard = KeepAlive(idle: 20, interval: 10, probes: 3)

    /// Enables keep-alive on a TCP socket; other sockets are left unchanged.
    func apply(to descriptor: Int32) {
        #if canImport(Darwin)
        let idleOption = TCP_KEEPALIVE
        #else
        let idleOption = TCP_KEEPIDLE
        #endif
        let tcp = Int32(IPPROTO_TCP)
        for (option, value) in [(idleOption, idle), (TCP_KEEPINTVL, interval), (TCP_KEEPCNT, probes)] {
            guard Self.set(descriptor, tcp, option, value) else { return }
        }
        _ = Self.set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) -> Bool {
        var value = value
        return setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }
}
