import LightningCoding
import LightningCrypto
import ResponderModel
import Testing
@testable import Devices

@Suite("Which push messages replace earlier ones", .timeLimit(.minutes(5)))
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
            registeredAt: UnixTime(0), lastContact: UnixTime(0),
            state: .live(.fcm(token: "t", .android), since: UnixTime(0)),
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

    // synonymdev/bitkit-core, pushes.json.
    @Test("The id of a thing has the published form, and differs with the secret, the user, the topic and the thing")
    func ids() {
        func id(
            _ secret: UInt8 = 0x77,
            _ user: String = "ln:023c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1",
            _ topic: String = "blocktank.incomingHtlc",
            _ key: String = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        ) -> String {
            CollapseID(secret: [UInt8](repeating: secret, count: 32), identity: user, topic: topic, key: key).text
        }
        #expect(id() == "01708c8803f4e752df60858c2b4fae1c7a5a77df1be560dd5658e10c0b194085")
        #expect(Set([id(), id(0x78), id(0x77, "x"), id(0x77, "x", "y"), id(0x77, "x", "y", "z")]).count == 5)
    }

    @Test("An id of somebody else stays if it has 1 to 64 visible characters, else it is hashed")
    func foreignIDs() {
        let longest = String(repeating: "a", count: 64)
        #expect(CollapseID("order-7").text == "order-7")
        #expect(CollapseID(longest).text == longest)
        for text in [longest + "a", "", "a b", "é"] {
            #expect(CollapseID(text).text == Hexadecimal.encode(SHA256.hash(Array(text.utf8))))
        }
    }

    @Test("Of several wakes to catch up, one is enough")
    func catchUp() throws {
        let keys = try [1, 2].map { _ in
            try key(
                #require(
                    try PushMessage.catchUp(of: device, at: UnixTime(0), secret: secret, random: SystemRandom.bytes)))
        }
        #expect(keys[0] != nil)
        #expect(keys[0] == keys[1])
    }
}
