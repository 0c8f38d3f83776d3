import Glibc
import LightningCoding
import Platform
import LoopbackServer
import TemporaryFolders
import Testing

@testable import CoreLightning

@Suite("The thread of a connection", .timeLimit(.minutes(1)))
struct SocketLoopTests {
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

    @Test("A thousand consecutive connections leave neither threads nor files behind")
    func noLeak() async throws {
        let server = try server()
        let before = used
        for number in 0..<1000 {
            let connection = try await SocketConnection.open(path, CommandLimits())
            _ = try await connection.call(command())
            // Those that are not closed are released.
            if number.isMultiple(of: 2) { connection.close() }
        }
        #expect(server.connections == 1000)
        // Tests that run in parallel have some of their own.
        try await until { used.threads < before.threads + 500 && used.files < before.files + 500 }
    }

    @Test("Failed connections leave nothing behind either")
    func noLeakOfFailures() async throws {
        let before = used
        for _ in 0..<1000 {
            await #expect(throws: CommandFault.unreachable("no such socket")) {
                try await SocketConnection.open(path, CommandLimits())
            }
        }
        try await until { used.threads < before.threads + 500 && used.files < before.files + 500 }
    }

    @Test("Closing during many calls fails them all, and no descriptor is used by another connection")
    func closedUnderLoad() async throws {
        let server = try server()
        for _ in 0..<50 {
            let connection = try await SocketConnection.open(path, CommandLimits())
            await withTaskGroup(of: CommandFault?.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        while true {
                            do throws(CommandFault) {
                                _ = try await connection.call(command())
                            } catch {
                                return error
                            }
                        }
                    }
                }
                group.addTask {
                    await Task.yield()
                    connection.close()
                    return .closed
                }
                for await fault in group { #expect(fault == .closed || fault == .connectionLost) }
            }
            #expect(!connection.isOpen)
        }
        withExtendedLifetime(server) {}
    }

    @Test("A command larger than the socket's buffer is sent as the node reads it")
    func largeCommand() async throws {
        let server = try server()
        let connection = try await SocketConnection.open(path, CommandLimits())
        #expect(try await connection.call(command(900_000)) == [:])
        withExtendedLifetime(server) {}
    }

    @Test("What the node sent before it disconnected is read, though it reads no more commands")
    func lastWords() async throws {
        let server = try LoopbackServer(path: path) { connection in
            connection.write(#"{"id":"responder:1","error":{"code":-32600,"message":"No"}}"#)
        }
        let connection = try await SocketConnection.open(path, CommandLimits())
        let fault = await #expect(throws: CommandFault.self) { try await connection.call(command(4_000_000)) }
        // A message that arrived before the command belongs to no command.
        let expected: Set<CommandFault?> = [
            .refused(code: -32600, message: "No"), .malformed("an answer without a request"), .connectionLost,
        ]
        #expect(expected.contains(fault))
        withExtendedLifetime(server) {}
    }

    @Test("A connection closed by the node is noticed without a command")
    func closedByNode() async throws {
        let server = try LoopbackServer(path: path) { _ in }
        let connection = try await SocketConnection.open(path, CommandLimits())
        try await until { !connection.isOpen }
        await #expect(throws: CommandFault.connectionLost) { try await connection.call(command()) }
        withExtendedLifetime(server) {}
    }

    @Test("Whoever learns that a connection was lost does not find it open")
    func notOpenAfterwards() async throws {
        let server = try LoopbackServer(path: path) { _ = $0.read() }
        for _ in 0..<50 {
            let connection = try await SocketConnection.open(path, CommandLimits())
            await #expect(throws: CommandFault.connectionLost) { try await connection.call(command()) }
            #expect(!connection.isOpen)
        }
        withExtendedLifetime(server) {}
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
        let first = try await SocketConnection.open(path, CommandLimits())
        var limits = CommandLimits()
        limits.connectTimeout = .milliseconds(20)
        await #expect(throws: CommandFault.unreachable("the node accepts no more connections")) {
            try await SocketConnection.open(path, limits)
        }
        withExtendedLifetime(first) {}
    }
}
