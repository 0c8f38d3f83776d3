import LightningCoding
import LightningCrypto
import Testing

@testable import Devices

@Suite("Encrypted wakes", .timeLimit(.minutes(1)))
struct WakeTests {
    private let device: SecretKey
    private let message: WakeMessage

    init() throws {
        device = try SecretKey([UInt8](repeating: 0x55, count: 32))
        message = WakeMessage(
            id: try #require(WakeID("w1")), topic: try #require(WakeTopic("payments.incoming")), urgency: .background,
            deadline: UnixTime(1_790_000_060), payload: ["paymentHash": "00ff"])
    }

    private func push(_ container: WakeContainer) -> WakePush {
        WakePush(.silent(container, isUrgent: true), about: message.id, topic: message.topic, expires: message.deadline)
    }

    private func container(_ format: WakeFormat = .current) throws -> WakeContainer {
        try WakeContainer(
            sealing: message.plaintext, for: device.publicKey, as: format, random: SystemRandom.bytes)
    }

    @Test("A device reads what was encrypted for it, from APNs and from FCM")
    func roundTrip() throws {
        let push = push(try container())
        #expect(
            try ReceivedWake(push: JSONValue.object(push.apnsBody).serializedBytes(), for: device) == .wake(message))
        let data = push.fcmBody(token: "t", at: UnixTime(0))["message"]?["data"]
        #expect(try ReceivedWake(push: #require(data).serializedBytes(), for: device) == .wake(message))
    }

    @Test("Each message has a key and a nonce of its own")
    func freshKeys() throws {
        let (one, other) = (try container(), try container())
        #expect(one.sealed.sender != other.sealed.sender)
        #expect(one.sealed.nonce != other.sealed.nonce)
        #expect(one.sealed.ciphertext != other.sealed.ciphertext)
    }

    @Test("Nothing of a message is in clear, except in the text of an alert")
    func nothingInClear() throws {
        let body = JSONValue.object(push(try container()).apnsBody).serialized()
        for part in ["payments", "00ff", "w1\"", "1790000060"] { #expect(!body.contains(part)) }
    }

    @Test("A silent push message has priority 5 and asks for nothing but the background")
    func silent() throws {
        let push = push(try container())
        let fields = Dictionary(
            uniqueKeysWithValues: push.apnsFields(bundle: "b", requestID: "r").map { ($0.name, $0.value) })
        #expect(fields["apns-priority"] == "5")
        #expect(fields["apns-push-type"] == "background")
        #expect(push.apnsBody["aps"] == ["content-available": 1])
    }

    @Test("FCM keeps a message until it expires, at most 28 days")
    func lifetime() throws {
        func lifetime(at now: UInt64) throws -> JSONValue? {
            push(try container()).fcmBody(token: "t", at: UnixTime(now))["message"]?["android"]?["ttl"]
        }
        #expect(try lifetime(at: 1_790_000_000) == "60s")
        #expect(try lifetime(at: 1_790_000_061) == "0s")
        #expect(try lifetime(at: 0) == "2419200s")
    }

    @Test("An acknowledgement is read as it is written, and an unknown outcome is a fault")
    func acknowledgement() throws {
        for outcome in WakeAcknowledgement.Outcome.allCases {
            let acknowledgement = WakeAcknowledgement(of: message.id, outcome)
            #expect(try WakeAcknowledgement(JSONMembers(acknowledgement.json)) == acknowledgement)
        }
        #expect(throws: WakeFault.member("outcome", .malformed)) {
            try WakeAcknowledgement(JSONMembers(["id": "w1", "outcome": "done"] as JSONObject))
        }
    }

    @Test("Every fault has a sentence")
    func reasons() {
        let problems: [JSONMemberProblem] = [
            .missing, .notText, .notAFlag, .notWholeNumber, .notAnObject, .notAnArray, .malformed,
        ]
        let faults =
            problems.map { WakeFault.member("wake.iv", $0) } + [.noWake, .version, .authentication, .plaintext]
        #expect(Set(faults.map(\.reason)).count == faults.count)
    }
}
