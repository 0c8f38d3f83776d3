import Devices
import LightningCoding
import LoopbackServer
import Platform
import ResponderModel
import TemporaryFolders
import Testing

@Suite("lnurl push register, fetch, ack", .timeLimit(.minutes(5)))
struct PushDeviceTests {
    private let folder = TemporaryFolder()

    /// A service that answers as a test wants, and notes what it was asked.
    private final class DeviceServer: Sendable {
        private let server: LoopbackServer
        private let received: Guarded<[LoopbackRequest]>

        var url: String { "http://127.0.0.1:\(server.port)" }
        var requests: [LoopbackRequest] { received.withLock { $0 } }

        init(_ answers: [String: LoopbackAnswer]) throws {
            let received = Guarded<[LoopbackRequest]>([])
            self.received = received
            server = try LoopbackServer { request in
                received.withLock { $0.append(request) }
                let refusal = #"{"error":"unauthorized","message":"show the secret"}"#
                return answers[request.path] ?? LoopbackAnswer(status: 401, refusal)
            }
        }
    }

    private func file(_ name: String) -> String { folder.path + "/" + name }

    /// The file of a device's secret.
    private func secretFile(_ text: String = "wkd_" + String(repeating: "d", count: 42) + "A") throws -> String {
        try PrivateFile(path: file("secret")).create(Array(text.utf8))
        return file("secret")
    }

    private func register(at server: DeviceServer, _ more: String..., token: String = "a-token") async throws -> ToolRun
    {
        try await ToolRun(
            [
                "push", "register", server.url, "--key-file", file("owner"), "--device-key-file", file("device"),
                "--secret-file", file("secret"), "--install", "phone", "--platform", "fcm", "--token", "-", "--json",
            ] + more, input: token)
    }

    @Test("A device is registered with a statement that its owner has signed for the service; the keys are made once")
    func registers() async throws {
        let answer = LoopbackAnswer(#"{"device_id":"00ff","handle":"wkh_x"}"#)
        let server = try DeviceServer([
            "/v1/info": LoopbackAnswer(#"{"audience":"pay.example"}"#), "/v1/devices/phone": answer,
        ])
        for _ in 0..<2 {
            let run = try await register(at: server)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try run.json["handle"] == "wkh_x")
        }
        let bodies = try server.requests.filter { $0.path == "/v1/devices/phone" }.map { request in
            #expect(request.method == "PUT")
            return try JSONValue(parsing: request.body).object ?? [:]
        }
        #expect(bodies.count == 2)
        for body in bodies {
            let statement = try DeviceStatement(JSONMembers(body), of: #require(InstallID("phone")))
            try statement.check(for: "pay.example", at: .now())
            #expect(statement.address == .fcm(token: "a-token", .android))
            let secret = try PrivateFile(path: file("secret")).contents(limit: 100)
            let known = try #require(DeviceSecret(String(decoding: secret.dropLast(), as: UTF8.self)))
            #expect(statement.profile.secretHash == known.hash)
        }
        #expect(bodies[0]["identities"] == bodies[1]["identities"])
        #expect(bodies[0]["encryption_key"] == bodies[1]["encryption_key"])
    }

    @Test("What cannot be registered is said before anything is sent or made")
    func malformed() async throws {
        let server = try DeviceServer(["/v1/info": LoopbackAnswer(#"{"audience":"pay.example"}"#)])
        let install = try await register(at: server, "--install", "a b")
        #expect(install.status == 64)
        let platform = try await register(at: server, "--platform", "sms")
        #expect(platform.status == 65)
        #expect(try platform.json["fault"]?["name"] == "statement")
        #expect(server.requests.allSatisfy { $0.method == "GET" })
        for name in ["owner", "device", "secret"] { #expect(!PrivateFile(path: file(name)).exists) }
    }

    @Test("What is pending is shown, with the place that confirms it")
    func fetch() async throws {
        let data = #"{"data":[{"id":"m7","seq":7,"title":"You received 21 sat","body":"b"}]}"#
        let server = try DeviceServer(["/v1/pending": LoopbackAnswer(data)])
        let secret = try secretFile()
        let shown = try await ToolRun("push", "fetch", server.url, "--secret-file", secret, "--after", "6")
        #expect(shown.status == 0)
        #expect(shown.output.contains("1 pending"))
        #expect(shown.output.contains("You received 21 sat: b"))
        let request = try #require(server.requests.first)
        #expect(request.query("after") == "6")
        #expect(request.header("authorization") == "Bearer wkd_" + String(repeating: "d", count: 42) + "A")
        let run = try await ToolRun("push", "fetch", server.url, "--secret-file", secret, "--json")
        #expect(try run.json["messages"]?.array?.first?["seq"] == 7)
        #expect(server.requests.last?.query("after") == nil)
    }

    @Test("An acknowledgement says what came of a wake, handled unless something else is said")
    func ack() async throws {
        let server = try DeviceServer(["/v1/acks": LoopbackAnswer(status: 204, "")])
        let secret = try secretFile()
        for more in [[], ["--outcome", "no_handler"]] {
            let run = try await ToolRun(["push", "ack", server.url, "w1", "--secret-file", secret] + more)
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(
            server.requests.map { String(decoding: $0.body, as: UTF8.self) } == [
                #"{"id":"w1","outcome":"handled"}"#, #"{"id":"w1","outcome":"no_handler"}"#,
            ])
        let wrong = try await ToolRun(["push", "ack", server.url, "w1", "--secret-file", secret, "--outcome", "done"])
        #expect(wrong.status == 64)
        #expect(server.requests.count == 2)
    }

    @Test(
        "A refusal is shown with the service's words; a missing secret, a wrong one and a strange answer are told apart"
    )
    func faults() async throws {
        let server = try DeviceServer(["/v1/pending": LoopbackAnswer("{}")])
        let missing = try await ToolRun("push", "fetch", server.url, "--secret-file", file("secret"))
        #expect(missing.status == 66)
        let secret = try secretFile()
        let refused = try await ToolRun("push", "ack", server.url, "w1", "--secret-file", secret, "--json")
        #expect(refused.status == 1)
        #expect(try refused.json["fault"]?["reason"] == "show the secret")
        let strange = try await ToolRun("push", "fetch", server.url, "--secret-file", secret)
        #expect(strange.status == 2)
        try PrivateFile(path: file("other")).create(Array("wkd_x".utf8))
        let wrong = try await ToolRun("push", "fetch", server.url, "--secret-file", file("other"))
        #expect(wrong.status == 65)
        #expect(wrong.errors.contains("wkd_"))
    }

    @Test("The secret of a device does not appear in a trace")
    func trace() async throws {
        let server = try DeviceServer(["/v1/pending": LoopbackAnswer(#"{"data":[]}"#)])
        let run = try await ToolRun("push", "fetch", server.url, "--secret-file", secretFile(), "--trace")
        #expect(run.status == 0)
        #expect(run.errors.contains("/v1/pending"))
        #expect(!(run.errors + run.output).contains("wkd_d"))
    }
}
