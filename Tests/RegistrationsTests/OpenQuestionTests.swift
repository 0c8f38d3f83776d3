import LightningCoding
import LightningCrypto
import Platform
import Registrations
import ResponderModel
import Testing
import Waiting

@Suite("An open question to a device", .timeLimit(.minutes(5)))
struct OpenQuestionTests {
    private let time = ManualClock()
    private let replies = AwaitedReplies()
    private let slots = SharedSlots(100)
    private let ends = Guarded<[DeviceRefusal?]>([])

    private func open(
        _ number: UInt64 = 1, from network: ClientNetwork? = nil, most: Int = 5, endsWhenLeft: Bool = false
    ) throws -> OpenQuestion<[UInt8]> {
        try OpenQuestion(
            ReplyID(number), holding: replies.wake("alice", most: most, for: network), slots.take(for: nil),
            endsWhenLeft: endsWhenLeft, among: replies, until: time.now + .seconds(30), clock: time.clock,
            reading: { .success($0.body) },
            noteEnd: { [ends] refusal in ends.withLock { $0.append(refusal) } })
    }

    private func refusal(_ body: () throws -> OpenQuestion<[UInt8]>) -> DeviceRefusal? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? DeviceRefusal
        }
    }

    @Test("The first reply is the answer of all who wait; a second one and an unknown id find nobody")
    func once() async throws {
        let question = try open()
        async let first = question.answer()
        async let second = question.answer()
        try await eventually { question.payers == 2 }
        #expect(await replies.accept(DeviceReply([9]), for: ReplyID(7)) == false)
        #expect(await replies.accept(DeviceReply([1]), for: ReplyID(1)))
        #expect(await replies.accept(DeviceReply([2]), for: ReplyID(1)) == false)
        #expect(await question.take(DeviceReply([2])) == false)
        #expect(await first == .success([1]))
        #expect(await second == .success([1]))
        // Also of one who comes when it has ended.
        #expect(await question.answer() == .success([1]))
        #expect(question.end(.unreachable) == false)
        #expect(ends.withLock { $0 } == [nil])
        try await eventually { time.sleepers == 0 }
    }

    @Test("At its deadline a question ends, and a reply comes too late")
    func deadline() async throws {
        let question = try open()
        async let answer = question.answer()
        try await eventually { question.payers == 1 && time.sleepers == 1 }
        time.advance(by: .milliseconds(29_999))
        #expect(question.payers == 1)
        time.advance(by: .milliseconds(1))
        #expect(await replies.accept(DeviceReply([1]), for: ReplyID(1)) == false)
        #expect(await answer == .failure(.silent))
        #expect(ends.withLock { $0 } == [.silent])
    }

    @Test("Whoever leaves waits no longer; the question stays open for those who stay, and for what its reply proves")
    func leaving() async throws {
        let question = try open()
        let connection = PayerConnection()
        async let gone = question.answer(over: connection)
        let canceled = Task { await question.answer() }
        async let stays = question.answer()
        try await eventually { question.payers == 3 }
        connection.close()
        canceled.cancel()
        #expect(await gone == .failure(.left))
        #expect(await canceled.value == .failure(.left))
        #expect(question.payers == 1)
        #expect(await replies.accept(DeviceReply([1]), for: ReplyID(1)))
        #expect(await stays == .success([1]))
    }

    @Test("A sixth question of a kind to a device is refused until one of them has ended")
    func ofDevice() async throws {
        let questions = try (1...5 as ClosedRange<UInt64>).map { try open($0) }
        #expect(refusal { try open(6) } == .busy)
        #expect(throws: Never.self) { try replies.wake("bob", most: 5) }
        #expect(await replies.accept(DeviceReply([1]), for: ReplyID(3)))
        _ = try open(7)
        #expect(refusal { try open(8) } == .busy)
        questions[0].end(.unreachable)
        _ = try open(9)
    }

    @Test(
        "A network has half of the questions to a device that are open at once, rounded up",
        arguments: [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
    func networkShare(most: Int, share: Int) throws {
        let network = ClientNetwork(.v4(1))
        for number in 1...share { _ = try open(UInt64(number), from: network, most: most) }
        #expect(refusal { try open(UInt64(share + 1), from: network, most: most) } == .busy)
    }

    @Test("A question counts while somebody waits, and ten seconds in any case; its answer is taken after that")
    func left() async throws {
        let questions = try (1...2 as ClosedRange<UInt64>).map { try open($0, most: 2) }
        async let waits = questions[0].answer()
        try await eventually { questions[0].payers == 1 && time.sleepers == 2 }
        time.advance(by: .milliseconds(9_999))
        #expect(refusal { try open(3, most: 2) } == .busy)
        time.advance(by: .milliseconds(1))
        try await eventually { refusal { try open(4, most: 2) } == nil }
        #expect(refusal { try open(5, most: 2) } == .busy)
        #expect(await replies.accept(DeviceReply([2]), for: ReplyID(2)))
        #expect(await replies.accept(DeviceReply([1]), for: ReplyID(1)))
        #expect(await waits == .success([1]))
    }

    @Test("Until it ends a question has a slot among all, also when it counts for its device no longer")
    func slot() async throws {
        let question = try open()
        try await eventually { time.sleepers == 1 }
        time.advance(by: .seconds(10))
        try await eventually { refusal { try open(2, most: 1) } == nil }
        #expect(slots.count == 2)
        question.end(.unreachable)
        #expect(slots.count == 1)
    }

    @Test("One whose reply proves nothing ends once all have left and it is ten seconds old")
    func endingWhenLeft() async throws {
        let questions = try (1...2 as ClosedRange<UInt64>).map { try open($0, endsWhenLeft: true) }
        let connection = PayerConnection()
        async let gone = questions[1].answer(over: connection)
        try await eventually { questions[1].payers == 1 && time.sleepers == 2 }
        time.advance(by: .milliseconds(9_999))
        #expect(slots.count == 2)
        time.advance(by: .milliseconds(1))
        try await eventually { slots.count == 1 }
        #expect(ends.withLock { $0 } == [.left])
        #expect(questions[1].payers == 1)
        connection.close()
        #expect(await gone == .failure(.left))
        try await eventually { slots.count == 0 && time.sleepers == 0 }
        #expect(await replies.accept(DeviceReply([1]), for: ReplyID(2)) == false)
    }

    @Test("A device is asked when somebody waits already, and not for a question that has ended")
    func asking() async throws {
        let (question, asked) = (try open(), Guarded(0))
        async let answer = question.answer { question in
            asked.withLock { $0 += question.payers }
            question.end(.unreachable)
        }
        #expect(await answer == .failure(.unreachable))
        #expect(asked.withLock { $0 } == 1)
        #expect(await question.answer { _ in asked.withLock { $0 += 1 } } == .failure(.unreachable))
        #expect(asked.withLock { $0 } == 1)
    }

    @Test("Of somebody who has left before it was put to the device nobody waits then")
    func leftBefore() async throws {
        let (question, asked) = (try open(), FirstAnswer<Int>())
        let answer = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await question.answer { asked.give($0.payers) }
        }
        #expect(await answer.value == .failure(.left))
        #expect(await asked.value() == 0)
    }

    @Test(
        "However many addresses of a network ask and leave, it wakes the device three times in ten seconds, and others can"
    )
    func askingAndLeaving() async throws {
        func network(_ text: String) throws -> ClientNetwork {
            let address: IPAddress = try #require(IPAddress(text))
            return ClientNetwork(address)
        }
        for round in 0..<3 as Range<UInt64> {
            let addresses = try (0..<10).map { try network("2001:db8:0:\($0)::1") }
            var asked: UInt64 = 0
            try await eventually {
                for address in addresses
                where refusal({ try open(100 * round + asked, from: address) }) == nil { asked += 1 }
                return asked >= 3
            }
            #expect(asked == 3)
            for number in [1, 2] as [UInt64] {
                let other = try network("192.0.2.\(number)")
                try await eventually { refusal { try open(100 * round + 10 + number, from: other) } == nil }
            }
            #expect(refusal { try open(100 * round + 13, from: network("192.0.2.3")) } == .busy)
            time.advance(by: .seconds(10))
        }
    }

    @Test("When the service stops all who wait are told, and no question is opened any more")
    func stopping() async throws {
        let question = try open()
        async let answer = question.answer()
        try await eventually { question.payers == 1 }
        await replies.stop()
        #expect(await answer == .failure(.stopping))
        #expect(refusal { try open(2) } == .stopping)
        try await eventually { time.sleepers == 0 }
    }

    @Test(
        "A reply id is a decimal number of 64 bits",
        arguments: [
            ("0", 0), ("18446744073709551615", .max), ("18446744073709551616", nil), ("", nil), ("-1", nil),
            ("+1", nil), ("0x1", nil), ("1e3", nil), ("١", nil),
        ] as [(String, UInt64?)])
    func ids(text: String, number: UInt64?) {
        #expect(ReplyID(text)?.number == number)
    }

    @Test("A new reply id has 64 random bits, and is never printed")
    func randomID() throws {
        let id = try ReplyID { count throws(CryptoFault) in (0..<UInt8(count)).map { $0 } }
        #expect(id.number == 0x0001_0203_0405_0607)
        #expect(!"\(id)".contains("283686952306183") && !String(reflecting: id).contains("283686952306183"))
    }
}
