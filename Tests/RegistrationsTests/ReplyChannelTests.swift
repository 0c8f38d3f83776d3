import LNURL
import LightningCoding
import LightningCrypto
import OutboundHTTP
import Platform
import Registrations
import ResponderModel
import Testing
import Waiting

@Suite("Asking a device", .timeLimit(.minutes(5)))
struct ReplyChannelTests {
    let webhook = FakeWebhook()
    let time = ManualClock()
    let registration: Registration
    let events = Guarded<[DeviceEvent]>([])
    let faults = Guarded<[LedgerFault]>([])
    let info: DeviceQuestion
    let base: HTTPURL
    let slots = SharedSlots(3_584)
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

    func channel(
        _ change: (inout ReplyChannel.Settings) -> Void = { _ in }, shared: (any SharedReplies)? = nil,
        notePaid: @escaping @Sendable (PaidInvoice) -> Void = { _ in }
    ) -> ReplyChannel {
        var settings = ReplyChannel.Settings(network: .bitcoin)
        change(&settings)
        return ReplyChannel(
            settings,
            replies: AwaitedReplies(shared: shared, clock: time.clock) { [faults] fault in
                faults.withLock { $0.append(fault) }
            }, slots: slots, post: webhook.post, notePaid: { paid, _ in notePaid(paid) }, clock: time.clock,
            now: { UnixTime(1_700_000_000) }, report: { [events] event, _ in events.withLock { $0.append(event) } })
    }

    static let reply = DeviceReply(
        Array(
            """
            {"callback":"\(callback)","minSendable":1000,"maxSendable":2000,"metadata":"[[\\"text/plain\\",\\"x\\"]]",\
            "tag":"payRequest"}
            """.utf8), maxAge: 60)

