import ChildProcesses
import Glibc
import LightningCoding
import LoopbackServer
import Receiving
import TemporaryFolders
import Testing

@testable import CoreLightning

@Suite("clnrest over TLS", .enabled(if: SecureServer.isThere), .timeLimit(.minutes(1)))
struct TLSTests {
    private func fault(
        _ server: SecureServer, host: String = "127.0.0.1", trusting file: String?
    ) async throws -> BackendFault? {
        let door = CoreLightningConfiguration.Door.rest(
            url: try HTTPURL("https://\(host):\(server.port)"), rune: NodeOnBench.rune, certificates: file)
        do throws(BackendFault) {
            _ = try await CoreLightningBackend(CoreLightningConfiguration(door: door)).nodeInfo()
            return nil
        } catch {
            return error
        }
    }

    @Test("Only the certificate that was given is trusted; one that has changed is refused, and said to be")
    func pinned() async throws {
        let server = try await SecureServer()
        let changed = try await SecureServer()
        let refusal = BackendFault.refused("the server's certificate is not the one that is trusted")
        // What comes back over TLS is no HTTP, and so has come back.
        #expect(try await fault(server, trusting: server.certificate) == .malformedAnswer("no HTTP"))
        #expect(try await fault(changed, trusting: server.certificate) == refusal)
        #expect(try await fault(server, trusting: nil) == refusal)
        #expect(try await fault(server, trusting: "/none") == refusal)
        #expect(try await fault(server, host: "localhost", trusting: server.certificate) == refusal)
        #expect(!refusal.isTransient)
    }

    @Test("Who does not speak TLS is not spoken to")
    func plain() async throws {
        let server = try LoopbackServer(raw: { connection in
            _ = connection.read()
            connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
        })
        let door = CoreLightningConfiguration.Door.rest(
            url: try HTTPURL("https://127.0.0.1:\(server.port)"), rune: NodeOnBench.rune, certificates: nil)
        let backend = try CoreLightningBackend(CoreLightningConfiguration(door: door))
        await #expect(throws: BackendFault.refused("the server's certificate is not the one that is trusted")) {
            try await backend.nodeInfo()
        }
        withExtendedLifetime(server) {}
    }
}

/// OpenSSL's own test server, on a free port with a certificate for 127.0.0.1 that it has signed itself. It sends every line back
/// with its letters reversed. It lives for half a minute.
private final class SecureServer: Sendable {
    private static let tool = "/usr/bin/openssl"
    private static let timer = "/usr/bin/timeout"

    static let isThere = access(tool, X_OK) == 0 && access(timer, X_OK) == 0

    let port: UInt16
    private let folder = TemporaryFolder()

    var certificate: String { folder.path + "/certificate" }

    init() async throws {
        let path = folder.path
        let files = ["-keyout", path + "/key", "-out", path + "/certificate"]
        let status = try await ChildProcess.run(
            Self.tool,
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=test"]
                + ["-addext", "subjectAltName=IP:127.0.0.1"] + files,
            input: "/dev/null", output: "/dev/null", errors: "/dev/null")
        try #require(status == 0)
        let output = path + "/output"
        close(open(output, O_CREAT | O_WRONLY, 0o600))
        Task {
            try await ChildProcess.run(
                Self.timer,
                ["30", Self.tool, "s_server", "-rev", "-accept", "127.0.0.1:0"]
                    + ["-key", path + "/key", "-cert", path + "/certificate"],
                input: "/dev/null", output: output, errors: "/dev/null")
        }
        var text = ""
        while !text.contains("ACCEPT 127.0.0.1:") || !text.hasSuffix("\n") {
            try Task.checkCancellation()
            await Task.yield()
            text = String(decoding: Recorded.bytes(of: output), as: UTF8.self)
        }
        port = try #require(UInt16(text.drop { $0 != ":" }.dropFirst().prefix { $0.isNumber }))
    }
}
