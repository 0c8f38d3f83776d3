import BackendContract
import ChildProcesses
import LightningCoding
import LoopbackServer
import ResponderModel
import TemporaryFolders
import Testing
@testable import CoreLightning

@Suite("clnrest over TLS", .enabled(if: SecureFileServer.isAvailable), .timeLimit(.minutes(5)))
struct TLSTests {
    private let folder = TemporaryFolder()
    /// The peer's reply over TLS is not HTTP, which shows that the connection worked.
    private let comesBack = BackendFault.malformedAnswer("no HTTP")
    private let refusal = BackendFault.refused("the server's certificate is self-signed")
    private let otherName = BackendFault.refused("the server's certificate is for another name")

    private func backend(
        at port: UInt16, host: String = "127.0.0.1", trusting file: String?
    ) throws -> CoreLightningBackend {
        let rune = folder.path + "/rune"
        try writeFile(Array(NodeFixture.rune.utf8), to: rune)
        let transport = CoreLightningConfiguration.Transport.rest(
            url: try HTTPURL("https://\(host):\(port)"), runePath: rune, certificatePath: file)
        return try CoreLightningBackend(CoreLightningConfiguration(transport: transport))
    }

    private func fault(_ backend: CoreLightningBackend) async -> BackendFault? {
        await BackendContract.fault { () async throws(BackendFault) in _ = try await backend.nodeInfo() }
    }

    @Test("Only the given certificate is trusted, and only for its name")
    func pinned() async throws {
        let server = try await SecureServer(ServerIdentity(for: "IP:127.0.0.1"))
        let other = try await ServerIdentity(for: "IP:127.0.0.1")
        #expect(await fault(try backend(at: server.port, trusting: server.certificate)) == comesBack)
        #expect(await fault(try backend(at: server.port, trusting: other.certificate)) == refusal)
        #expect(await fault(try backend(at: server.port, trusting: nil)) == refusal)
        #expect(await fault(try backend(at: server.port, host: "localhost", trusting: server.certificate)) == otherName)
        #expect(!refusal.isTransient)
    }

    @Test("A changed certificate is rejected until the file holds the new one")
    func changed() async throws {
        let server = try await SecureServer(ServerIdentity(for: "IP:127.0.0.1"))
        let path = folder.path + "/ca.pem"
        let old = try await ServerIdentity(for: "IP:127.0.0.1")
        try writeFile(try contentsOfFile(old.certificate), to: path, mode: 0o644)
        let backend = try backend(at: server.port, trusting: path)
        #expect(await fault(backend) == refusal)
        #expect(await fault(backend) == refusal)
        try writeFile(try contentsOfFile(server.certificate), to: path, mode: 0o644)
        #expect(await fault(backend) == comesBack)
    }

    @Test("A certificate file that is missing or empty is reported; later it is read")
    func certificateFile() async throws {
        let server = try await SecureServer(ServerIdentity(for: "IP:127.0.0.1"))
        let path = folder.path + "/ca.pem"
        let backend = try backend(at: server.port, trusting: path)
        #expect(await fault(backend) == .refused("the certificate file \(path): no such file"))
        try writeFile(Array("no certificate".utf8), to: path, mode: 0o644)
        #expect(await fault(backend) == .refused("the file of trusted certificates cannot be read"))
        try writeFile(try contentsOfFile(server.certificate), to: path, mode: 0o644)
        #expect(await fault(backend) == comesBack)
    }

    @Test("A server that does not speak TLS is sent nothing")
    func plain() async throws {
        let server = try LoopbackServer(raw: { connection in
            _ = connection.read()
            connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
        })
        #expect(
            await fault(try backend(at: server.port, trusting: nil)) == .unreachable("the TLS handshake failed"))
        withExtendedLifetime(server) {}
    }
}

/// OpenSSL's own test server on a free port, which returns every line with its characters reversed.
private final class SecureServer: Sendable {
    let port: UInt16
    private let identity: ServerIdentity
    private let folder = TemporaryFolder()
    private let process: BackgroundProcess

    var certificate: String { identity.certificate }

    init(_ identity: ServerIdentity) async throws {
        self.identity = identity
        let output = folder.path + "/output"
        try writeFile([], to: output)
        process = try BackgroundProcess(
            SecureFileServer.tool,
            ["s_server", "-rev", "-accept", "127.0.0.1:0", "-key", identity.key, "-cert", identity.certificate],
            output: output)
        var text = ""
        while !text.contains("ACCEPT 127.0.0.1:") || !text.hasSuffix("\n") {
            try await Task.sleep(for: .milliseconds(1))
            text = String(decoding: try contentsOfFile(output), as: UTF8.self)
        }
        port = try #require(UInt16(text.drop { $0 != ":" }.dropFirst().prefix { $0.isNumber }))
    }
}
