import Contracts
import LightningCoding
import LightningCrypto
import Testing

@testable import Devices

@Suite("Messages of low priority, collected by hour", .timeLimit(.minutes(1)))
struct MessageBatchTests {
    private func owner(_ byte: UInt8) throws -> PublicKey {
        try SecretKey([UInt8](repeating: byte, count: 32)).publicKey
    }

    @Test("Each moment is in one hour of an owner, which lasts 3600 seconds")
    func hours() throws {
        let owner = try owner(0x33)
        let hour = MessageHour(at: UnixTime(1_790_000_000), of: owner)
        #expect(hour.begin <= UnixTime(1_790_000_000) && UnixTime(1_790_000_000) < hour.end)
        #expect(hour.end.seconds(since: hour.begin) == 3600)
        #expect(MessageHour(at: hour.begin, of: owner) == hour)
        #expect(MessageHour(at: UnixTime(hour.end.seconds - 1), of: owner) == hour)
        #expect(MessageHour(at: hour.end, of: owner).begin == hour.end)
    }

    @Test("The hours of owners begin at different times, and the first and the last moment have one")
    func owners() throws {
        let begins = try (1...20).map { MessageHour(at: UnixTime(1_790_000_000), of: try owner($0)).begin }
        #expect(Set(begins).count > 15)
        #expect(try MessageHour(at: UnixTime(0), of: owner(1)).begin == UnixTime(0))
        #expect(try MessageHour(at: UnixTime(.max), of: owner(1)).begin < UnixTime(.max))
    }

    @Test("The newest message is told with the number of all, which counts each once, and up to a hundred")
    func newest() throws {
        let messages = try (1...120).reversed().map { number in
            DeviceMessage(
                DeviceMessage.Content(
                    id: try #require(MessageID("m\(number)")), owner: try owner(1), type: .paymentReceived,
                    priority: .low, title: "t", body: "b", createdAt: UnixTime(1), expiresAt: UnixTime(9)),
                sequence: UInt64(number), readAt: nil)
        }
        for message in [messages[117], messages[119]] {
            let batch = MessageBatch(of: message, and: Array(messages[117...118]))
            #expect(batch.newest == messages[117])
            #expect(batch.others == Array(messages[118...(message == messages[117] ? 118 : 119)]))
        }
        let single = MessageBatch(of: messages[0], and: [])
        #expect(single.newest == messages[0] && single.count == 1)
        #expect(MessageBatch(of: messages[119], and: Array(messages.prefix(100))).count == 100)
    }
}
