import LedgerRecords
import HTTPTypes
import LightningCoding
import LoopbackServer
import Platform
import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing
import Waiting

@Suite("Notifications of types with a handler", .timeLimit(.minutes(5)))
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
        try await eventually { try await service.ledger.events(EventQuery()).elements.first?.delivery == .taken }
        let event = try #require(try await service.ledger.events(EventQuery()).elements.first)
        #expect(event.type == "shop_order" && event.outcome == .answered && event.answer == #"{"accepted":true}"#)
    }

    @Test("Without a reply URL the reply is in the response")
    func returned() async throws {
        let reply = try await post("{}", .reply(Reply(["accepted": true])))
        #expect(reply.status == 200 && reply.body == #"{"accepted":true}"#)
        let done = try await post("{}", .done())
        #expect(done.status == 200 && done.body.isEmpty)
        let events = try await service.ledger.events(EventQuery()).elements
        #expect(events.map(\.outcome) == [.done, .answered])
        #expect(events.map(\.delivery) == [nil, .inResponse])
    }

    @Test("A built-in type with a handler is durable before it is answered, with or without a reply URL")
    func builtIn() async throws {
        let handler: NotificationHandler = { _, _, _ in .done() }
        let answer = try await Answer(
            service.publicRouter(service.responder, handlers: [.mutualClose: handler]),
            Forwarder(service: service).path(), .post, [:], #"{"event":"mutualClose","data":{}}"#)
        #expect(answer.status == 200)
        // Only what went through the outbox is recorded after the response.
        try await eventually { try await service.ledger.events(EventQuery()).elements.map(\.outcome) == [.done] }
        let responder = NotificationResponder(
            service.responder, handlers: [.mutualClose: handler])
        #expect(responder.answersInResponse(.invoiceRequest) && !responder.answersInResponse(.mutualClose))
    }

    @Test("Those answered in the response take turns with all others, so that no account takes every slot")
    func turns() async throws {
        let service = try await TestService(
            queue: NotificationQueueLimits(atWork: 2, atWorkForAccount: 1, waiting: 0))
        let gate = FirstAnswer<Void>()
        let asked = Guarded(0)
        let handler: NotificationHandler = { _, _, _ in
            asked.withLock { $0 += 1 }
            await gate.value()
            return .done()
        }
        let path = try Forwarder(service: service).path()
        @Sendable func post() async throws -> Answer {
            let router = service.publicRouter(
                service.responder, handlers: [NotificationType(rawValue: "shop_order"): handler])
            return try await Answer(router, path, .post, [:], #"{"event":"shop_order","data":{}}"#)
        }
        async let first = post()
        try await eventually { asked.withLock { $0 } == 1 }
        let second = try await post()
        #expect(second.status == 503 && second.headers[.retryAfter] == "2")
        gate.give(())
        #expect(try await first.status == 200)
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