    func refusal(_ body: () async throws(DeviceRefusal) -> DeviceAnswer) async -> DeviceRefusal? {
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

    @Test("Invoices, verify questions and the limits are counted apart, so that none keeps the others out")
    func kinds() async throws {
        let channel = channel { $0.perUser = 1 }
        let verify = try (1...2 as ClosedRange<UInt8>).map {
            DeviceQuestion.verify(try PaymentHash(Array(repeating: $0, count: 32)))
        }
        let invoice = DeviceQuestion.invoice(
            DeviceQuestion.InvoiceQuestion(
                CallbackQuery(amount: Millisatoshi(1000)), shown: nil, verifyTemplate: ""))
        func ask(_ question: DeviceQuestion) async -> DeviceRefusal? {
            await refusal { () async throws(DeviceRefusal) in
                try await channel.answer(to: question, by: registration, replyBase: base)
            }
        }
        async let first = ask(verify[0])
        async let second = ask(invoice)
        async let third = ask(info)
        async let fourth = ask(verify[0])
        try await eventually { channel.waiting == (4, 3) }
        #expect(await ask(verify[1]) == .busy)
        // Each payer needs an invoice of their own, of either kind.
        #expect(await ask(invoice) == .busy)
        #expect(await ask(.invoiceRequest([0], offer: "lno1")) == .busy)
        await channel.replies.stop()
        for refusal in await [first, second, third, fourth] { #expect(refusal == .stopping) }
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
        #expect(events.withLock { $0 } == [.asked, .silent])
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

    @Test(
        "The sender of a BOLT12 request is told what will not change, and nothing else",
        arguments: [
            (410, .refused("the device can no longer be reached")),
            (413, .refused("the invoice request is too large for the device")), (429, .unreachable),
            (500, .unreachable), (503, .unreachable),
        ] as [(Int, DeviceRefusal)])
    func requestStatuses(status: Int, expected: DeviceRefusal) async throws {
        webhook.outcome.withLock { $0 = .success((status, "")) }
        let refusal = await refusal { () async throws(DeviceRefusal) in
            try await channel().answer(to: .invoiceRequest([0], offer: "lno1"), by: registration, replyBase: base)
        }
        #expect(refusal == expected)
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

    @Test("Who comes when too many wait is told so at once, and the operator how long the device took")
    func full() async throws {
        let channel = channel()
        slots.total = 1
        async let answer = channel.answer(to: info, by: registration, replyBase: base)
        let id = try await webhook.id(0)
        let refusal = await refusal { () async throws(DeviceRefusal) in
            try await channel.answer(to: info, by: registration, replyBase: base)
        }
        #expect(refusal == .full)
        #expect(events.withLock { $0 } == [.asked, .crowded])
        time.advance(by: .seconds(2))
        #expect(await channel.receive(Self.reply, for: id))
        _ = try await answer
        #expect(events.withLock { $0.last } == .answered(after: .seconds(2)))
    }

    @Test("When the service stops, every payer is told, and nobody waits any more")
    func stopping() async throws {
        let channel = channel()
        async let refusal = refusal { () async throws(DeviceRefusal) in
            try await channel.answer(to: info, by: registration, replyBase: base)
        }
        let id = try await webhook.id(0)
        await channel.replies.stop()
        #expect(await refusal == .stopping)
        #expect(await channel.receive(Self.reply, for: id) == false)
        let later = await self.refusal { () async throws(DeviceRefusal) in
            try await channel.answer(to: info, by: registration, replyBase: base)
        }
        #expect(later == .stopping)
        // That is no crowd.
        #expect(events.withLock { $0 } == [.asked])
    }

    @Test(
        "Another body of the webhook's response leaves a BOLT12 request open for the device's reply",
        arguments: ["OK", #"{"status":"ok"}"#, "[]", "<html>"])
    func politeResponse(body: String) async throws {
        webhook.outcome.withLock { $0 = .success((200, body)) }
        let channel = channel()
        async let refusal = refusal { () async throws(DeviceRefusal) in
            try await channel.answer(to: .invoiceRequest([0], offer: "lno1"), by: registration, replyBase: base)
        }
        let id = try await webhook.id(0)
        #expect(await channel.receive(DeviceReply(Array(#"{"error":"no"}"#.utf8)), for: id))
        #expect(await refusal == .refused("no"))
    }

    @Test("Who waits for a registration that is gone is told so, and no timer outlives the question")
    func forgetting() async throws {
        let channel = channel()
        async let refusal = refusal { () async throws(DeviceRefusal) in
            try await channel.answer(to: info, by: registration, replyBase: base)
        }
        let id = try await webhook.id(0)
        try await eventually { time.sleepers == 1 }
        channel.forget(registration.id)
        #expect(await refusal == .unreachable)
        #expect(await channel.receive(Self.reply, for: id) == false)
        try await eventually { time.sleepers == 0 }
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

    @Test("A reply that reaches another instance is handed to the one whose payers wait, once")
    func elsewhere() async throws {
        let board = ReplyBoard()
        let mailbox = board.mailbox()
        let (one, two) = (channel(shared: mailbox), channel(shared: board.mailbox()))
        let listening = Task {
            await one.replies.run()
        }
        async let answer = one.answer(to: info, by: registration, replyBase: base)
        let id = try await webhook.id(0)
        #expect(await two.receive(Self.reply, for: ReplyID(id.number &+ 1)) == false)
        #expect(await two.receive(Self.reply, for: id))
        #expect(await two.receive(Self.reply, for: id) == false)
        guard case .info = try await answer else {
            Issue.record("no info")
            return
        }
        try await eventually { board.expected == 0 }
        #expect(await two.receive(Self.reply, for: id) == false)
        listening.cancel()
        await listening.value
    }

    @Test("A device is asked although the other instances cannot be told, and its reply is accepted where it was asked")
    func apart() async throws {
        let board = ReplyBoard(isBroken: true)
        let channel = channel(shared: board.mailbox())
        async let answer = channel.answer(to: info, by: registration, replyBase: base)
        let id = try await webhook.id(0)
        #expect(await channel.receive(Self.reply, for: id))
        _ = try await answer
        #expect(faults.withLock { $0.contains(.busy) })
    }

    @Test("Of many questions each ends at its own time")
    func deadlines() async throws {
        let channel = channel()
        let questions = (1...3 as ClosedRange<UInt64>).map { number in
            DeviceQuestion.invoice(
                DeviceQuestion.InvoiceQuestion(
                    CallbackQuery(amount: Millisatoshi(number)), shown: nil, verifyTemplate: ""))
        }
        try await withThrowingTaskGroup(of: DeviceRefusal?.self) { group in
            for (number, question) in questions.enumerated() {
                group.addTask { [registration, base] in
                    await refusal { () async throws(DeviceRefusal) in
                        try await channel.answer(to: question, by: registration, replyBase: base)
                    }
                }
                try await eventually { channel.waiting == (number + 1, number + 1) && time.sleepers == number + 1 }
                time.advance(by: .seconds(1))
            }
            for left in [2, 1, 0] {
                time.advance(by: .seconds(left == 2 ? 27 : 1))
                #expect(try await group.next() == .silent)
                #expect(channel.waiting.questions == left)
                try await eventually { time.sleepers == left }
            }
        }
    }
}

extension ReplyChannel {
    func receive(_ reply: DeviceReply, for id: ReplyID) async -> Bool {
        if await replies.accept(reply, for: id) { return true }
        return await replies.hand(reply, for: id)
    }
}
