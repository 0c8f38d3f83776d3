import LightningCoding
import LightningCrypto
import ResponderModel
import Testing
@testable import Devices

@Suite("Which push messages replace earlier ones", .timeLimit(.minutes(1)))
struct MessageCollapseTests {
    private let device: Device
    private let secret = SecretBytes([1])

    init() throws {
        let key = try SecretKey([UInt8](repeating: 0x55, count: 32)).publicKey
        let profile = DeviceProfile(
            owner: key, install: try #require(InstallID("phone")), secretHash: SHA256.hash([1]), encryptionKey: key,
            locale: nil)
        device = Device(
            id: try #require(DeviceID([UInt8](repeating: 1, count: 16))), profile: profile,
            registeredAt: UnixTime(0), lastContact: UnixTime(0), state: .live(.fcm(token: "t"), since: UnixTime(0)),
            catchUp: CatchUpState())
    }

    /// The member that makes FCM keep only the last one.
    private func key(_ message: PushMessage) throws -> String? {
        let body = FCMPush(message, token: "t", platform: .android, at: UnixTime(0)).body
        return try JSONValue(parsing: body)["message"]?["android"]?["collapse_key"]?.string
    }

    @Test("Of seven messages FCM keeps all, since none replaces another")
    func messages() throws {
        for number in 1...7 as ClosedRange<UInt64> {
            let content = DeviceMessage.Content(
                id: try #require(MessageID("m\(number)")), owner: device.profile.owner, type: .paymentReceived,
                priority: .normal, title: "You received 1 sat", body: "", createdAt: UnixTime(0),
                expiresAt: UnixTime(60))
            for isSilent in [true, false] {
                let push = try DeviceMessage(content, sequence: number, readAt: nil).push(
                    to: device, isSilent: isSilent, unread: 1, hasMore: false, isComplete: true, secret: secret,
                    random: SystemRandom.bytes)
                #expect(try key(#require(push)) == nil)
            }
        }
    }

    @Test("Of several wakes to catch up, one is enough")
    func catchUp() throws {
        let keys = try [1, 2].map { _ in
            try key(
                #require(
                    try WakePush.catchUp(of: device, at: UnixTime(0), secret: secret, random: SystemRandom.bytes)))
        }
        #expect(keys[0] != nil)
        #expect(keys[0] == keys[1])
    }
}
