import LightningCoding
import LightningCrypto
import ResponderModel
import Testing
@testable import Devices

@Suite("What listeners to messages are told", .timeLimit(.minutes(5)))
struct MessageFeedTests {
    private let owner: PublicKey

    init() throws {
        owner = try SecretKey([UInt8](repeating: 0x33, count: 32)).publicKey
    }

    private func message(_ number: UInt64, title: String = "You received 21 sat") throws -> DeviceMessage {
        DeviceMessage(
            DeviceMessage.Content(
                id: try #require(MessageID("m\(number)")), owner: owner, type: .paymentReceived, priority: .normal,
                title: title, body: "b", createdAt: UnixTime(1_790_000_000), expiresAt: UnixTime(1_790_086_400)),
            sequence: number, readAt: nil)
    }

    private func newest(_ numbers: ClosedRange<UInt64>) throws -> [DeviceMessage] {
        try numbers.reversed().map { try message($0) }
    }

    private func count(_ unread: UInt64, _ newest: UInt64) -> MessageCount {
        MessageCount(unread: unread, newest: newest)
    }

    @Test("A new listener is told what is unread, and then of each new message once, oldest first")
    func new() throws {
        var feed = MessageFeed()
        #expect(!feed.wantsMessages(count(2, 7)))
        #expect(feed.look(count(2, 7), newest: []) == [.read(count(2, 7))])
        #expect(!feed.wantsMessages(count(2, 7)))
        #expect(feed.look(count(2, 7), newest: []) == [])
        #expect(feed.wantsMessages(count(4, 9)))
        let (eight, nine) = (try message(8), try message(9))
        #expect(
            feed.look(count(4, 9), newest: try newest(5...9))
                == [.notification(eight), .notification(nine), .read(count(4, 9))])
        #expect(feed.look(count(4, 9), newest: try newest(5...9)) == [])
    }

    @Test("A listener who comes back is told what was missed")
    func returning() throws {
        var feed = MessageFeed(after: 5)
        #expect(feed.wantsMessages(count(1, 6)))
        #expect(
            feed.look(count(1, 6), newest: try newest(1...6)) == [.notification(try message(6)), .read(count(1, 6))])
    }

    @Test("A listener is told when messages are read elsewhere")
    func read() throws {
        var feed = MessageFeed()
        _ = feed.look(count(2, 2), newest: [])
        #expect(feed.look(count(1, 2), newest: []) == [.read(count(1, 2))])
        #expect(feed.look(count(2, 2), newest: []) == [.read(count(2, 2))])
    }

    @Test("A hundred missed messages are told one by one when the one before them is known, more are a gap")
    func gap() throws {
        var feed = MessageFeed(after: 20)
        #expect(feed.look(count(99, 119), newest: try newest(20...119)).count == 100)
        var late = MessageFeed(after: 20)
        #expect(late.look(count(130, 150), newest: try newest(51...150)) == [.resync(count(130, 150))])
        #expect(late.look(count(130, 150), newest: try newest(51...150)) == [])
    }

    @Test("A place that was never given out is a gap")
    func foreign() throws {
        var feed = MessageFeed(after: 1000)
        #expect(!feed.wantsMessages(count(1, 3)))
        #expect(feed.look(count(1, 3), newest: []) == [.resync(count(1, 3))])
        #expect(
            feed.look(count(2, 4), newest: try newest(1...4)) == [.notification(try message(4)), .read(count(2, 4))])
    }

    @Test("A message that is added between count and list is told once")
    func race() throws {
        var feed = MessageFeed(after: 3)
        #expect(
            feed.look(count(1, 4), newest: try newest(1...5))
                == [.notification(try message(4)), .notification(try message(5)), .read(count(1, 4))])
        #expect(feed.look(count(2, 5), newest: []) == [.read(count(2, 5))])
    }

    @Test("No text of a message can end or begin a line of an event")
    func wire() throws {
        let event = MessageEvent.notification(try message(7, title: "a\r\nevent: read\u{2028}\n\nid: 1"))
        #expect(event.text.hasPrefix("id: 7\nevent: notification\ndata: {\"id\":\"m7\",\"seq\":7,"))
        #expect(event.text.split(separator: "\n", omittingEmptySubsequences: false).count == 5)
        #expect(!event.text.unicodeScalars.contains("\r"))
        #expect(
            MessageEvent.resync(count(2, 9)).text == "id: 9\nevent: resync\ndata: {\"unread\":2,\"seq\":9}\n\n")
    }
}
