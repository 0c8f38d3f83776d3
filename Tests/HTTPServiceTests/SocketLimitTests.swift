import LightningCoding
import Platform
import Testing
import Waiting
@testable import HTTPService

@Suite("Connections of one client", .timeLimit(.minutes(5)))
struct SocketLimitTests {
    // Those that ask for nothing stay as long as the test takes.
    private let limits = ServiceLimits(headerTime: 600, connections: 64)

    /// A connection over which one request was answered; nil when it was closed instead.
    private func connection(to address: ListenAddress) async throws -> RawConnection? {
        let connection = try RawConnection(to: address)
        connection.send("GET /robots.txt HTTP/1.1\r\nHost: example.com\r\n\r\n")
        let answer = try await connection.response()
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        return answer.isEmpty ? nil : connection
    }

    @Test("A network has an eighth of the connections; what is closed or reset, in whatever state, makes room")
    func network() async throws {
        try await RunningService.with(listen: "0.0.0.0", limits: limits) { _, payers, _, _ in
            var open: [RawConnection] = []
            for _ in 0..<7 { open.append(try #require(try await connection(to: payers))) }
            // One that asks for nothing counts too.
            open.append(try RawConnection(to: payers))
            try await eventually { try await connection(to: payers) == nil }
            for end in [RawConnection.close, RawConnection.reset] {
                for _ in 0..<3 {
                    end(open.removeLast())()
                    var next: RawConnection?
                    try await eventually {
                        next = try await connection(to: payers)
                        return next != nil
                    }
                    open.insert(try #require(next), at: 0)
                    #expect(try await connection(to: payers) == nil)
                }
            }
        }
    }

    @Test(
        "Those that come over a trusted proxy are many clients', and so are all where only this machine is listened to",
        arguments: [("0.0.0.0", "127.0.0.0/8"), ("127.0.0.1", nil)])
    func forwarders(listen: String, proxies: String?) async throws {
        let rates = ServiceRates(trustedProxies: [proxies].compactMap { $0.flatMap { NetworkPrefix($0) } })
        try await RunningService.with(listen: listen, limits: limits, rates: rates) { _, payers, _, _ in
            var open: [RawConnection] = []
            for _ in 0..<20 { open.append(try #require(try await connection(to: payers))) }
            #expect(open.count == 20)
        }
    }
}
