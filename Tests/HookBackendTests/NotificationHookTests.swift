import LightningCoding
import LoopbackServer
import Platform
import ResponderModel
import TemporaryFolders
import Testing
@testable import HookBackend

@Suite("Notifications answered by a hook", .timeLimit(.minutes(5)))
struct NotificationHookTests {
    private let alice: AccountID

    init() throws {
        alice = try AccountID("alice@example.com")
    }

    private func ask(_ hook: NotificationHook) async throws(NotificationHook.Fault) -> NotificationHook.Answer {
        try await hook.answer(
            "shop_order", ["order": .unsigned(.max)], appData: ["a": 1], messageID: "7", for: alice,
            within: .milliseconds(19_900))
    }

    private func ask(answering answer: JSONValue) async throws(NotificationHook.Fault) -> NotificationHook.Answer {
        try await ask(NotificationHook(over: FakeHook([.notification: answer])))
    }

    @Test("The question has account, type, payload and app data as received, the message's id and the seconds left")
    func question() async throws {
        let hook = FakeHook([.notification: [:]])
        let answer = try await ask(NotificationHook(over: hook))
        #expect(answer == NotificationHook.Answer(reply: nil, text: nil))
        #expect(
            hook.questions.map { JSONValue.object($0.parameters) } == [
                [
                    "account": "alice", "domain": "example.com", "type": "shop_order",
                    "payload": ["order": .unsigned(.max)],
                    "appData": ["a": 1], "messageID": "7", "secondsLeft": 19,
                ]
            ])
    }

    @Test("The example of the contract answers as a program", .enabled(if: ExampleFixture.isPossible))
    func example() async throws {
        let state = TemporaryFolder()
        let hook = try NotificationHook(
            at: .program(
                [ExampleFixture.python, "-B", ExampleFixture.folder + "/example.py", state.path + "/state"],
                environment: ["PATH": "/usr/bin:/bin"]))
        let answer = try await ask(hook)
        #expect(answer.reply == ["order": .unsigned(.max), "accepted": true])
        #expect(answer.text == NotificationHook.Text(title: "New order", body: "Order 18446744073709551615 for alice"))
        await #expect(throws: NotificationHook.Fault.unsupported) {
            try await hook.answer("other", [:], appData: nil, messageID: nil, for: alice, within: .seconds(20))
        }
    }

    @Test("A service is asked at /notification with the token; its error is read")
    func service() async throws {
        let folder = TemporaryFolder()
        try writeFile(Array("t0ken".utf8), to: folder.path + "/token")
        let asked = Guarded<[LoopbackRequest]>([])
        let server = try LoopbackServer { request in
            asked.withLock { $0.append(request) }
            return LoopbackAnswer(status: 400, #"{"error":{"code":"refused","message":"sold out"}}"#)
        }
        let hook = try NotificationHook(
            at: .service(HTTPURL("http://127.0.0.1:\(server.port)/hook"), tokenPath: folder.path + "/token"))
        await #expect(throws: NotificationHook.Fault.refused("sold out")) { try await ask(hook) }
        #expect(asked.withLock { $0.map(\.path) } == ["/hook/notification"])
        #expect(asked.withLock { $0.first?.header("authorization") } == "Bearer t0ken")
    }

    @Test(
        "Only the hook's own refusal is final; whatever else keeps it from answering is a failure",
        arguments: [
            (400, #"{"error":{"code":"refused","message":"no"}}"#, NotificationHook.Fault.refused("no")),
            (400, #"{"error":{"code":"unsupported"}}"#, .unsupported),
            (400, #"{"error":{"code":"duplicate"}}"#, .failed(.duplicate)),
            (400, #"{"error":{"code":"else","message":"no"}}"#, .failed(.refused("no"))),
            (400, #"{"error":{"message":"no"}}"#, .failed(.refused("no"))),
            (400, #"{"error":"no"}"#, .failed(.refused("status 400"))),
            (401, "", .failed(.refused("status 401"))), (403, "{}", .failed(.refused("status 403"))),
            (404, "<html>", .failed(.refused("status 404"))), (302, "", .failed(.refused("status 302"))),
        ])
    func finality(status: Int, body: String, fault: NotificationHook.Fault) async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer(status: status, body) }
        let hook = try NotificationHook(at: .service(HTTPURL("http://127.0.0.1:\(server.port)/")))
        await #expect(throws: fault) { try await ask(hook) }
    }

    @Test("A token file that cannot be read is a failure")
    func unreadableToken() async throws {
        let hook = try NotificationHook(
            at: .service(HTTPURL("http://127.0.0.1:1/"), tokenPath: TemporaryFolder().path + "/none"))
        do throws(NotificationHook.Fault) {
            _ = try await ask(hook)
            Issue.record("it answered")
        } catch {
            guard case .failed(.refused) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test(
        "An answer that breaks a rule is not passed on, and the fault names the member",
        arguments: [
            ([], "notification"), (["reply": 7], "notification.reply"),
            (["reply": ["a": .string(String(repeating: "x", count: 1 << 16))]], "notification.reply"),
            (["text": "hi"], "notification.text"), (["text": [:]], "notification.text.title"),
            (["text": ["title": ""]], "notification.text.title"),
            (["text": ["title": .string(String(repeating: "x", count: 1_025))]], "notification.text.title"),
            (["text": ["title": "a", "body": 1]], "notification.text.body"),
        ] as [(JSONValue, String)])
    func malformed(answer: JSONValue, place: String) async throws {
        await #expect(throws: NotificationHook.Fault.failed(.malformedAnswer(place))) {
            try await ask(answering: answer)
        }
    }

    @Test("A long reply and a long text are passed on whole")
    func longest() async throws {
        let text = String(repeating: "x", count: 1 << 16 - 8)
        let title = String(repeating: "x", count: 1_024)
        let answer = try await ask(answering: ["reply": ["a": .string(text)], "text": ["title": .string(title)]])
        #expect(answer.reply?["a"]?.string == text && answer.text?.title == title)
    }
}
