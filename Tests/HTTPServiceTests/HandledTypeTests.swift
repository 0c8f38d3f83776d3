import HTTPTypes
import LightningCoding
import LoopbackServer
import Notifications
import Contracts
import ResponderCore
import SQLiteLedger
import Testing
import Waiting

@testable import HTTPService

@Suite("Notifications of types with a handler", .timeLimit(.minutes(2)))
struct HandledTypeTests {
    private let service: TestService

    init() async throws { service = try await TestService() }

    private func post(_ data: String, _ answer: NotificationAnswer) async throws -> Answer {
        let handler: NotificationHandler = { _, _, _ in answer }
        let router = service.publicRouter(
            service.responder, handlers: [NotificationType(rawValue: "shop_order"): handler])
        return try await Answer(
            router, Forwarder(service: service).path(), .post, [:], #"{"event":"shop_order","data":\#(data)}"#)
    }

    @Test("The reply is posted to the reply URL, and the event recorded")
    func posted() async throws {
        let sink = try ReplySink()
        let answer = try await post(#"{"reply_url":"\#(sink.url("1"))"}"#, .reply(Reply(["accepted": true])))
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(try await sink.reply("1").body == Array(#"{"accepted":true}"#.utf8))
        try await eventually { try await service.ledger.events(EventQuery()).events.first?.delivery == .taken }
        let event = try #require(try await service.ledger.events(EventQuery()).events.first)
        #expect(event.type == "shop_order" && event.outcome == .answered && event.answer == #"{"accepted":true}"#)
    }

    @Test("Without a reply URL the reply is in the response")
    func returned() async throws {
        let reply = try await post("{}", .reply(Reply(["accepted": true])))
        #expect(reply.status == 200 && reply.body == #"{"accepted":true}"#)
        let done = try await post("{}", .done())
        #expect(done.status == 200 && done.body.isEmpty)
        let events = try await service.ledger.events(EventQuery()).events
        #expect(events.map(\.outcome) == [.done, .answered])
        #expect(events.map(\.delivery) == [nil, .inResponse])
    }

    @Test("A refusal is final, and a failure may be repeated; neither says why")
    func refused() async throws {
        let refused = try await post(
            "{}", NotificationAnswer(.none(.refused), outcome: .refused, cause: "secret words"))
        #expect(refused.status == 422 && refused.body == #"{"error":"the notification is refused"}"#)
        let failed = try await post(
            "{}", NotificationAnswer(.none(.transient), outcome: .failed, cause: "secret words"))
        #expect(failed.status == 503 && !failed.body.contains("secret"))
    }
}
