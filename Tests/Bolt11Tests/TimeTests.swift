import Bolt11
import LightningCoding
import Testing

@Suite("Expiry", .timeLimit(.minutes(5)))
struct TimeTests {
    @Test("The last second of the expiry still counts, the one after does not")
    func boundary() throws {
        let invoice = try draft(timestamp: UnixTime(1000), expiry: 60).signed(by: publishedKey())
        #expect(invoice.expiresAt == UnixTime(1060))
        #expect(!invoice.contents.isExpired(at: UnixTime(1060)))
        #expect(invoice.contents.isExpired(at: UnixTime(1061)))
    }

    @Test("An expiry beyond the end of 64 bits ends with them", arguments: [1 << 60, UInt64.max])
    func saturates(expiry: UInt64) throws {
        let timestamp = UnixTime(1 << 35 - 1)
        let invoice = try Bolt11Invoice(draft(timestamp: timestamp, expiry: expiry).signed(by: publishedKey()).text)
        #expect(invoice.expiry == expiry)
        #expect(invoice.expiresAt == timestamp.adding(seconds: expiry))
        #expect(invoice.expiresAt >= timestamp)
    }

    @Test("An expiry of zero ends with the second of the timestamp")
    func zero() throws {
        let invoice = try Bolt11Invoice(draft(timestamp: UnixTime(9), expiry: 0).signed(by: publishedKey()).text)
        #expect(invoice.expiresAt == UnixTime(9))
    }
}
