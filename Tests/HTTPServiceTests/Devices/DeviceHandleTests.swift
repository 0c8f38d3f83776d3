import LedgerRecords
@testable import Devices
import HTTPTypes
import LightningCoding
import LightningCrypto
import PushProviders
import ResponderModel
import SQLiteLedger
import Testing

@Suite("Handles of devices in the URLs of webhooks", .timeLimit(.minutes(5)))
struct DeviceHandleTests {
    static let info =
        #"{"template":"lnurlpay_info","data":{"callback_url":"https://a/cb","reply_url":"https://a/r/1"}}"#
    static let swap = #"{"event":"swap.update","data":{"id":"abc","status":"transaction.mempool"}}"#

    private func notify(_ fixture: DeviceFixture, _ handle: String, _ body: String = info) async throws -> Int {
        try await fixture.ask(.post, "/api/v1/notify?platform=ios&token=\(handle)", JSONValue(parsing: body)).status
    }

    @Test("A handle stands for the device in a webhook of at most 250 bytes, and shows neither its token nor its id")
    func stands() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        #expect(try await notify(fixture, phone.handle) == 200)
        #expect(fixture.apns.accepted.map(\.token) == [phone.token])
        #expect(phone.handle.utf8.count == 63)
        #expect("https://pay.wallet.example.com/api/v1/notify?platform=android&token=\(phone.handle)".utf8.count <= 250)
        #expect(!phone.handle.contains(phone.id.description))
        let again = try await fixture.phone()
        #expect(again.handle == phone.handle)
    }

    @Test("An event for a handle is durable, and goes where the device is when it is sent")
    func durable() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        #expect(try await notify(fixture, phone.handle, Self.swap) == 200)
        let moved = try await fixture.phone("phone", "b")
        #expect(moved.id == phone.id)
        await fixture.work()
        #expect(fixture.apns.accepted.map(\.token) == [moved.token])
    }

    @Test("A handle that is changed, foreign or revoked leads to nobody: 410")
    func revoked() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        let foreign = try DeviceHandles(secret: SecretBytes([8])).handle(of: phone.id)
        let changed = phone.handle.dropLast() + (phone.handle.last == "A" ? "B" : "A")
        for handle in [foreign, String(changed), "wkh_", "wkh_AAAA"] {
            #expect(try await notify(fixture, handle) == 410, "\(handle)")
            #expect(try await notify(fixture, handle, Self.swap) == 410, "\(handle)")
        }
        #expect(try await fixture.ask(.delete, "/v1/devices/phone", by: phone.secret).status == 204)
        #expect(try await notify(fixture, phone.handle) == 410)
        let anew = try await fixture.phone()
        #expect(anew.handle != phone.handle)
        #expect(try await notify(fixture, phone.handle) == 410)
        #expect(fixture.apns.accepted.isEmpty)
    }

    @Test(
        "A device in use is heard of once a day: when its provider takes a message, or it asks; and so it is not deleted"
    )
    func inUse() async throws {
        let fixture = try await DeviceFixture()
        let (clock, ledger) = (fixture.service.clock, fixture.service.ledger)
        let phone = try await fixture.phone()
        func heardOf() async throws -> UnixTime? { try await ledger.device(phone.id)?.lastContact }
        let registered = clock.now
        #expect(try await notify(fixture, phone.handle) == 200)
        #expect(try await heardOf() == registered)
        clock.advance(seconds: 86_400)
        fixture.apns.script(phone.token, [HTTP2Answer(400, #"{"reason":"BadTopic"}"#)])
        #expect(try await notify(fixture, phone.handle) != 200)
        #expect(try await heardOf() == registered)
        #expect(try await notify(fixture, phone.handle) == 200)
        #expect(try await heardOf() == clock.now)
        clock.advance(seconds: 86_400)
        #expect(try await fixture.ask(.get, "/v1/notifications", by: phone.secret).status == 200)
        #expect(try await heardOf() == clock.now)
        clock.advance(seconds: 86_400)
        _ = try await fixture.center.device(phone.id)
        #expect(try await heardOf() == clock.now)
    }

    @Test("A device token that another owner has registered delivers nothing of the former one")
    func changedHands() async throws {
        let fixture = try await DeviceFixture()
        let former = try await fixture.phone("phone", "a")
        try await fixture.center.tell(fixture.message(1))
        let next = try await fixture.phone("phone", "a", by: SecretKey([UInt8](repeating: 0x44, count: 32)))
        #expect(next.token == former.token)
        await fixture.work()
        #expect(try await notify(fixture, former.handle) == 410)
        #expect(fixture.apns.accepted.isEmpty)
        #expect(try await notify(fixture, next.handle) == 200)
        #expect(fixture.apns.accepted.count == 1)
    }

    @Test("A device whose provider says that it has gone is gone for its next sender too")
    func gone() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        let now = fixture.service.clock.now.seconds * 1000 + 1000
        fixture.apns.script(phone.token, [HTTP2Answer(410, #"{"reason":"Unregistered","timestamp":\#(now)}"#)])
        for _ in 1...2 { #expect(try await notify(fixture, phone.handle) == 410) }
        #expect(try await fixture.service.ledger.device(phone.id)?.address == nil)
    }
}
