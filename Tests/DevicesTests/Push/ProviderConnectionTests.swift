import Devices
import LightningCoding
import OutboundHTTP
import Platform
import PushProviders
import Testing
import Waiting

@Suite("Requests over one connection with a provider", .timeLimit(.minutes(5)))
struct ProviderConnectionTests {
    let seen: Guarded<[String]>
    let server: HTTP2Server
    let connection: ProviderConnection

    init() async throws {
        let seen = Guarded<[String]>([])
        self.seen = seen
        server = try await HTTP2Server(streams: 100) { request in
            seen.withLock { $0.append(request.path) }
            return HTTP2Answer(200, after: request.path == "/stalled" ? .stall : .nothing)
        }
        var client = HTTPClient.Configuration()
        client.http2 = .priorKnowledge
        connection = ProviderConnection(client, maximum: 1)
    }

    private func send(_ path: String, timeout: Duration = .seconds(20)) async -> Result<Int, OutboundFault> {
        do throws(OutboundFault) {
            let url = try? HTTPURL("http://127.0.0.1:\(server.port)\(path)")
            guard let url else { return .failure(.resolve) }
            let request = HTTPRequest(.post, url, timeout: timeout)
            return .success(try await connection.send(request, .alert, key: nil) { _ in false }.status)
        } catch {
            return .failure(error)
        }
    }

    @Test("The end of a canceled request starts those that wait for it, on the same connection")
    func canceledOnItsWay() async throws {
        #expect(await send("/") == .success(200))
        let first = Task { await send("/stalled") }
        try await eventually { seen.withLock { $0 } == ["/", "/stalled"] }
        async let second = send("/a")
        async let third = send("/b")
        first.cancel()
        #expect(await first.value == .failure(.canceled))
        #expect(await second == .success(200))
        #expect(await third == .success(200))
        #expect(Set(seen.withLock { $0 }) == ["/", "/stalled", "/a", "/b"])
        #expect(server.record.connections == 1)
    }

    @Test("A request that is canceled while it waits is not sent")
    func canceledWhileWaiting() async throws {
        #expect(await send("/") == .success(200))
        let first = Task { await send("/stalled") }
        try await eventually { seen.withLock { $0 } == ["/", "/stalled"] }
        let second = Task { await send("/a") }
        second.cancel()
        #expect(await second.value == .failure(.canceled))
        first.cancel()
        _ = await first.value
        #expect(await send("/b") == .success(200))
        #expect(seen.withLock { $0 } == ["/", "/stalled", "/b"])
    }

    @Test("A task that is canceled beforehand sends nothing and holds up nobody")
    func canceledBefore() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await send("/stalled")
        }
        #expect(await task.value == .failure(.canceled))
        #expect(await send("/a") == .success(200))
    }

    @Test("A request that cannot be started is told why, and holds up nobody")
    func notStarted() async throws {
        var client = HTTPClient.Configuration()
        client.http2 = .priorKnowledge
        client.addressPolicy = AddressPolicy(scope: .any, hosts: [])
        let connection = ProviderConnection(client)
        let request = HTTPRequest(.post, try HTTPURL("http://127.0.0.1:\(server.port)/"))
        for _ in 0..<2 {
            await #expect(throws: OutboundFault.refusedAddress) {
                try await connection.send(request, .alert, key: nil) { _ in false }
            }
        }
        #expect(seen.withLock { $0 } == [])
    }
}
