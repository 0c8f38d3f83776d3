import LightningCoding
import LightningCrypto
import ResponderModel
import Testing
@testable import Devices

@Suite("What an owner wants to be told", .timeLimit(.minutes(5)))
struct PreferenceTests {
    private let owner: PublicKey

    init() throws {
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
        let text = #"{"push":true,"types":{"a":"off","payment_received":"silent"}}"#
        #expect(JSONValue.object(try preferences(text).json).serialized() == text)
        let none = #"{"push":true,"types":{}}"#
        #expect(JSONValue.object(try preferences("{}").json).serialized() == none)
        #expect(try preferences(none) == MessagePreferences())
    }

    @Test(
        "What cannot be meant is a fault that names the member",
        arguments: [
            ("[]", ""), (#"{"push":1}"#, "push"), (#"{"types":{"A":"off"}}"#, "types"),
            (#"{"types":{"a":"loud"}}"#, "types.a"), (#"{"types":{"security":"off"}}"#, "types.security"),
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

    @Test("What is of low priority is fetched, and what is off is in the notification center only")
    func priorities() throws {
        let low = try message(.paymentReceived, .low)
        let silent = try preferences(#"{"types":{"payment_received":"silent"}}"#)
        let off = try preferences(#"{"push":false}"#)
        #expect(MessagePreferences().delivery(of: try message()) == .alert)
        #expect(silent.delivery(of: try message()) == .silent)
        #expect(off.delivery(of: try message()) == .none)
        #expect(MessagePreferences().delivery(of: low) == .fetched)
        #expect(silent.delivery(of: low) == .fetched)
        #expect(off.delivery(of: low) == .none)
        #expect(off.delivery(of: try message(.security)) == .alert)
    }
}
