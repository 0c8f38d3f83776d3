import Foundation
import Glibc
import LightningCoding
import OutboundHTTP
import TemporaryFolders
import Testing

@Suite("TLS", .enabled(if: FileManager.default.isExecutableFile(atPath: SecureServer.tool)))
struct TLSTests {
    private func outcome(
        _ host: String, _ server: SecureServer, trusting file: String?
    ) async throws -> Result<Int, OutboundFault> {
        var configuration = HTTPClient.Configuration()
        configuration.certificateAuthorities = file
        configuration.pinnedHosts = [
            try #require(PinnedHost(host: "pay.example", port: server.port, address: "127.0.0.1"))
        ]
        let request = HTTPRequest(.get, try HTTPURL("https://\(host):\(server.port)/"))
        let client = try HTTPClient(configuration)
        do throws(OutboundFault) {
            return .success(try await client.send(request).status)
        } catch {
            return .failure(error)
        }
    }

    @Test("A certificate is trusted only by its issuer and for its own name")
    func verification() async throws {
        let server = try await SecureServer(for: "IP:127.0.0.1")
        #expect(try await outcome("127.0.0.1", server, trusting: server.certificate) == .success(200))
        #expect(try await outcome("127.0.0.1", server, trusting: nil) == .failure(.tls))
        #expect(try await outcome("pay.example", server, trusting: server.certificate) == .failure(.tls))
    }

    @Test("A file of certificates that is not there is a TLS fault, not the system's trust")
    func missingFile() async throws {
        let server = try await SecureServer(for: "IP:127.0.0.1")
        #expect(try await outcome("127.0.0.1", server, trusting: "/none") == .failure(.tls))
    }
}

/// OpenSSL's own test server, on a free port with a certificate that it has signed itself.
private final class SecureServer {
    static let tool = "/usr/bin/openssl"

    let port: UInt16
    private let folder = TemporaryFolder()
    private let process: Process

    var certificate: String { folder.path + "/certificate" }

    init(for name: String) async throws {
        let files = ["-keyout", folder.path + "/key", "-out", folder.path + "/certificate"]
        let certify = Process()
        certify.executableURL = URL(filePath: Self.tool)
        certify.arguments =
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=test"]
            + ["-addext", "subjectAltName=" + name] + files
        certify.standardError = FileHandle.nullDevice
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            certify.terminationHandler = { _ in continuation.resume() }
            do { try certify.run() } catch { continuation.resume(throwing: error) }
        }
        process = Process()
        process.executableURL = URL(filePath: Self.tool)
        process.arguments =
            ["s_server", "-accept", "127.0.0.1:0", "-www"]
            + ["-key", folder.path + "/key", "-cert", folder.path + "/certificate"]
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        output.fileHandleForReading.readabilityHandler = { handle in
            continuation.yield(String(decoding: handle.availableData, as: UTF8.self))
        }
        try process.run()
        var text = ""
        for await line in lines {
            text += line
            if line.isEmpty || text.contains("ACCEPT 127.0.0.1:") && text.hasSuffix("\n") { break }
        }
        output.fileHandleForReading.readabilityHandler = nil
        port = try #require(UInt16(text.drop { $0 != ":" }.dropFirst().prefix { $0.isNumber }))
    }

    deinit {
        // It inherits from this thread that it must not hear gentler signals.
        kill(process.processIdentifier, SIGKILL)
    }
}
