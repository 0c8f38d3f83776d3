import LightningCoding
import LoopbackServer
import OutboundHTTP
import TemporaryFolders
import Testing

@Suite("TLS", .timeLimit(.minutes(5)), .enabled(if: SecureFileServer.isAvailable))
struct TLSTests {
    private func outcome(
        _ host: String, _ server: SecureFileServer, trusting file: String? = nil, pinning key: PinnedKey? = nil
    ) async throws -> Result<Int, OutboundFault> {
        var configuration = HTTPClient.Configuration()
        configuration.certificateAuthorities = file
        configuration.pinnedKey = key
        configuration.pinnedHosts = [
            try #require(PinnedHost(host: "pay.example", port: server.port, address: "127.0.0.1"))
        ]
        let request = HTTPRequest(.get, try HTTPURL("https://\(host):\(server.port)/a"))
        let client = try HTTPClient(configuration)
        do throws(OutboundFault) {
            return .success(try await client.send(request).status)
        } catch {
            return .failure(error)
        }
    }

    private func server() async throws -> SecureFileServer {
        try await SecureFileServer(ServerIdentity(for: "IP:127.0.0.1"), answers: ["/a": LoopbackAnswer("{}")])
    }

    @Test("A certificate is trusted only through its issuer and for its own name")
    func verification() async throws {
        let server = try await server()
        #expect(try await outcome("127.0.0.1", server, trusting: server.certificate) == .success(200))
        #expect(try await outcome("127.0.0.1", server) == .failure(.tls(.selfSigned)))
        #expect(try await outcome("pay.example", server, trusting: server.certificate) == .failure(.tls(.otherName)))
    }

    @Test("A missing certificate file is a TLS fault, not a fallback to the system's trust store")
    func missingFile() async throws {
        let server = try await server()
        #expect(try await outcome("127.0.0.1", server, trusting: "/none") == .failure(.tls(.unreadableAuthorities)))
    }

    @Test("An expired certificate, and one whose issuer is not sent, are told from one that is not trusted")
    func chain() async throws {
        let authority = try await ServerIdentity(for: "DNS:authority.example")
        let expired = try await ServerIdentity(for: "IP:127.0.0.1", issuedBy: authority, days: -1)
        let issued = try await ServerIdentity(for: "IP:127.0.0.1", issuedBy: authority)
        func outcome(
            _ identity: ServerIdentity, trusting file: String? = nil
        ) async throws -> Result<Int, OutboundFault> {
            let server = try await SecureFileServer(identity, answers: ["/a": LoopbackAnswer("{}")])
            return try await self.outcome("127.0.0.1", server, trusting: file)
        }
        #expect(try await outcome(issued, trusting: authority.certificate) == .success(200))
        #expect(try await outcome(issued) == .failure(.tls(.unknownIssuer)))
        #expect(try await outcome(expired, trusting: authority.certificate) == .failure(.tls(.expired)))
    }

    @Test("Only a pinned key counts, whoever signed the certificate and for whatever name")
    func pinned() async throws {
        let server = try await server()
        let key = try #require(PinnedKey(certificate: try contentsOfFile(server.certificate)))
        #expect(try await outcome("127.0.0.1", server, pinning: key) == .success(200))
        #expect(try await outcome("pay.example", server, pinning: key) == .success(200))
    }

    @Test("A server with a key other than the pinned one is reported as such, even if its certificate would be trusted")
    func otherKey() async throws {
        let server = try await server()
        let other = try await ServerIdentity(for: "IP:127.0.0.1")
        let key = try #require(PinnedKey(certificate: try contentsOfFile(other.certificate)))
        #expect(
            try await outcome("127.0.0.1", server, trusting: server.certificate, pinning: key) == .failure(.otherKey))
    }

    @Test("A file without a certificate has no key to pin")
    func noCertificate() async throws {
        let identity = try await ServerIdentity(for: "IP:127.0.0.1")
        #expect(try PinnedKey(certificate: contentsOfFile(identity.key)) == nil)
        #expect(PinnedKey(certificate: []) == nil)
        let begin = "-----BEGIN CERTIFICATE-----\n"
        let end = "\n-----END CERTIFICATE-----\n"
        #expect(PinnedKey(certificate: Array((begin + "AAAA").utf8)) == nil)
        #expect(PinnedKey(certificate: Array((begin + "AA" + end).utf8)) == nil)
    }

    @Test("Every truncated certificate is none")
    func cutCertificate() async throws {
        let identity = try await ServerIdentity(for: "IP:127.0.0.1")
        let text = String(decoding: try contentsOfFile(identity.certificate), as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        let bytes = try Base64.decode(lines.dropFirst().dropLast().joined())
        for count in stride(from: 0, to: bytes.count, by: 7) {
            let cut = [lines[0], Base64.encode(bytes.prefix(count)), lines[lines.count - 1]].joined(separator: "\n")
            #expect(PinnedKey(certificate: Array(cut.utf8)) == nil)
        }
    }
}
