import Glibc
import LightningCoding
import LoopbackServer
import ResponderModel
import TemporaryFolders
import Testing

@testable import CoreLightning

@Suite("Commands over the socket", .timeLimit(.minutes(5)))
struct SocketClientTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/lightning-rpc" }

    /// Answers everything with an empty object.
    private func server() throws -> LoopbackServer {
        try LoopbackServer(path: path) { connection in
            var splitter = DocumentSplitter(limits: JSONLimits())
            while case let bytes = connection.read(), !bytes.isEmpty {
                for document in (try? splitter.take(bytes)) ?? [] {
                    guard let id = try? JSONValue(parsing: document)["id"]?.serialized() else { return }
                    connection.write(#"{"id":\#(id),"result":{}}"#)
                }
            }
        }
    }

    private func command(_ bytes: Int = 0) -> Command {
        let text = String(repeating: "x", count: bytes)
        return Command(method: "m", parameters: ["text": .string(text)], timeout: .seconds(30))
    }

    private func count(_ folder: String) -> Int { TemporaryFolder.names(in: folder).count }

    /// Threads and descriptors of this process.
    private var used: (threads: Int, files: Int) { (count("/proc/self/task"), count("/proc/self/fd")) }

    private func client(_ limits: CallLimits = CallLimits()) -> SocketClient {
        SocketClient(path: path, limits)
    }

    @Test("A thousand consecutive commands leave neither threads nor files behind")
    func noLeak() async throws {
        let server = try server()
        let before = used
        let client = client()
        for _ in 0..<1000 { _ = try await client.call(command()) }
        #expect(server.connections == 1000)
        // Tests that run in parallel have some of their own.
        try await until { used.threads < before.threads + 500 && used.files < before.files + 500 }
    }

    @Test("Failed connections leave nothing behind either")
    func noLeakOfFailures() async throws {
        let before = used
        let client = client()
        for _ in 0..<1000 {
            await #expect(throws: CommandFault.backend(.unreachable("no such socket"))) {
                try await client.call(command())
            }
        }
        try await until { used.threads < before.threads + 500 && used.files < before.files + 500 }
    }

    @Test("A command larger than the socket's buffer is sent as the node reads it")
    func largeCommand() async throws {
        let server = try server()
        #expect(try await client().call(command(900_000)) == [:])
        withExtendedLifetime(server) {}
    }

    @Test("What the node sent before it disconnected is read, though it reads no more of the command")
    func lastWords() async throws {
        let server = try LoopbackServer(path: path) { connection in
            connection.write(#"{"id":"responder:1","error":{"code":-32600,"message":"No"}}"#)
        }
        let fault = await #expect(throws: CommandFault.self) { try await client().call(command(4_000_000)) }
        // The system may throw away what it has not delivered.
        let expected: Set<CommandFault?> = [.refused(code: -32600, message: "No"), .connectionLost]
        #expect(expected.contains(fault))
        withExtendedLifetime(server) {}
    }

    @Test("Commands that wait for events do not take the places of the others")
    func events() async throws {
        let server = try LoopbackServer(path: path) { $0.readToEnd() }
        var limits = CallLimits()
        limits.maximumConcurrency = 1
        let client = SocketClient(path: path, limits, mostEvents: 1)
        var event = command()
        event.waitsForEvent = true
        for command in [event, command()] {
            let waiting = Task { try await client.call(command) }
            try await until { server.connections == (command.waitsForEvent ? 1 : 2) }
            await #expect(throws: CommandFault.backend(.overloaded)) { try await client.call(command) }
            waiting.cancel()
            await #expect(throws: CommandFault.canceled) { try await waiting.value }
        }
    }

    @Test("Connecting to a node whose connection queue is full times out")
    func fullQueue() async throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        #expect(isBound && listen(descriptor, 0) == 0)
        var limits = CallLimits()
        limits.connectTimeout = .milliseconds(20)
        let first = try NodeSocket(connectingTo: path, within: .seconds(5))
        await #expect(throws: CommandFault.backend(.unreachable("the node accepts no more connections"))) {
            try await client(limits).call(command())
        }
        _ = consume first
    }
}
