import ChildProcesses
import Glibc
import TemporaryFolders

/// OpenSSL's own test server on a free port of 127.0.0.1, with a certificate that it has signed itself. It answers a GET
/// with the file of that path, which holds the whole answer, header fields included; one connection after the other.
package final class SecureFileServer: Sendable {
    /// The tool; without it there is no such server.
    package static let tool = "/usr/bin/openssl"

    /// Whether the tool is here.
    package static var isAvailable: Bool { access(tool, X_OK) == 0 }

    /// The port that the system gave.
    package let port: UInt16
    private let identity: ServerIdentity
    private let folder = TemporaryFolder()
    private let process: BackgroundProcess

    /// The file of its certificate.
    package var certificate: String { identity.certificate }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - answers: whole answers by path, such as `/v1/getinfo`.
    package convenience init(_ identity: ServerIdentity, answers: [String: LoopbackAnswer]) async throws {
        try await self.init(identity) { _ in answers }
    }

    /// Starts a server whose answers name its port.
    package init(_ identity: ServerIdentity, answers: (_ port: UInt16) -> [String: LoopbackAnswer]) async throws {
        self.identity = identity
        let output = folder.path + "/.output"
        try writeFile([], to: output)
        process = try BackgroundProcess(
            Self.tool,
            ["s_server", "-accept", "127.0.0.1:0", "-HTTP", "-key", identity.key, "-cert", identity.certificate],
            in: folder.path, output: output)
        port = try await Self.port(from: output)
        // The tool reads a file when it is asked for.
        for (path, answer) in answers(port) {
            var file = folder.path
            let names = path.split(separator: "/").map(String.init)
            for name in names.dropLast() {
                file += "/" + name
                mkdir(file, 0o700)
            }
            try writeFile(Self.closing(answer.bytes), to: file + "/" + (names.last ?? "index"))
        }
    }

    /// The answer with the announcement that the connection ends behind it: the tool serves one after the other.
    private static func closing(_ answer: [UInt8]) -> [UInt8] {
        guard let end = answer.firstIndex(of: UInt8(ascii: "\n")) else { return answer }
        return answer[...end] + Array("Connection: close\r\n".utf8) + answer[(end + 1)...]
    }

    /// Waits until the tool has said at which port it listens.
    private static func port(from output: String) async throws -> UInt16 {
        while true {
            let text = String(decoding: try contentsOfFile(output), as: UTF8.self)
            if let line = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .first(where: { $0.hasPrefix("ACCEPT 127.0.0.1:") }), let port = UInt16(line.dropFirst(17))
            {
                return port
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

/// A key and a certificate that is signed with it.
package final class ServerIdentity: Sendable {
    private let folder = TemporaryFolder()

    /// The file of the key.
    package var key: String { folder.path + "/key" }

    /// The file of the certificate.
    package var certificate: String { folder.path + "/certificate" }

    /// Makes both, for a name such as `IP:127.0.0.1`.
    ///
    /// - Parameters:
    ///   - authority: signs the certificate; nil for one that signs itself.
    ///   - days: how long it is valid; a negative number for one that has expired.
    package init(for name: String, issuedBy authority: ServerIdentity? = nil, days: Int = 30) async throws {
        let made = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key]
        let named = ["-addext", "subjectAltName=" + name]
        guard let authority else {
            try await Self.run(made + named + ["-x509", "-subj", "/CN=test", "-days", "\(days)", "-out", certificate])
            return
        }
        let request = folder.path + "/request"
        try await Self.run(made + named + ["-subj", "/CN=issued", "-out", request])
        try await Self.run(
            ["x509", "-req", "-in", request, "-CA", authority.certificate, "-CAkey", authority.key, "-copy_extensions"]
                + ["copyall", "-set_serial", "7", "-days", "\(days)", "-out", certificate])
    }

    private static func run(_ arguments: [String]) async throws {
        let status = try await ChildProcess.run(
            SecureFileServer.tool, arguments, input: "/dev/null", output: "/dev/null", errors: "/dev/null")
        guard status == 0 else { throw LoopbackFault(code: status) }
    }
}
