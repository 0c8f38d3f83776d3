import Contracts
import LNURL
import LightningCoding
import LightningCrypto
import OutboundHTTP
import Platform
import Registrations
import Testing
import Waiting

/// A webhook that notes what is posted, and answers as it is told to.
private final class FakeWebhook: Sendable {
    struct Posted: Sendable {
        let body: JSONValue
        let webhook: WebhookURL
        let time: Duration

        /// The id in the reply URL.
        var id: ReplyID? {
            body["data"]?["reply_url"]?.string?.split(separator: "/").last.flatMap { ReplyID($0) }
        }
    }

    let posted = Guarded<[Posted]>([])
    let outcome = Guarded<Result<(status: Int, body: String), OutboundFault>>(.success((200, "")))

    var post: ReplyChannel.Post {
        { body, webhook, time, _ throws(OutboundFault) in
            if let json = try? JSONValue(parsing: body) {
                self.posted.withLock { $0.append(Posted(body: json, webhook: webhook, time: time)) }
            }
            let (status, text) = try self.outcome.withLock { $0 }.get()
            return WebhookPoster.Response(status: status, body: Array(text.utf8))
        }
    }

    func id(_ number: Int) async throws -> ReplyID {
        try await eventually { self.posted.withLock { $0.count > number } }
        return try #require(self.posted.withLock { $0[number].id })
    }
}

@Suite("Asking a device", .timeLimit(.minutes(1)))
struct ReplyChannelTests {
    private let webhook = FakeWebhook()
    private let time = ManualClock()
    private let registration: Registration
    private let events = Guarded<[DeviceEvent]>([])
    private let info: DeviceQuestion
    private let base: HTTPURL
    private static let callback = "https://pay.example.com/lnurlpay/alice/invoice"

    init() throws {
        let id = RegistrationID(
            try SecretKey(Array(repeating: 1, count: 32)).publicKey, at: try DomainName("pay.example.com"))
        registration = Registration(
            id: id, webhook: try WebhookURL("https://nds.example/?token=t"), createdAt: UnixTime(0),
            refreshedAt: UnixTime(0), version: 1)
        info = .info(callback: try HTTPURL(Self.callback))
        base = try HTTPURL("https://pay.example.com/response")
    }

    private func channel(_ change: (inout ReplyChannel.Settings) -> Void = { _ in }) -> ReplyChannel {
        var settings = ReplyChannel.Settings(network: .bitcoin)
        change(&settings)
        return ReplyChannel(
            settings, post: webhook.post, clock: time.clock, now: { UnixTime(1_700_000_000) },
            report: { [events] event, _ in events.withLock { $0.append(event) } })
    }

    private static let reply = DeviceReply(
        Array(
            """
            {"callback":"\(callback)","minSendable":1000,"maxSendable":2000,"metadata":"[[\\"text/plain\\",\\"x\\"]]",\
            "tag":"payRequest"}
            """.utf8), maxAge: 60)

    private func refusal(_ body: () async throws(DeviceRefusal) -> DeviceAnswer) async -> DeviceRefusal? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test("The device's reply reaches the payer, the next payer gets what is kept, and no other id is accepted")
    func reply() async throws {
        let channel = channel()
        async let answer = channel.answer(to: info, by: registration, replyBase: base)
        let id = try await webhook.id(0)
        #expect(await channel.receive(Self.reply, for: ReplyID(id.number &+ 1)) == false)
        #expect(await channel.receive(Self.reply, for: id))
        guard case .info(let request) = try await answer else {
            Issue.record("no info")
            return
        }
        #expect(request.maxSendable == Millisatoshi(2000))
        #expect(await channel.receive(Self.reply, for: id) == false)
        _ = try await channel.answer(to: info, by: registration, replyBase: base)
        #expect(webhook.posted.withLock { $0.count } == 1)
        #expect(channel.waiting == (0, 0))
        // The question's timer does not outlive it.
        try await eventually { time.sleepers == 0 }
    }

    @Test("A new version of the registration finds nothing that is kept")
    func versions() async throws {
        let channel = channel()
        var registration = registration
        for number in 0..<2 {
            let present = registration
            async let answer = channel.answer(to: info, by: present, replyBase: base)
            let id = try await webhook.id(number)
            #expect(await channel.receive(Self.reply, for: id))
            _ = try await answer
            registration.version += 1
        }
    }

