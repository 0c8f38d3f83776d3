import LightningCoding
import LightningCrypto
import Testing
@testable import ResponderCore

@Suite("An encrypted payload", .timeLimit(.minutes(5)))
struct EncryptedPayloadTests {
    /// From the tests of the wallet Bitkit (synonymdev/bitkit-android, `CryptoTest.kt`).
    private static let published = """
        {"aps":{"mutable-content":1,"alert":{"title":"x","payload":{\
        "cipher":"l2fInfyw64gO12odo8iipISloQJ45Rc4WjFmpe95brdaAMDq+T/L9ZChcmMCXnR0J6BXd8sSIJe/0bmby8uSZZJuVCzwF76XHfY5oq0Y1/hKzyZTn8nG3dqfiLHnAPy1tZFQfm5ALgjwWnViYJLXoGFpXs7kLMA=",\
        "iv":"2b8ed77fd2198e3ed88cfaa794a246e8","tag":"caddd13746d6a6aed16176734964d3a3",\
        "publicKey":"031e9923e689a181a803486b7d8c0d4a5aad360edb70c8bb413a98458d91652213"}}}}
        """
    private static let secret = "cc74b1a4fdcd35916c766d3318c5a93b7e33a36ebeff0463128bf284975c2680"

    private let receiver: SecretKey
    private let sender: SecretKey

    init() throws {
        receiver = try SecretKey(Array(repeating: 1, count: 32))
        sender = try SecretKey(Array(repeating: 2, count: 32))
    }

    private func sealed(_ plaintext: String, for purpose: String = "p", nonceCount: Int = 12) throws -> JSONObject {
        let point = try sender.sharedPoint(with: receiver.publicKey)
        let key = SHA256.hash(SHA256.hash(point, Array(purpose.utf8)))
        let nonce = [UInt8](repeating: 9, count: nonceCount)
        let (ciphertext, tag) = try AES256GCM.seal(Array(plaintext.utf8), key: key, nonce: nonce)
        return [
            "cipher": .string(Base64.encode(ciphertext)), "iv": .string(Hexadecimal.encode(nonce)),
            "tag": .string(Hexadecimal.encode(tag)), "publicKey": .string(sender.publicKey.hexadecimal),
        ]
    }

    private func read(
        _ payload: JSONValue, more: JSONObject = [:], purpose: String = "p"
    ) throws -> ReceivedNotification {
        var object = more
        object["aps"] = ["alert": ["payload": payload]]
        return try NotificationReader(key: PayloadKey(receiver, purpose: purpose)).read(object)
    }

    @Test("of an existing wallet is decrypted")
    func publishedPayload() throws {
        let key = try PayloadKey(SecretKey(Hexadecimal.decode(Self.secret)), purpose: "bitkit-notifications")
        let notification = try NotificationReader(key: key).read(Array(Self.published.utf8))
        #expect(notification.type == .incomingHTLC)
        #expect(notification.event == .announcement)
        #expect(notification.payload == ["secretMessage": "hello"])
        #expect(notification.envelope == .encrypted)
    }

    @Test("holds an envelope, or type and payload, or the payload of a type outside")
    func forms() throws {
        let payload = #"{"callback_url":"https://a.example","reply_url":"https://b.example"}"#
        let forms: [(String, JSONObject)] = [
            (#"{"type":"lnurlpay_info","payload":\#(payload)}"#, [:]),
            (#"{"template":"lnurlpay_info","data":\#(payload)}"#, ["app_data": 7]),
            (
                #"{"notification_type":"lnurlpay_info","notification_payload":\#(JSONValue.string(payload).serialized())}"#,
                ["app_data": 7]
            ),
            (payload, ["notification_type": "lnurlpay_info", "app_data": 7]),
        ]
        for (plaintext, more) in forms {
            let notification = try read(.object(sealed(plaintext)), more: more)
            #expect(notification.event == .payInfo(callback: "https://a.example"))
            #expect(notification.replyURL == "https://b.example")
            #expect(notification.appData == more["app_data"])
            #expect(notification.envelope == .encrypted)
        }
    }

    @Test("has a nonce of 12 to 16 bytes")
    func nonces() throws {
        for count in 12...16 {
            let payload = try sealed(#"{"type":"mutualClose"}"#, nonceCount: count)
            #expect(try read(.object(payload)).type == .mutualClose)
        }
        for count in [11, 17] {
            var payload = try sealed("{}")
            payload["iv"] = .string(String(repeating: "00", count: count))
            #expect(
                try read(.object(payload)).event
                    == .undecipherable(.member(MemberFault("iv", .notHexadecimal))))
        }
    }

    @Test("that cannot be decrypted is reported as such, not as an envelope fault")
    func closed() throws {
        let payload = try sealed(#"{"type":"mutualClose"}"#)
        let keyless = try NotificationReader().read(["aps": ["alert": ["payload": .object(payload)]]])
        #expect(keyless.event == .undecipherable(.noKey))
        #expect(keyless.type == .undecipherable)
        #expect(try read(.object(payload), purpose: "q").event == .undecipherable(.authentication))
        var other = payload
        other["publicKey"] = .string(receiver.publicKey.hexadecimal)
        #expect(try read(.object(other)).event == .undecipherable(.authentication))
        for (member, value) in [("tag", String(repeating: "0", count: 32)), ("iv", String(repeating: "0", count: 24))] {
            var changed = payload
            changed[member] = .string(value)
            #expect(try read(.object(changed)).event == .undecipherable(.authentication))
        }
        for plaintext in ["x", "[]", "{}", #"{"type":7}"#, #"{"type":""}"#, #"{"template":7,"data":{}}"#] {
            #expect(try read(.object(sealed(plaintext))).event == .undecipherable(.plaintext), "\(plaintext)")
        }
    }

    @Test("with a missing or malformed member cannot be decrypted", arguments: ["cipher", "iv", "tag", "publicKey"])
    func members(name: String) throws {
        let missing: [JSONValue?] = [nil, .null, 7, "", "zz"]
        for value in missing {
            var payload = try sealed(#"{"type":"mutualClose"}"#)
            payload[name] = value
            guard case .undecipherable(.member(let fault)) = try read(.object(payload)).event else {
                Issue.record("\(name) \(String(describing: value))")
                continue
            }
            #expect(fault.member == name)
        }
    }

    @Test("that cannot be decrypted keeps a type given outside")
    func typeOutside() throws {
        let notification = try NotificationReader().read([
            "notification_type": "incomingHtlc", "aps": ["alert": ["payload": .object(try sealed("{}"))]],
        ])
        #expect(notification.type == .incomingHTLC)
        #expect(notification.event == .undecipherable(.noKey))
    }
}
