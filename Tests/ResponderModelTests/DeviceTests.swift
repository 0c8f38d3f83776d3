import LightningCoding
import LightningCrypto
import Testing
@testable import ResponderModel

@Suite("Devices and what they are told", .timeLimit(.minutes(5)))
struct DeviceTests {
    private static let point = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    private static let secret = "BTBZMqHH6r4Tts7J_aSIgg"
    private static let hexadecimal = String(repeating: "0a", count: 32)

    @Test(
        "An address is read as it is written",
        arguments: [
            ("apns", "production", hexadecimal), ("apns", "sandbox", String(repeating: "ff", count: 100)),
            ("fcm", "production", "e5Hj9:APA91b-_"),
            ("webpush", "production", "https://push.example/a?b \(point) \(secret)"),
        ])
    func addresses(platform: String, environment: String, token: String) throws {
        let address = try #require(PushAddress(platform: platform, environment: environment, token: token))
        #expect(address.platform == platform)
        #expect(address.environment.rawValue == environment)
        #expect(address.token == token)
    }

    @Test(
        "What is no address is refused",
        arguments: [
            ("apns", "production", String(repeating: "a", count: 63)), ("apns", "production", "0A" + hexadecimal),
            ("apns", "production", String(repeating: "a", count: 202)), ("apns", "beta", hexadecimal),
            ("apns", "production", ""),
            ("fcm", "production", ""), ("fcm", "production", "a b"), ("fcm", "sandbox", "a"),
            ("fcm", "production", String(repeating: "a", count: 4097)), ("sms", "production", "a"),
            ("webpush", "production", "https://push.example/"),
            ("webpush", "production", "https://push.example/ \(point)"),
            ("webpush", "production", "ftp://push.example/ \(point) \(secret)"),
            ("webpush", "production", "https://push.example/ \(secret) \(point)"),
            ("webpush", "production", "https://push.example/ A\(point.dropFirst()) \(secret)"),
            ("webpush", "production", "https://push.example/ \(point) \(secret) x"),
            ("webpush", "production", "https://push.example/\(String(repeating: "a", count: 1000)) \(point) \(secret)"),
        ])
    func noAddress(platform: String, environment: String, token: String) {
        #expect(PushAddress(platform: platform, environment: environment, token: token) == nil)
    }

    @Test("Two addresses are the same by platform, environment, and token or endpoint")
    func digests() throws {
        func digest(_ platform: String, _ environment: String, _ token: String) throws -> [UInt8] {
            try #require(PushAddress(platform: platform, environment: environment, token: token)).digest
        }
        let apns = try digest("apns", "production", Self.hexadecimal)
        #expect(try digest("apns", "sandbox", Self.hexadecimal) != apns)
        #expect(try digest("fcm", "production", Self.hexadecimal) != apns)
        let other = "A" + Self.secret.dropFirst()
        #expect(
            try digest("webpush", "production", "https://push.example/a \(Self.point) \(Self.secret)")
                == digest("webpush", "production", "https://push.example/a \(Self.point) \(other)"))
    }

    @Test("The id of a device is 32 lower-case digits, and drawn at random")
    func ids() throws {
        let id = try DeviceID(random: SystemRandom.bytes)
        #expect(DeviceID(id.description) == id)
        #expect(try DeviceID(random: SystemRandom.bytes) != id)
        for text in ["", "0a", String(repeating: "0A", count: 16), String(repeating: "0a", count: 17)] {
            #expect(DeviceID(text) == nil)
        }
    }

    @Test("Names that apps choose are short and of few characters")
    func names() {
        for text in ["a", "AZ-09_az", String(repeating: "a", count: 64)] { #expect(InstallID(text)?.text == text) }
        for text in ["", "a b", "a/b", "é", String(repeating: "a", count: 65)] { #expect(InstallID(text) == nil) }
        for text in ["", "A", "a-b", "é", String(repeating: "a", count: 41)] { #expect(MessageType(text) == nil) }
        for text in ["", "A", "a_b", String(repeating: "a", count: 65)] { #expect(MessageID(text) == nil) }
        let type = MessageType.paymentReceived
        for text in ["", "a b", "é", String(repeating: "a", count: 129)] {
            #expect(DeviceMessage.Link(type: type, target: text) == nil)
        }
    }

    @Test("A long title or body is cut between characters, and has no U+0000")
    func texts() throws {
        let content = DeviceMessage.Content(
            id: try #require(MessageID("m")), owner: try SecretKey([UInt8](repeating: 1, count: 32)).publicKey,
            type: .security, priority: .high, title: String(repeating: "é", count: 61),
            body: "\0" + String(repeating: "a", count: 1000), createdAt: UnixTime(0), expiresAt: UnixTime(0))
        #expect(content.title == String(repeating: "é", count: 60))
        #expect(content.body == "\u{FFFD}" + String(repeating: "a", count: 997))
    }
}
