import LNURL
import LightningCoding
import LightningCrypto
import Platform
import Registrations
import ResponderModel
import Testing

@Suite("Questions that wait for a device", .timeLimit(.minutes(1)))
struct PendingRepliesTests {
    private let end = MonotonicTime(sinceStart: .seconds(30))
    private let start = MonotonicTime(sinceStart: .zero)
    private let info: DeviceQuestion
    private let invoice: DeviceQuestion

    init() throws {
        info = .info(callback: try HTTPURL("https://a.example/lnurlpay/alice/invoice"))
        invoice = .invoice(.init(CallbackQuery(amount: Millisatoshi(1000)), shown: nil, verifyTemplate: ""))
    }

    private func pending(perUser: Int = 5) -> PendingReplies<String, Int> { PendingReplies(perUser: perUser) }

    @Test("Payers who ask the same at once share one question, and all get its answer")
    func sharing() {
        var pending = pending()
        for payer in 1...3 {
            let admission = pending.add(
                payer, asking: info, of: "alice", version: 1, as: ReplyID(UInt64(payer)), from: start, until: end,
                most: 100)
            #expect(admission == (payer == 1 ? .ask : .wait(ReplyID(1))))
        }
        #expect(pending.questions == 1 && pending.payers == 3)
        #expect(pending.take(ReplyID(2), at: start) == nil)
        #expect(pending.take(ReplyID(1), at: start)?.payers == [1, 2, 3])
        #expect(pending.questions == 0 && pending.payers == 0)
        #expect(
            pending.add(4, asking: info, of: "alice", version: 1, as: ReplyID(4), from: start, until: end, most: 100)
                == .ask)
    }

    @Test("Another user, another version of the registration, and another question are not shared")
    func others() throws {
        var pending = pending()
        let hash = try PaymentHash(Array(repeating: 1, count: 32))
        for (number, (question, user, version)) in [
            (info, "alice", 1), (info, "bob", 1), (info, "alice", 2), (.verify(hash), "alice", 1),
        ].enumerated() as EnumeratedSequence<[(DeviceQuestion, String, UInt64)]> {
            #expect(
                pending.add(
                    number, asking: question, of: user, version: version, as: ReplyID(UInt64(number)), from: start,
                    until: end, most: 100)
                    == .ask)
        }
        #expect(pending.questions == 4)
    }

    @Test("Each payer needs an invoice of their own, and a sixth at once is refused")
    func invoices() {
        var pending = pending()
        for payer in 1...6 {
            let admission = pending.add(
                payer, asking: invoice, of: "alice", version: 1, as: ReplyID(UInt64(payer)), from: start, until: end,
                most: 100)
            #expect(admission == (payer <= 5 ? .ask : .busy))
        }
        #expect(
            pending.add(7, asking: invoice, of: "bob", version: 1, as: ReplyID(7), from: start, until: end, most: 100)
                == .ask)
        #expect(pending.end(ReplyID(3))?.payers == [3])
        #expect(
            pending.add(8, asking: invoice, of: "alice", version: 1, as: ReplyID(8), from: start, until: end, most: 100)
                == .ask)
        #expect(
            pending.add(9, asking: invoice, of: "alice", version: 1, as: ReplyID(9), from: start, until: end, most: 100)
                == .busy)
    }

    @Test("Invoices, verify questions and the limits are counted apart, so that none keeps the others out")
    func kinds() throws {
        var pending = pending()
        var number = 0
        func ask(_ question: DeviceQuestion) -> PendingReplies<String, Int>.Admission {
            number += 1
            return pending.add(
                number, asking: question, of: "alice", version: 1, as: ReplyID(UInt64(number)), from: start, until: end,
                most: 100)
        }
        func verify(_ byte: UInt8) throws -> DeviceQuestion {
            .verify(try PaymentHash(Array(repeating: byte, count: 32)))
        }
        for byte in 1...5 as ClosedRange<UInt8> { #expect(ask(try verify(byte)) == .ask) }
        #expect(ask(try verify(6)) == .busy)
        #expect(ask(try verify(5)) == .wait(ReplyID(5)))
        for _ in 1...4 { #expect(ask(invoice) == .ask) }
        #expect(ask(.invoiceRequest([0], offer: "lno1")) == .ask)
        #expect(ask(.invoiceRequest([1], offer: "lno1")) == .busy && ask(invoice) == .busy)
        #expect(ask(info) == .ask)
        #expect(ask(info) == .wait(ReplyID(15)))
        #expect(pending.end(ReplyID(1)) != nil)
        #expect(ask(try verify(6)) == .ask)
        #expect(ask(invoice) == .busy)
    }

    @Test("A payer who goes waits no longer; its question stays open for those who stay, and for what its reply proves")
    func leaving() {
        var pending = pending()
        func ask(_ number: UInt64, _ question: DeviceQuestion) -> PendingReplies<String, Int>.Admission {
            pending.add(
                Int(number), asking: question, of: "alice", version: 1, as: ReplyID(number), from: start, until: end,
                most: 100)
        }
        #expect(ask(1, invoice) == .ask)
        #expect(ask(2, info) == .ask)
        #expect(ask(3, info) == .wait(ReplyID(2)))
        for _ in 1...2 {
            pending.leave(ReplyID(1)) { $0 == 1 }
            #expect(pending.payers == 2 && pending.questions == 2)
        }
        #expect(pending.take(ReplyID(1), at: start)?.payers == [])
        for _ in 1...2 {
            pending.leave(ReplyID(2)) { $0 == 2 }
            #expect(pending.payers == 1)
        }
        #expect(ask(5, info) == .wait(ReplyID(2)))
        #expect(pending.take(ReplyID(2), at: start)?.payers == [3, 5])
        #expect(pending.payers == 0)
    }

    @Test(
        "At the limit of a registration, the oldest question that every payer has left ends for the next one once it is old enough"
    )
    func leftOfUser() {
        var pending = pending(perUser: 3)
        func ask(
            _ number: UInt64, _ question: DeviceQuestion, after time: Duration
        ) -> PendingReplies<String, Int>.Admission {
            pending.add(
                Int(number), asking: question, of: "alice", version: 1, as: ReplyID(number), from: start + time,
                until: end + time, most: 100)
        }
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(ask(number, invoice, after: .seconds(Int(number))) == .ask)
        }
        for number in [3, 2] { pending.leave(ReplyID(UInt64(number))) { $0 == number } }
        // Of another kind, and so not in its way.
        #expect(ask(5, info, after: .seconds(3)) == .ask)
        #expect(ask(6, invoice, after: .milliseconds(11_999)) == .busy)
        #expect(ask(7, invoice, after: .seconds(12)) == .askInstead(of: ReplyID(2)))
        #expect(ask(8, invoice, after: .milliseconds(12_999)) == .busy)
        #expect(ask(9, invoice, after: .seconds(13)) == .askInstead(of: ReplyID(3)))
        #expect(ask(10, invoice, after: .seconds(29)) == .busy)
        #expect(pending.questions == 4 && pending.payers == 4)
        #expect(pending.take(ReplyID(2), at: start) == nil)
        #expect(pending.take(ReplyID(1), at: start)?.payers == [1])
        #expect(ask(11, invoice, after: .seconds(29)) == .ask)
    }

    @Test(
        "However many questions a network asks and leaves, the next payer's is asked, and the device woken three times in ten seconds"
    )
    func askingAndLeaving() throws {
        var (pending, number, asked) = (pending(), 0 as UInt64, 0)
        func ask(_ address: String, at moment: MonotonicTime) throws -> PendingReplies<String, Int>.Admission {
            number += 1
            let address: IPAddress = try #require(IPAddress(address))
            return pending.add(
                0, in: ClientNetwork(address), asking: invoice, of: "alice", version: 1, as: ReplyID(number),
                from: moment, until: moment + .seconds(30), most: 100)
        }
        for second in 0..<60 {
            let moment = start + .seconds(second)
            _ = pending.endOverdue(at: moment)
            // One network, however many addresses it has.
            for network in 0..<10 {
                switch try ask("2001:db8:0:\(network)::1", at: moment) {
                case .busy, .wait: break
                case .ask, .askInstead:
                    asked += 1
                    pending.leave(ReplyID(number)) { _ in true }
                }
            }
            if second % 20 == 10 { #expect(try ask("192.0.2.1", at: moment) == .ask) }
        }
        #expect(asked == 18)
    }

    @Test("However many networks ask and leave, a device is woken by five questions in ten seconds at the most")
    func crowd() throws {
        var (pending, asked) = (pending(), 0)
        for number in 0..<600 as Range<UInt64> {
            let moment = start + .milliseconds(100 * Int(number))
            let admission = pending.add(
                0, in: ClientNetwork(.v4(UInt32(number))), asking: invoice, of: "alice", version: 1,
                as: ReplyID(number), from: moment, until: moment + .seconds(30), most: 100)
            guard admission != .busy else { continue }
            asked += 1
            pending.leave(ReplyID(number)) { _ in true }
        }
        #expect(asked == 30)
    }

    @Test("At the limit of all questions, the one that every payer has left first ends; one with payers again does not")
    func leftOfAll() {
        var pending = pending()
        func ask(_ number: UInt64, _ user: String) -> PendingReplies<String, Int>.Admission {
            pending.add(
                Int(number), asking: info, of: user, version: 1, as: ReplyID(number), from: start, until: end, most: 3)
        }
        for (number, user) in [(1, "alice"), (2, "bob"), (3, "carol")] as [(UInt64, String)] {
            #expect(ask(number, user) == .ask)
        }
        for number in [3, 1, 2] { pending.leave(ReplyID(UInt64(number))) { $0 == number } }
        #expect(pending.payers == 0 && pending.questions == 3)
        #expect(ask(4, "carol") == .wait(ReplyID(3)))
        #expect(ask(5, "dave") == .askInstead(of: ReplyID(1)))
        #expect(ask(6, "erin") == .askInstead(of: ReplyID(2)))
        // Payers wait for all of them.
        #expect(ask(7, "frank") == .ask)
        pending.leave(ReplyID(3)) { $0 == 4 }
        #expect(ask(8, "grace") == .askInstead(of: ReplyID(3)))
        #expect(pending.payers == 4 && pending.questions == 4)
    }

    @Test("However often payers come and go, every question that they have left is found once, the first one first")
    func comingAndGoing() {
        var pending = pending()
        func ask(_ number: UInt64, of user: Int, most: Int = 8) -> PendingReplies<String, Int>.Admission {
            pending.add(
                0, asking: info, of: "\(user)", version: 1, as: ReplyID(number), from: start, until: end, most: most)
        }
        for round in 0..<50 as Range<UInt64> {
            for user in 0..<8 as Range<UInt64> {
                guard case .wait(let id) = ask(1000 * round + user, of: Int(user)) else {
                    pending.leave(ReplyID(1000 * round + user)) { _ in true }
                    continue
                }
                pending.leave(id) { _ in true }
            }
            #expect(pending.questions == 8 && pending.payers == 0)
            if round % 2 == 0 { #expect(pending.endAll().count == 8) }
        }
        for number in 0..<8 as Range<UInt64> {
            #expect(ask(100_000 + number, of: 100 + Int(number)) == .askInstead(of: ReplyID(49_000 + number)))
        }
    }

    @Test("The first reply ends a question; a second one, an unknown id and a reply at the deadline find none")
    func once() {
        var pending = pending()
        _ = pending.add(1, asking: invoice, of: "alice", version: 1, as: ReplyID(1), from: start, until: end, most: 100)
        #expect(pending.take(ReplyID(7), at: start) == nil)
        #expect(pending.take(ReplyID(1), at: end) == nil)
        #expect(pending.take(ReplyID(1), at: MonotonicTime(sinceStart: .milliseconds(29_999)))?.payers == [1])
        #expect(pending.take(ReplyID(1), at: start) == nil)
        #expect(pending.end(ReplyID(1)) == nil)
    }

    @Test("All questions of one user end at once, and others stay")
    func ending() {
        var pending = pending()
        _ = pending.add(1, asking: invoice, of: "alice", version: 1, as: ReplyID(1), from: start, until: end, most: 100)
        _ = pending.add(2, asking: info, of: "alice", version: 1, as: ReplyID(2), from: start, until: end, most: 100)
        _ = pending.add(3, asking: info, of: "bob", version: 1, as: ReplyID(3), from: start, until: end, most: 100)
        #expect(Set(pending.endAll(of: "alice").flatMap(\.payers)) == [1, 2])
        #expect(pending.payers == 1)
        #expect(pending.endAll().flatMap(\.payers) == [3])
        #expect(pending.questions == 0)
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
