import Contracts
import LightningCoding
import LightningCrypto
import Testing

@testable import Devices

@Suite("What an owner wants to be told", .timeLimit(.minutes(1)))
struct PreferenceTests {
    /// UTC, all year.
    private let zone: TimeZoneRules
    private let owner: PublicKey

    init() throws {
        func half(_ version: String) -> [UInt8] {
            Array("TZif\(version)".utf8) + [UInt8](repeating: 0, count: 15 + 16) + [0, 0, 0, 1, 0, 0, 0, 1]
                + [0, 0, 0, 0, 0, 0, 0]
        }
        zone = try TimeZoneRules(half("2") + half("2") + Array("\nUTC0\n".utf8))
        owner = try SecretKey([UInt8](repeating: 1, count: 32)).publicKey
    }

    private func preferences(_ text: String) throws -> MessagePreferences {
        try MessagePreferences(JSONMembers<DeviceMemberFault>(JSONValue(parsing: text)))
    }

    private func message(
        _ type: MessageType = .paymentReceived, _ priority: DeviceMessage.Priority = .normal
    ) throws -> DeviceMessage.Content {
        DeviceMessage.Content(
            id: try #require(MessageID("m1")), owner: owner, type: type, priority: priority, title: "t", body: "b",
            createdAt: UnixTime(0), expiresAt: UnixTime(1000))
    }

    @Test("Preferences are read as they are written")
    func roundTrip() throws {
        let text =
            #"{"push":true,"types":{"a":"off","payment_received":"silent"},"quiet":{"from":"22:00","to":"07:30","tz":"Europe/Oslo","except":["a"]}}"#
        #expect(JSONValue.object(try preferences(text).json).serialized() == text)
        let none = #"{"push":true,"types":{},"quiet":null}"#
        #expect(JSONValue.object(try preferences("{}").json).serialized() == none)
        #expect(try preferences(none) == MessagePreferences())
    }

    @Test(
        "What cannot be meant is a fault that names the member",
        arguments: [
            ("[]", ""), (#"{"push":1}"#, "push"), (#"{"types":{"A":"off"}}"#, "types"),
            (#"{"types":{"a":"loud"}}"#, "types.a"), (#"{"types":{"security":"off"}}"#, "types.security"),
            (#"{"quiet":{"from":"22:00","to":"7:00","tz":"Europe/Oslo"}}"#, "quiet.to"),
            (#"{"quiet":{"from":"24:00","to":"07:00","tz":"Europe/Oslo"}}"#, "quiet.from"),
            (#"{"quiet":{"from":"22:00","to":"07:60","tz":"Europe/Oslo"}}"#, "quiet.to"),
            (#"{"quiet":{"from":"22:00","to":"07:00","tz":"../../etc/passwd"}}"#, "quiet.tz"),
            (#"{"quiet":{"from":"22:00","to":"07:00","tz":"/etc/passwd"}}"#, "quiet.tz"),
            (#"{"quiet":{"from":"22:00","to":"07:00"}}"#, "quiet.tz"),
            (#"{"quiet":{"from":"22:00","to":"07:00","tz":"UTC","except":[1]}}"#, "quiet.except"),
        ])
    func faults(text: String, member: String) throws {
        let fault = #expect(throws: DeviceMemberFault.self) { try preferences(text) }
        #expect(fault?.member == member)
        #expect(fault?.reason.isEmpty == false)
    }

    @Test("More than fifty types are refused")
    func bounds() throws {
        let types = (0...50).map { #""t\#($0)":"off""# }.joined(separator: ",")
        #expect(throws: DeviceMemberFault(member: "types", .malformed)) { try preferences("{\"types\":{\(types)}}") }
    }

    @Test("A type is alerted unless something else was chosen, and security always")
    func ways() throws {
        var preferences = MessagePreferences()
        #expect(preferences.way(for: .paymentReceived) == .alert)
        preferences.choose(.silent, for: .paymentReceived)
        preferences.choose(.off, for: .security)
        #expect(preferences.way(for: .paymentReceived) == .silent)
        #expect(preferences.way(for: .security) == .alert)
        preferences.isPushed = false
        #expect(preferences.way(for: .paymentReceived) == .off)
        #expect(preferences.way(for: .security) == .alert)
    }

    @Test("Quiet hours delay alerts, not silent messages, and neither security nor what is excepted")
    func quiet() throws {
        let preferences = try preferences(
            #"{"types":{"a":"silent"},"quiet":{"from":"22:00","to":"07:00","tz":"UTC","except":["b"]}}"#)
        let (night, morning) = (UnixTime(23 * 3600), UnixTime(31 * 3600))
        func way(_ type: String, at now: UnixTime, in zone: TimeZoneRules?) throws -> MessageDelivery {
            MessageDelivery(of: try message(#require(MessageType(type))), by: preferences, in: zone, at: now)
        }
        #expect(try way("payment_received", at: night, in: zone) == .alert(notBefore: morning))
        #expect(try way("payment_received", at: morning, in: zone) == .alert(notBefore: morning))
        #expect(try way("a", at: night, in: zone) == .silent)
        #expect(try way("b", at: night, in: zone) == .alert(notBefore: night))
        #expect(try way("security", at: night, in: zone) == .alert(notBefore: night))
        #expect(try way("payment_received", at: night, in: nil) == .alert(notBefore: night))
    }

    @Test("What is of low priority is silent and collected, and what is off is in the notification centre only")
    func priorities() throws {
        let now = UnixTime(100)
        let low = try message(.paymentReceived, .low)
        #expect(MessageDelivery(of: low, by: MessagePreferences(), in: nil, at: now) == .collected)
        let silent = try preferences(#"{"types":{"payment_received":"silent"}}"#)
        #expect(MessageDelivery(of: low, by: silent, in: nil, at: now) == .collected)
        let off = try preferences(#"{"push":false}"#)
        #expect(MessageDelivery(of: try message(), by: off, in: nil, at: now) == .none)
        #expect(MessageDelivery(of: low, by: off, in: nil, at: now) == .none)
    }

    @Test("A time of the day is two digits, a colon and two digits")
    func timesOfDay() {
        for text in ["00:00", "23:59", "07:05"] { #expect(TimeOfDay(text)?.description == text) }
        for text in ["", "7:00", "07:0", "24:00", "07:60", "0700", "07:00:00", "+7:00", "-1:00"] {
            #expect(TimeOfDay(text) == nil)
        }
    }
}
