import Glibc
import LightningCoding
import LoopbackServer
import OutboundHTTP
import Platform
import Testing
import Waiting

@Suite("Hosts whose name servers are silent", .timeLimit(.minutes(5)))
struct SilentNamesTests {
    /// Answers with 200; `/hang` once it may.
    private let server: LoopbackServer
    private let mayAnswer = Guarded(false)
    private let silent: [String]

    init() throws {
        server = try LoopbackServer(raw: { [mayAnswer] connection in
            while let request = connection.readRequest() {
                while request.target == "/hang", !mayAnswer.withLock({ $0 }) { usleep(1000) }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            }
        })
        silent = (1...4).map { [port = server.port] in "silent-\($0)-\(port).example" }
        for name in silent { ChangingNames.set(name, to: []) }
    }

    private func ask(
        _ host: String, _ client: HTTPClient, _ path: String = "/", port: UInt16? = nil
    ) async throws -> Result<Int, OutboundFault> {
        let url = try HTTPURL("http://\(host):\(port ?? server.port)\(path)")
        do throws(OutboundFault) {
            return .success(try await client.send(HTTPRequest(.get, url, timeout: .seconds(50))).status)
        } catch {
            return .failure(error)
        }
    }

    @Test("So many requests wait for the address of their host; one more is refused, unless its host is known")
    func limit() async throws {
        defer { for name in silent { ChangingNames.set(name, to: ["127.0.0.1"]) } }
        var configuration = HTTPClient.Configuration()
        configuration.maximumConcurrencyUnresolved = 2
        let client = try HTTPClient(configuration)
        let known = "known-\(server.port).example"
        ChangingNames.set(known, to: ["127.0.0.1"])
        #expect(try await ask(known, client) == .success(200))
        let waiting = silent.prefix(2).map { host in Task { try await ask(host, client) } }
        try await eventually { silent.prefix(2).allSatisfy { ChangingNames.isAwaited($0) } }
        #expect(try await ask(silent[2], client) == .failure(.overloaded))
        #expect(try await ask(known, client) == .success(200))
        #expect(try await ask("127.0.0.1", client) == .success(200))
        ChangingNames.set(silent[0], to: ["127.0.0.1"])
        #expect(try await waiting[0].value == .success(200))
        let next = Task { try await ask(silent[3], client) }
        try await eventually { ChangingNames.isAwaited(silent[3]) }
        #expect(try await ask(silent[2], client) == .failure(.overloaded))
        for task in [waiting[1], next] {
            task.cancel()
            #expect(try await task.value == .failure(.canceled))
        }
    }

    @Test("A host that has answered before does not stand behind names that are silent, until it is silent itself")
    func knownHosts() async throws {
        let known = "known-\(server.port).example"
        defer { for name in silent + [known] { ChangingNames.set(name, to: ["127.0.0.1"]) } }
        ChangingNames.set(known, to: ["127.0.0.1"])
        var configuration = HTTPClient.Configuration()
        configuration.maximumConcurrencyUnresolved = 2
        configuration.resolveTimeout = .seconds(20)
        let client = try HTTPClient(configuration)
        #expect(try await ask(known, client) == .success(200))
        let waiting = silent.prefix(2).map { host in Task { try await ask(host, client) } }
        try await eventually { silent.prefix(2).allSatisfy { ChangingNames.isAwaited($0) } }
        #expect(try await ask(silent[2], client) == .failure(.overloaded))
        // Addresses are known for a host and port: at others it is looked for again.
        ChangingNames.set(known, to: [])
        let others = try (1...3).map { _ in try LoopbackServer { _ in LoopbackAnswer("") } }
        let again = others.prefix(2).map { other in
            Task { try await ask(known, client, port: other.port) }
        }
        try await eventually { ChangingNames.isAwaited(known) }
        #expect(try await ask(silent[3], client) == .failure(.overloaded))
        ChangingNames.set(known, to: ["127.0.0.1"])
        for task in again { #expect(try await task.value == .success(200)) }
        for task in waiting { task.cancel() }
        for task in waiting { #expect(try await task.value == .failure(.canceled)) }
    }

    @Test(
        "Eight hosts in a network are known, and one that has become silent is not, though nobody waits until its time")
    func forgottenHosts() async throws {
        let known = (1...9).map { "known-\($0)-\(server.port).example" }
        defer { for name in silent + known { ChangingNames.set(name, to: ["127.0.0.1"]) } }
        var configuration = HTTPClient.Configuration()
        configuration.maximumConcurrencyUnresolved = 2
        let client = try HTTPClient(configuration)
        for name in known {
            ChangingNames.set(name, to: ["127.0.0.1"])
            #expect(try await ask(name, client) == .success(200))
            ChangingNames.set(name, to: [])
        }
        var waiting = silent.prefix(2).map { host in Task { try await ask(host, client) } }
        try await eventually { silent.prefix(2).allSatisfy { ChangingNames.isAwaited($0) } }
        let other = try LoopbackServer { _ in LoopbackAnswer("") }
        #expect(try await ask(known[8], client, port: other.port) == .failure(.overloaded))
        for name in known.prefix(2) {
            let gone = Task { try await ask(name, client, port: other.port) }
            try await eventually { ChangingNames.isAwaited(name) }
            gone.cancel()
            #expect(try await gone.value == .failure(.canceled))
            #expect(try await ask(name, client, port: other.port) == .failure(.overloaded))
        }
        waiting.append(Task { try await ask(known[7], client, port: other.port) })
        try await eventually { ChangingNames.isAwaited(known[7]) }
        for task in waiting {
            task.cancel()
            #expect(try await task.value == .failure(.canceled))
        }
    }

    @Test("A request whose host has no address in time ends; one whose host has an address has its own time")
    func time() async throws {
        defer { for name in silent { ChangingNames.set(name, to: ["127.0.0.1"]) } }
        var configuration = HTTPClient.Configuration()
        configuration.resolveTimeout = .milliseconds(50)
        let client = try HTTPClient(configuration)
        let slow = Task { try await ask("127.0.0.1", client, "/hang") }
        try await eventually { server.connections == 1 }
        for host in silent { #expect(try await ask(host, client) == .failure(.resolve)) }
        mayAnswer.withLock { $0 = true }
        #expect(try await slow.value == .success(200))
    }
}