    @Test("Payers who ask at once wake the device once")
    func sharing() async throws {
        let channel = channel()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask { [info, registration, base] in
                    _ = try await channel.answer(to: info, by: registration, replyBase: base)
                }
            }
            try await eventually { channel.waiting.payers == 10 }
            #expect(await channel.receive(Self.reply, for: try await webhook.id(0)))
            try await group.waitForAll()
        }
        #expect(webhook.posted.withLock { $0.count } == 1)
    }

    @Test("A device that does not answer costs its payers thirty seconds, the post to the webhook included")
    func silence() async throws {
        let channel = channel()
        async let refusal = refusal { () async throws(DeviceRefusal) in
            try await channel.answer(to: info, by: registration, replyBase: base)
        }
        let id = try await webhook.id(0)
        #expect(webhook.posted.withLock { $0[0].time } == .seconds(10))
        try await eventually { time.sleepers == 1 }
        time.advance(by: .milliseconds(29_999))
        #expect(channel.waiting.payers == 1)
        time.advance(by: .milliseconds(1))
        #expect(await refusal == .silent)
        #expect(await channel.receive(Self.reply, for: id) == false)
        #expect(events.withLock { $0 } == [.asked, .silent, .unknownReply])
    }

    @Test(
        "Only status 200 means that the webhook has taken the question",
        arguments: [201, 204, 301, 302, 400, 410, 500, 503])
    func statuses(status: Int) async throws {
        webhook.outcome.withLock { $0 = .success((status, "")) }
        let refusal = await refusal { () async throws(DeviceRefusal) in
            try await channel().answer(to: info, by: registration, replyBase: base)
        }
        #expect(refusal == .unreachable)
    }

    @Test("A webhook that cannot be reached ends the question at once")
    func unreachable() async throws {
        webhook.outcome.withLock { $0 = .failure(.refusedAddress) }
        let channel = channel()
        let refusal = await refusal { () async throws(DeviceRefusal) in
            try await channel.answer(to: info, by: registration, replyBase: base)
        }
        #expect(refusal == .unreachable)
        #expect(events.withLock { $0.last } == .unreachable(OutboundFault.refusedAddress.reason))
    }

    @Test("A reply that breaks a rule is the first one, and ends the question")
    func unusable() async throws {
        let channel = channel()
        for (number, (body, expected)) in [
            ("<html>", DeviceRefusal.unusable), (#"{"status":"ERROR","reason":"no"}"#, .refused("no")),
        ].enumerated() {
            async let refusal = refusal { () async throws(DeviceRefusal) in
                try await channel.answer(to: info, by: registration, replyBase: base)
            }
            let id = try await webhook.id(number)
            #expect(await channel.receive(DeviceReply(Array(body.utf8)), for: id))
            #expect(await refusal == expected)
            #expect(await channel.receive(Self.reply, for: id) == false)
        }
    }

    @Test("Who comes when too many wait is told so at once")
    func full() async throws {
        let channel = channel { $0.limits.payers = 1 }
        async let answer = channel.answer(to: info, by: registration, replyBase: base)
        let id = try await webhook.id(0)
        let refusal = await refusal { () async throws(DeviceRefusal) in
            try await channel.answer(to: info, by: registration, replyBase: base)
        }
        #expect(refusal == .full)
        #expect(await channel.receive(Self.reply, for: id))
        _ = try await answer
    }

    @Test("When the service stops, every payer is told, and nobody waits any more")
    func stopping() async throws {
        let channel = channel()
        async let refusal = refusal { () async throws(DeviceRefusal) in
            try await channel.answer(to: info, by: registration, replyBase: base)
        }
        let id = try await webhook.id(0)
        channel.stop()
        #expect(await refusal == .stopping)
        #expect(await channel.receive(Self.reply, for: id) == false)
        let later = await self.refusal { () async throws(DeviceRefusal) in
            try await channel.answer(to: info, by: registration, replyBase: base)
        }
        #expect(later == .stopping)
    }

    @Test("A BOLT12 request may be answered by the webhook's response")
    func response() async throws {
        webhook.outcome.withLock { $0 = .success((200, #"{"error":"Amount must be between 1 and 2"}"#)) }
        let refusal = await refusal { () async throws(DeviceRefusal) in
            try await channel().answer(to: .invoiceRequest([0], offer: "lno1"), by: registration, replyBase: base)
        }
        #expect(refusal == .refused("Amount must be between 1 and 2"))
        #expect(webhook.posted.withLock { $0[0].time } == .seconds(30))
    }

    @Test("A reply for which nobody waits here goes to the other instances")
    func relay() async throws {
        struct Elsewhere: ReplyRelay {
            let taken = Guarded<[ReplyID]>([])
            func deliver(_ reply: DeviceReply, to id: ReplyID) async -> Bool {
                taken.withLock { $0.append(id) }
                return id == ReplyID(1)
            }
        }
        let elsewhere = Elsewhere()
        let channel = ReplyChannel(ReplyChannel.Settings(network: .bitcoin), post: webhook.post, relay: elsewhere)
        #expect(await channel.receive(Self.reply, for: ReplyID(1)))
        #expect(await channel.receive(Self.reply, for: ReplyID(2)) == false)
        #expect(elsewhere.taken.withLock { $0 } == [ReplyID(1), ReplyID(2)])
    }
}
