import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import Registrations
import ResponderModel
import Testing
import Waiting

/// Payers who hang up, and what their questions prove.
extension ReplyChannelTests {
    /// Why a payer over a connection got no answer; nil when there was one.
    private func refusal(
        of question: DeviceQuestion, _ channel: ReplyChannel, over connection: PayerConnection
    ) async -> DeviceRefusal? {
        await refusal { () async throws(DeviceRefusal) in
            try await channel.answer(
                to: question, by: registration, replyBase: base, for: Payer(over: connection))
        }
    }

    @Test("A payer who hangs up gives its place back at once; the device's reply still reaches those who stay")
    func leaving() async throws {
        let channel = channel()
        let connection = PayerConnection()
        async let gone = refusal(of: info, channel, over: connection)
        let id = try await webhook.id(0)
        async let stays = channel.answer(to: info, by: registration, replyBase: base)
        try await eventually { channel.waiting == (2, 1) }
        connection.close()
        #expect(await gone == .left)
        #expect(channel.waiting == (1, 1))
        #expect(await channel.receive(Self.reply, for: id))
        _ = try await stays
        #expect(events.withLock { $0.filter { $0 == .left }.count } == 1)
    }

    private func invoice(_ amount: UInt64) -> DeviceQuestion {
        .invoice(.init(CallbackQuery(amount: Millisatoshi(amount)), shown: nil, verifyTemplate: ""))
    }

    @Test("A question whose payer has hung up makes room for another after a while, and is answered all the same")
    func leavingAlone() async throws {
        let board = ReplyBoard()
        let channel = channel({ $0.perUser = 1 }, shared: board.mailbox())
        let connection = PayerConnection()
        async let gone = refusal(of: invoice(1), channel, over: connection)
        let id = try await webhook.id(0)
        #expect(await refusal(of: invoice(2), channel, over: PayerConnection()) == .busy)
        connection.close()
        #expect(await gone == .left)
        #expect(channel.waiting == (0, 1) && slots.count == 0)
        time.advance(by: .milliseconds(9_999))
        #expect(await refusal(of: invoice(2), channel, over: PayerConnection()) == .busy)
        time.advance(by: .milliseconds(1))
        let next = Task {
            while !Task.isCancelled {
                let refusal = await refusal(of: invoice(3), channel, over: PayerConnection())
                guard refusal == .busy else { return refusal as DeviceRefusal? }
                await Task.yield()
            }
            return nil
        }
        defer { next.cancel() }
        _ = try await webhook.id(1)
        #expect(channel.waiting == (1, 2) && board.expected == 2)
        #expect(await channel.receive(Self.reply, for: id))
        #expect(channel.waiting == (1, 1))
        await channel.replies.stop()
        #expect(await next.value == .stopping)
        try await eventually { time.sleepers == 0 && board.expected == 0 }
    }

