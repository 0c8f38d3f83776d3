import LNURL
import LightningCoding
import LightningCrypto
import LoopbackServer
import Platform
import Registrations
import TemporaryFolders
import Testing

@Suite("lnurl register, recover and unregister", .timeLimit(.minutes(2)))
struct RegisterTests {
    private static let webhook = "https://nds.example/notify?token=secret"
    private let folder = TemporaryFolder()
    private let received = Guarded<[LoopbackRequest]>([])

    private func run(
        _ command: String, _ arguments: [String] = [], answer: LoopbackAnswer, webhook: String = webhook
    ) async throws -> ToolRun {
        let server = try LoopbackServer { [received] request in
            received.withLock { $0.append(request) }
            return answer
        }
        return try await ToolRun(
            [
                command, "http://127.0.0.1:\(server.port)", "--key-file", folder.path + "/wallet.key", "--webhook",
                webhook,
            ]
                + arguments + ["--json"])
    }

    /// The statement of the last request, checked as the service does.
    private func statement(_ operation: BreezOperation, _ method: String, _ path: String) throws -> BreezStatement {
        let request = try #require(received.withLock { $0.last })
        let key = String(request.path.dropFirst("/lnurlpay/".count).prefix(66))
        #expect(request.method == method && request.path == "/lnurlpay/\(key)\(path)")
        let body = try BreezRequest(json: JSONValue(parsing: request.body))
        #expect(body.webhook == Self.webhook)
        return try BreezStatement(operation, body, by: key, at: "127.0.0.1", now: .now())
    }

    @Test("A wallet's key is made once, in a private file, and signs what the service accepts")
    func register() async throws {
        let answer = LoopbackAnswer(#"{"lnurl":"lnurl1dp","lightning_address":"alice@example.com"}"#)
        let run = try await run("register", ["--name", "Alice", "--offer", "lno1abc"], answer: answer)
        #expect(run.status == 0 && run.errors == "")
        let statement = try statement(.register, "POST", "")
        #expect(statement.name?.text == "alice" && statement.offer == "lno1abc")
        #expect(try run.json["key"]?.string == statement.key.hexadecimal)
        #expect(try run.json["lightning_address"] == "alice@example.com")
        #expect(PrivateFile(path: folder.path + "/wallet.key").modeOpenToOthers == nil)
        for (command, operation, method, path) in [
            ("recover", BreezOperation.recover, "POST", "/recover"), ("unregister", .unregister, "DELETE", ""),
        ] {
            let again = try await self.run(command, answer: LoopbackAnswer("{}"))
            #expect(again.status == 0)
            #expect(try self.statement(operation, method, path).key == statement.key)
        }
    }

    @Test(
        "A refusal is printed in the service's words, with status 1, and without the webhook",
        arguments: [401, 404, 409])
    func refused(status: Int) async throws {
        let run = try await run("register", answer: LoopbackAnswer(status: status, "username conflict: alice\n"))
        #expect(run.status == 1)
        #expect((run.output + run.errors).contains("username conflict: alice"))
        #expect(!(run.output + run.errors).contains("secret"))
    }
}
