import Dispatch
import LightningCoding
import LoopbackServer
import Testing

@testable import OutboundHTTP

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite("Dead peers", .timeLimit(.minutes(5)))
struct KeepAliveTests {
    @Test("A dead peer is detected within a minute")
    func withinAMinute() {
        let probing = KeepAlive.standard
        #expect(probing.idle + probing.interval * probing.probes <= 60)
    }

    #if canImport(Glibc)
    @Test("The system probes a socket as configured")
    func options() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        func value(_ level: Int32, _ option: Int32) -> Int32 {
            var value: Int32 = -1
            var length = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, level, option, &value, &length) == 0 ? value : -1
        }
        #expect(value(SOL_SOCKET, SO_KEEPALIVE) == 0)
        KeepAlive(idle: 21, interval: 11, probes: 4).apply(to: descriptor)
        #expect(value(SOL_SOCKET, SO_KEEPALIVE) == 1)
        let tcp = Int32(IPPROTO_TCP)
        #expect(value(tcp, TCP_KEEPIDLE) == 21 && value(tcp, TCP_KEEPINTVL) == 11 && value(tcp, TCP_KEEPCNT) == 4)
    }
    #endif

    #if os(Linux)
    @Test("An idle stream is probed, whoever used its connection before")
    func streams() async throws {
        let end = DispatchSemaphore(value: 0)
        let server = try LoopbackServer(raw: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            end.wait()
        })
        defer { end.signal() }
        let client = try HTTPClient()
        let request = HTTPRequest(
            .get, try HTTPURL("http://127.0.0.1:\(server.port)/events"), timeout: .seconds(120))
        _ = try await client.send(request)
        let events = client.stream(request).makeAsyncIterator()
        guard case .head(200, _)? = try await events.next() else {
            Issue.record("no head")
            return
        }
        let timer = try #require(try Self.timers(toPort: server.port).first)
        #expect(timer.kind == "02", "no keepalive timer is set")
        #expect(timer.hundredths <= UInt64(KeepAlive.standard.idle) * 100)
    }

    /// The kernel's timers of the established connections to a local port: kind 2 is keep-alive (`proc_net_tcp`).
    private static func timers(toPort port: UInt16) throws -> [(kind: Substring, hundredths: UInt64)] {
        let file = try #require(fopen("/proc/self/net/tcp", "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let text = String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
        let digits = String(port, radix: 16, uppercase: true)
        let remote = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[2].hasSuffix(remote), fields[3] == "01" else { return nil }
            let timer = fields[5].split(separator: ":")
            return timer.count == 2 ? (timer[0], UInt64(timer[1], radix: 16) ?? .max) : nil
        }
    }
    #endif
}