    @Test("The payers of one registration take a twentieth of the slots, also when they share a question")
    func registration() async throws {
        let channel = channel { $0.trustsHosts = true }
        slots.total = 40
        async let first = refusal(of: info, channel, over: PayerConnection())
        async let second = refusal(of: info, channel, over: PayerConnection())
        try await eventually { channel.waiting == (2, 1) }
        #expect(await refusal(of: info, channel, over: PayerConnection()) == .busy)
        let other = try registration(2)
        async let another = refusal { () async throws(DeviceRefusal) in
            try await channel.answer(to: info, by: other, replyBase: base)
        }
        try await eventually { channel.waiting == (3, 2) }
        await channel.replies.stop()
        for refusal in await [first, second, another] { #expect(refusal == .stopping) }
        #expect(slots.count == 0)
    }

    private func registration(_ key: UInt8) throws -> Registration {
        let id = RegistrationID(try SecretKey(Array(repeating: key, count: 32)).publicKey, at: registration.id.domain)
        return Registration(
            id: id, webhook: registration.webhook, createdAt: UnixTime(0), refreshedAt: UnixTime(0), version: 1)
    }

    @Test(
        "The payers of one network take an eighth of the slots, and those of a webhook's host half, unless it is trusted",
        arguments: [(true, false, 5), (true, true, 5), (false, false, 20), (false, true, 40)])
    func strangers(isOneNetwork: Bool, isTrusted: Bool, expected: Int) async throws {
        let channel = channel { $0.trustsHosts = isTrusted }
        slots.total = 40
        var asking: [Task<DeviceRefusal?, Never>] = []
        for number in 1...41 as ClosedRange<UInt8> {
            let address = try #require(IPAddress("192.0.2.\(isOneNetwork ? 1 : number)"))
            let one = try registration(number)
            let task = Task { [info, base] in
                await refusal { () async throws(DeviceRefusal) in
                    try await channel.answer(
                        to: info, by: one, replyBase: base, for: Payer(from: ClientNetwork(address)))
                }
            }
            if number <= expected {
                asking.append(task)
                try await eventually { channel.waiting.payers == number }
            } else {
                #expect(await task.value == (!isOneNetwork && !isTrusted ? .busy : .full))
            }
        }
        #expect(slots.count == expected)
        await channel.replies.stop()
        for task in asking { #expect(await task.value == .stopping) }
        #expect(slots.count == 0)
    }

    @Test("The posts to one registration's webhook are bounded while it hangs, though payers leave and devices answer")
    func posts() async throws {
        webhook.isHanging.withLock { $0 = true }
        let most = WebhookPoster.maximumInFlight / 20
        let channel = channel { $0.perUser = (most + 1) / 2 }
        for number in 1...most {
            let connection = PayerConnection()
            async let gone = refusal(of: invoice(UInt64(number)), channel, over: connection)
            let id = try await webhook.id(number - 1)
            // Half of them are answered, while their webhook still hangs.
            if number % 2 == 0 {
                #expect(await channel.receive(DeviceReply(Array(#"{"status":"ERROR","reason":"no"}"#.utf8)), for: id))
                #expect(await gone == .refused("no"))
            } else {
                connection.close()
                #expect(await gone == .left)
            }
        }
        time.advance(by: .seconds(10))
        #expect(channel.waiting.questions == (most + 1) / 2)
        #expect(await refusal(of: invoice(1_000), channel, over: PayerConnection()) == .busy)
        #expect(slots.count == 0 && channel.waiting.questions == (most + 1) / 2)
        webhook.release()
        let next = Task {
            while true {
                let refusal = await refusal(of: invoice(1_001), channel, over: PayerConnection())
                guard refusal == .busy else { return refusal }
                await Task.yield()
            }
        }
        _ = try await webhook.id(most)
        await channel.replies.stop()
        #expect(await next.value == .stopping)
    }

    @Test("A post that has ended no longer counts while its payer waits: more payers may wait than posts are in flight")
    func postsEnded() async throws {
        let most = WebhookPoster.maximumInFlight / 20
        let channel = channel { $0.perUser = most + 1 }
        let asking = (0...most).map { number in
            Task {
                while true {
                    let refusal = await refusal(of: invoice(UInt64(number + 1)), channel, over: PayerConnection())
                    // Posts take a moment to end.
                    guard refusal == .busy, !Task.isCancelled else { return refusal }
                    await Task.yield()
                }
            }
        }
        defer { for task in asking { task.cancel() } }
        _ = try await webhook.id(most)
        #expect(channel.waiting.payers == most + 1)
        await channel.replies.stop()
        for task in asking { #expect(await task.value == .stopping) }
    }

    @Test("1024 posts are in flight at once, and the next payer is told that there are too many")
    func postsOfAll() async throws {
        webhook.isHanging.withLock { $0 = true }
        let most = 1_024
        let channel = channel {
            $0.trustsHosts = true
            $0.perUser = most
        }
        let users = try (1...32 as ClosedRange<UInt8>).map { try registration($0) }
        let asking = (0..<most).map { number in
            Task { [base] in
                await refusal { () async throws(DeviceRefusal) in
                    try await channel.answer(
                        to: invoice(UInt64(number + 1)), by: users[number % users.count], replyBase: base)
                }
            }
        }
        try await eventually { webhook.posted.withLock { $0.count } == most }
        #expect(await refusal(of: info, channel, over: PayerConnection()) == .full)
        webhook.release()
        await channel.replies.stop()
        for task in asking { #expect(await task.value == .stopping) }
    }

    @Test("Four times as many questions are open as payers may wait, also when these change; the rest are refused")
    func questionsOfAll() async throws {
        let channel = channel { $0.trustsHosts = true }
        var gone: [DeviceRefusal?] = []
        func leave(_ number: UInt8) async throws -> DeviceRefusal? {
            let (user, connection, count) = (try registration(number), PayerConnection(), channel.waiting.questions)
            let asking = Task { [info, base] in
                await refusal { () async throws(DeviceRefusal) in
                    try await channel.answer(
                        to: info, by: user, replyBase: base, for: Payer(from: nil, over: connection))
                }
            }
            try await eventually { channel.waiting.questions > count || events.withLock { $0.last } == .crowded }
            connection.close()
            return await asking.value
        }
        slots.total = 1
        for number in 2...6 as ClosedRange<UInt8> { gone.append(try await leave(number)) }
        #expect(gone == [.left, .left, .left, .left, .full])
        slots.total = 2
        #expect(try await leave(7) == .left)
        await channel.replies.stop()
    }

    @Test("Over a closed connection nobody waits, but what is kept is given")
    func closed() async throws {
        let channel = channel()
        let connection = PayerConnection()
        connection.close()
        #expect(await refusal(of: info, channel, over: connection) == .left)
        #expect(await channel.receive(Self.reply, for: try await webhook.id(0)))
        #expect(await refusal(of: info, channel, over: connection) == nil)
    }

    @Test("Of two questions over one connection, the one that is still open ends when it closes")
    func twoOverOne() async throws {
        let channel = channel()
        let connection = PayerConnection()
        let other = DeviceQuestion.info(callback: try HTTPURL("https://pay.example.com/lnurlpay/bob/invoice"))
        async let first = refusal(of: other, channel, over: connection)
        let id = try await webhook.id(0)
        async let second = refusal(of: info, channel, over: connection)
        _ = try await webhook.id(1)
        #expect(await channel.receive(DeviceReply(Array(#"{"status":"ERROR","reason":"no"}"#.utf8)), for: id))
        #expect(await first == .refused("no"))
        connection.close()
        #expect(await second == .left)
    }

    private func invoice(of preimage: Preimage) throws -> String {
        try Bolt11Draft(
            network: .bitcoin, amount: Millisatoshi(1000), timestamp: UnixTime(1_700_000_000),
            paymentHash: preimage.paymentHash, paymentSecret: PaymentSecret(Array(repeating: 8, count: 32)),
            description: .hash(SHA256.hash("".utf8)), expiry: 600
        ).signed(by: SecretKey(Array(repeating: 1, count: 32))).text
    }

    @Test("A proved payment is noted once for all payers of the question, before they are told, and when all have left")
    func paid() async throws {
        let noted = Guarded<[PaymentHash]>([])
        let channel = channel(notePaid: { paid in noted.withLock { $0.append(paid.paymentHash) } })
        for (number, leaves) in [false, true].enumerated() {
            let preimage = try Preimage(Array(repeating: UInt8(number), count: 32))
            let question = DeviceQuestion.verify(preimage.paymentHash)
            let connections = [PayerConnection(), PayerConnection()]
            async let first = refusal(of: question, channel, over: connections[0])
            let id = try await webhook.id(number)
            async let second = refusal(of: question, channel, over: connections[1])
            try await eventually { channel.waiting == (2, 1) }
            if leaves { for connection in connections { connection.close() } }
            let pr = try invoice(of: preimage)
            let reply = #"{"status":"OK","settled":true,"preimage":"\#(preimage.hexadecimal)","pr":"\#(pr)"}"#
            #expect(await channel.receive(DeviceReply(Array(reply.utf8)), for: id))
            #expect(noted.withLock { $0.count } == number + 1)
            for refusal in await [first, second] { #expect(refusal == (leaves ? .left : nil)) }
            #expect(noted.withLock { $0.last } == preimage.paymentHash)
        }
    }

    @Test("A device that is unregistered before the other instances know of the question is not asked")
    func goneMeanwhile() async throws {
        let forgetting = Guarded<(@Sendable () -> Void)?>(nil)
        let board = ReplyBoard(onExpect: { forgetting.withLock { $0 }?() })
        let channel = channel(shared: board.mailbox())
        forgetting.withLock { [registration] in $0 = { channel.forget(registration.id) } }
        #expect(await refusal(of: info, channel, over: PayerConnection()) == .unreachable)
        try await eventually { board.expected == 0 }
        #expect(webhook.posted.withLock { $0.isEmpty })
    }

    @Test("A payment that cannot be noted within a second holds its payer up no longer, and is noted all the same")
    func slowLedger() async throws {
        let (ledger, noted) = (FirstAnswer<Void>(), FirstAnswer<Void>())
        let channel = ReplyChannel(
            ReplyChannel.Settings(network: .bitcoin), replies: AwaitedReplies(), slots: slots, post: webhook.post,
            notePaid: { _, _ in
                await ledger.value()
                noted.give(())
            }, clock: time.clock,
            now: { UnixTime(1_700_000_000) })
        let preimage = try Preimage(Array(repeating: 1, count: 32))
        async let answer = refusal(of: .verify(preimage.paymentHash), channel, over: PayerConnection())
        let id = try await webhook.id(0)
        let reply = """
            {"status":"OK","settled":true,"preimage":"\(preimage.hexadecimal)","pr":"\(try invoice(of: preimage))"}
            """
        async let isTaken = channel.receive(DeviceReply(Array(reply.utf8)), for: id)
        // The question's timer, and that of the second.
        try await eventually { channel.waiting.questions == 0 && time.sleepers == 2 }
        time.advance(by: .seconds(1))
        #expect(await answer == nil)
        #expect(await isTaken)
        // It is noted all the same.
        ledger.give(())
        await noted.value()
    }
}
