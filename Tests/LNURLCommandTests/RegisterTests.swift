import Foundation
import LightningCoding
import LightningCrypto
import LoopbackServer
import Platform
import Registrations
import TemporaryFolders
import Testing

/// A service for app users that answers each request with what a test wants, and notes it.
private final class RegistrationService: Sendable {
    private let server: LoopbackServer
    private let received: Guarded<[LoopbackRequest]>

    var url: String { "http://127.0.0.1:\(server.port)" }
    var requests: [LoopbackRequest] { received.withLock { $0 } }

    init(_ answer: LoopbackAnswer) throws {
        let received = Guarded<[LoopbackRequest]>([])
        self.received = received
        server = try LoopbackServer { request in
            received.withLock { $0.append(request) }
            return answer
        }
    }
}

@Suite("lnurl register, recover, unregister", .timeLimit(.minutes(5)))
struct RegisterTests {
    private let folder = TemporaryFolder()
    private static let webhook = "https://nds.example/api/v1/notify?platform=ios&token=s3cret-token"
    private static let registered = #"{"lnurl":"lnurl1abc","lightning_address":"alice@example.com"}"#

    private var keyFile: String { folder.path + "/wallet.key" }

    private func run(
        _ command: String, at service: RegistrationService, _ more: String..., input: String = ""
    ) async throws -> ToolRun {
        let webhook = input.isEmpty ? Self.webhook : "-"
        return try await ToolRun(
            [command, service.url, "--key-file", keyFile, "--webhook", webhook] + more, input: input)
    }

    /// The request, if its signature is that of the key in its path.
    private func signed(_ operation: BreezOperation, _ request: LoopbackRequest, below: String) throws -> BreezRequest {
        let body = try BreezRequest(json: JSONValue(parsing: request.body))
        let signer = try LightningMessage.recover(body.signature, message: operation.text(of: body))
        #expect(request.path == "/lnurlpay/\(signer.hexadecimal)\(below)")
        #expect(body.webhook == Self.webhook)
        return body
    }

    @Test("A registration is signed as breez-lnurl wants it, by a key that is made once and kept from others")
    func registers() async throws {
        let service = try RegistrationService(LoopbackAnswer(Self.registered))
        let first = try await run("register", at: service, "--name", "Alice", "--offer", "lno1abc", "--json")
        #expect(first.status == 0 && first.errors.isEmpty)
        #expect(try first.json["lightning_address"] == "alice@example.com" && first.json["lnurl"] == "lnurl1abc")
        let mode = try FileManager.default.attributesOfItem(atPath: keyFile)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try await run("register", at: service)
        #expect(again.output.contains("Address") && again.output.contains("alice@example.com"))
        #expect(service.requests.map(\.method) == ["POST", "POST"])
        #expect(service.requests[0].path == service.requests[1].path)
        let sent = try signed(.register, service.requests[0], below: "")
        #expect(sent.username == "Alice" && sent.offer == "lno1abc")
        #expect(try signed(.register, service.requests[1], below: "").username == nil)
        #expect(try first.json["key"]?.string.map { service.requests[0].path.hasSuffix($0) } == true)
    }

    @Test("What is registered is recovered and unregistered by the same key")
    func recovers() async throws {
        let service = try RegistrationService(LoopbackAnswer(Self.registered))
        _ = try await run("register", at: service)
        #expect(try await run("recover", at: service, "--json").json["lightning_address"] == "alice@example.com")
        _ = try signed(.recover, service.requests[1], below: "/recover")
        // breez-lnurl answers with an empty body.
        let gone = try RegistrationService(LoopbackAnswer(""))
        #expect(try await run("unregister", at: gone).status == 0)
        #expect(gone.requests.map(\.method) == ["DELETE"])
        _ = try signed(.unregister, gone.requests[0], below: "")
    }

    @Test(
        "Only register makes a key: a wrong file name asks the service nothing", arguments: ["recover", "unregister"])
    func missingKey(command: String) async throws {
        let service = try RegistrationService(LoopbackAnswer(Self.registered))
        let run = try await run(command, at: service)
        #expect(run.status == 66 && run.errors.contains(keyFile))
        #expect(service.requests.isEmpty && !FileManager.default.fileExists(atPath: keyFile))
    }

    @Test(
        "What the service refuses is said in its words, with an exit status",
        arguments: [
            (409, "username conflict: alice\n", 1, "username conflict: alice (HTTP 409)"),
            (401, "invalid signature\n", 1, "invalid signature (HTTP 401)"), (500, "", 1, "gives no reason (HTTP 500)"),
            (404, "", 1, "Nothing is registered with this key"), (301, "", 2, "redirect"),
            (200, "<html>", 2, "is not JSON"), (200, "{}", 2, "is not JSON"),
        ])
    func refusals(status: Int, body: String, exit: Int, words: String) async throws {
        _ = try await run("register", at: RegistrationService(LoopbackAnswer(Self.registered)))
        let service = try RegistrationService(LoopbackAnswer(status: status, body, type: "text/plain"))
        let run = try await run("recover", at: service)
        #expect(run.status == Int32(exit) && run.errors.contains(words), "\(run.status) \(run.errors)")
        let asJSON = try await self.run("recover", at: service, "--json")
        #expect(try asJSON.json["ok"] == false && asJSON.status == Int32(exit))
    }

    @Test("The webhook is a secret: it can come from input, and a trace shows neither it nor the signature")
    func secrets() async throws {
        let service = try RegistrationService(LoopbackAnswer(Self.registered))
        let run = try await run("register", at: service, "--name", "alice", "--trace", input: Self.webhook + "\n")
        #expect(run.status == 0 && run.errors.contains("\"username\":\"alice\""))
        let sent = try signed(.register, service.requests[0], below: "")
        for secret in ["s3cret", sent.signature] {
            #expect(!run.errors.contains(secret) && !run.output.contains(secret))
        }
    }

    @Test("A command line without a key file or a webhook is a usage error; a URL that is none is bad input")
    func usage() async throws {
        #expect(try await ToolRun("register", "https://example.com", "--key-file", keyFile).status == 64)
        #expect(try await ToolRun("register", "https://example.com", "--webhook", Self.webhook).status == 64)
        let other = ["register", "ftp://example.com", "--key-file", keyFile, "--webhook", Self.webhook]
        #expect(try await ToolRun(other).status == 65)
        #expect(!FileManager.default.fileExists(atPath: keyFile))
    }
}
