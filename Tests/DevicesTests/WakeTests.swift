import ResponderModel
import LightningCoding
import LightningCrypto
import Platform
import Testing

@testable import Devices

@Suite("Encrypted wakes", .timeLimit(.minutes(5)))
struct WakeTests {
    private let device: SecretKey
    private let message: WakeMessage
    private let expires = UnixTime(1_790_000_060)

    init() throws {
        device = try SecretKey([UInt8](repeating: 0x55, count: 32))
        message = WakeMessage(
            id: try #require(WakeID("01a0c450-6c00-7000-8000-000000000001")),
            topic: try #require(WakeTopic("blocktank.incomingHtlc")), urgency: .background, deadline: expires,
            payload: [
                "lspId": "blocktank-lsp",
                "paymentHash": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ])
    }

    private func push(_ content: WakeContent) -> PushMessage {
        PushMessage(
            content, about: message.id, message.topic, .alert, expires: expires, collapse: CollapseID("c1"))
    }

    private func container(random: RandomSource = SystemRandom.bytes) throws -> WakeContainer {
        try WakeContainer(sealing: message.plaintext, for: device.publicKey, random: random)
    }

    /// The container of the message as synonymdev/bitkit-core has it (v1_envelope.json).
    private static let published = """
        {"v":1,"cipher":"bXIadw8XhVApCI59oieKY3P/h33PZz6NSdVFABqcg9CSgNhH5L+odPp6fRlxsbx/A37B0ZTxkuZgONflwXB4AyprdoQGEuDEbM8\
        NSRT1j9uAzrfBR098QxyA5eA4nsKbginEF+oPHY97X0yzHZwxV7qd69X4SKve9PaXn4li383A1ZTqlcXJhtAWA7U5YHiFFrbiHAoQgUr7D01/z0vPKt\
        HvryG+GD0rtFnrIzNwrwt6MH9hGO8gYHp1xPRO0bs432EnkOUO7rRv0JwD6q1VQ+GJrtEp/n8p5tW3QzOd8cexBUGoQM+Q6HlNHFRROjBM1fTIsaZj",\
        "iv":"000102030405060708090a0b","tag":"4521e07642272d9b8aed5157c331ad7a",\
        "publicKey":"035ab4689e400a4a160cf01cd44730845a54768df8547dcdf073d964f109f18c30"}
        """

    /// The container with the published key and nonce.
    private func publishedContainer() throws -> WakeContainer {
        let drawn = Guarded<[[UInt8]]>([Array(0..<12), [UInt8](repeating: 0x66, count: 32)])
        return try container { count throws(CryptoFault) -> [UInt8] in
            let bytes = drawn.withLock { $0.popLast() ?? [] }
            #expect(bytes.count == count)
            return bytes
        }
    }

    @Test("The published message is sealed as published, and opened")
    func publishedForm() throws {
        #expect(
            String(decoding: message.plaintext, as: UTF8.self) == """
                {"v":1,"id":"01a0c450-6c00-7000-8000-000000000001","topic":"blocktank.incomingHtlc",\
                "urgency":"background","deadline":1790000060,"payload":{"lspId":"blocktank-lsp",\
                "paymentHash":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}}
                """)
        #expect(try JSONValue.object(publishedContainer().json).serialized() == Self.published)
        #expect(try read(#"{"wake":\#(Self.published)}"#) == .wake(message))
    }

    @Test("A silent message, an alert and a fallback alert have the bodies that apps of Bitkit read")
    func bodies() throws {
        let container = try publishedContainer()
        let text = AlertText(title: "Incoming Payment", body: "Open to receive")
        let alert = #"{"alert":{"title":"Incoming Payment","body":"Open to receive"},"sound":"default","#
        let about = #"{"v":1,"id":"01a0c450-6c00-7000-8000-000000000001","topic":"blocktank.incomingHtlc"}"#
        let quoted = JSONValue.string(Self.published).serialized()
        let wake = #""wake":\#(Self.published)"#
        for (content, apns, kind, android, data) in [
            (
                .silent(container, isUrgent: true), #"{"aps":{"content-available":1},\#(wake)}"#, .background,
                #""priority":"high","ttl":"60s","collapse_key":"c1""#, #"{"wake":\#(quoted)}"#
            ),
            (
                .silent(container, isUrgent: false), #"{"aps":{"content-available":1},\#(wake)}"#, .background,
                #""priority":"normal","ttl":"60s","collapse_key":"c1""#, #"{"wake":\#(quoted)}"#
            ),
            (
                .alert(container, text, isTimeSensitive: false),
                #"{"aps":\#(alert)"mutable-content":1,"interruption-level":"active","thread-id":"blocktank.incomingHtlc"},"#
                    + wake + "}", .alert,
                #""priority":"high","ttl":"60s","collapse_key":"c1""#, #"{"wake":\#(quoted)}"#
            ),
            (
                .alert(container, text, isTimeSensitive: true),
                #"{"aps":\#(alert)"mutable-content":1,"interruption-level":"time-sensitive","#
                    + #""thread-id":"blocktank.incomingHtlc"},\#(wake)}"#, .alert,
                #""priority":"high","ttl":"60s","collapse_key":"c1""#, #"{"wake":\#(quoted)}"#
            ),
            (
                .fallback(text),
                #"{"aps":\#(alert)"interruption-level":"time-sensitive","thread-id":"blocktank.incomingHtlc"},"#
                    + #""wake_fallback":\#(about)}"#, .alert,
                #""priority":"high","ttl":"60s","collapse_key":"c1","notification":{"title":"Incoming Payment","#
                    + #""body":"Open to receive","channel_id":"wake","tag":"c1"}"#,
                #"{"wake_fallback":\#(JSONValue.string(about).serialized())}"#
            ),
        ] as [(WakeContent, String, PushForm.APNsKind, String, String)] {
            let message = push(content)
            #expect(String(decoding: message.form.apnsBody, as: UTF8.self) == apns)
            #expect(message.form.kind == kind && message.expires == expires && message.collapseID?.text == "c1")
            let fcm = FCMPush(message, token: "t", platform: .android, at: UnixTime(1_790_000_000))
            #expect(
                String(decoding: fcm.body, as: UTF8.self)
                    == #"{"message":{"token":"t","data":\#(data),"android":{\#(android)}}}"#)
        }
    }

    @Test("A device reads what was encrypted for it, from APNs, FCM and Web Push")
    func roundTrip() throws {
        for content in [
            WakeContent.silent(try container(), isUrgent: true),
            .alert(try container(), AlertText(title: "a", body: "b"), isTimeSensitive: false),
        ] {
            let form = push(content).form
            for object in [form.apns, form.data, form.web] {
                #expect(try read(JSONValue.object(object).serialized()) == .wake(message))
            }
        }
        let fallback = push(.fallback(AlertText(title: "a", body: "b"))).form
        for object in [fallback.apns, fallback.data, fallback.web] {
            #expect(try read(JSONValue.object(object).serialized()) == .fallback(message.id, message.topic))
        }
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
        let body = JSONValue.object(push(.silent(try container(), isUrgent: true)).form.apns).serialized()
        for part in ["blocktank", "e3b0", "01a0c450", "1790000060"] { #expect(!body.contains(part)) }
    }

    @Test("FCM keeps a message until it expires, at most 28 days")
    func lifetime() throws {
        let message = push(.silent(try container(), isUrgent: true))
        func lifetime(at now: UInt64) throws -> JSONValue? {
            let body = FCMPush(message, token: "t", platform: .android, at: UnixTime(now)).body
            return try JSONValue(parsing: body)["message"]?["android"]?["ttl"]
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
        #expect(throws: DeviceMemberFault(member: "outcome", .malformed)) {
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

/// What an app makes of push messages.
extension WakeTests {
    private func read(_ push: String, with key: SecretKey? = nil) throws(WakeFault) -> ReceivedWake {
        try ReceivedWake(push: Array(push.utf8), for: key ?? device)
    }

    /// A push message with that plaintext, encrypted as it should be.
    private func sealed(_ plaintext: String) throws -> String {
        let container = try WakeContainer(
            sealing: Array(plaintext.utf8), for: device.publicKey, random: SystemRandom.bytes)
        return JSONValue.object(["wake": .object(container.json)]).serialized()
    }

    // synonymdev/bitkit-core, v0_server.json and v0_client.json.
    @Test(
        "Messages of the legacy format are read, in the alert of APNs and the data of FCM",
        arguments: [
            (
                "2222222222222222222222222222222222222222222222222222222222222222",
                """
                {"cipher":"mvdDR3nQxKFTs/N1fQ5z38Zw079ynGfhKTULDq9Mzm96yPl4T4HRyvGLxpqEz9Kq/zeJnUbNzNNPFA2Kh5bPISCuuna+L375NL\
                JgKEN65Aqu6q8KLXECOLhlgdXTEt38xl946MINUfY45uWdtO9h","iv":"000102030405060708090a0b0c0d0e0f",\
                "tag":"2bacdc4bd3ba62cdc3376e302dd70a5f",\
                "publicKey":"034f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b704075871aa"}
                """, #"{"orderId":"abc"}"#, "2024-01-01T00:00:00.000Z"
            ),
            (
                "cc74b1a4fdcd35916c766d3318c5a93b7e33a36ebeff0463128bf284975c2680",
                """
                {"cipher":"l2fInfyw64gO12odo8iipISloQJ45Rc4WjFmpe95brdaAMDq+T/L9ZChcmMCXnR0J6BXd8sSIJe/0bmby8uSZZJuVCzwF76XHf\
                Y5oq0Y1/hKzyZTn8nG3dqfiLHnAPy1tZFQfm5ALgjwWnViYJLXoGFpXs7kLMA=","iv":"2b8ed77fd2198e3ed88cfaa794a246e8",\
                "tag":"caddd13746d6a6aed16176734964d3a3",\
                "publicKey":"031e9923e689a181a803486b7d8c0d4a5aad360edb70c8bb413a98458d91652213"}
                """, #"{"secretMessage":"hello"}"#, "2024-09-18T13:33:52.555Z"
            ),
        ])
    func legacy(key: String, container: String, payload: String, createdAt: String) throws {
        let key = try SecretKey(Hexadecimal.decode(key))
        for push in [container, #"{"aps":{"alert":{"payload":\#(container)}}}"#] {
            guard case .legacy(let found) = try read(push, with: key) else {
                Issue.record("not legacy")
                return
            }
            #expect(found.source == "blocktank" && found.type == "incomingHtlc")
            #expect(found.payload.serialized() == payload)
            #expect(found.createdAt == createdAt)
        }
        // The nonce has 16 bytes there, and the key is not that of the current format.
        let short = container.replacing(/"iv":"[0-9a-f]{24}/, with: #""iv":""#)
        #expect(throws: WakeFault.member("iv", .malformed)) { try read(short, with: key) }
        let current = container.replacing("{", with: #"{"v":1,"#)
            .replacing(/"iv":"([0-9a-f]{24})[0-9a-f]{8}/) { #""iv":"\#($0.1)"# }
        #expect(throws: WakeFault.authentication) { try read(#"{"wake":\#(current)}"#, with: key) }
    }

    @Test(
        "What an app receives besides is told apart",
        arguments: [
            ("[]", .member("", .notAnObject)), (#"{"aps":{"alert":{"title":"x"}}}"#, .noWake),
            (#"{"aps":{"alert":"x"}}"#, .noWake), (#"{"wake":1}"#, .member("wake", .notAnObject)),
            (#"{"wake":"x"}"#, .member("wake", .malformed)),
            (#"{"wake_fallback":{"v":2,"id":"w1","topic":"a.b"}}"#, .version),
            (#"{"wake_fallback":{"v":1,"topic":"a.b"}}"#, .member("wake_fallback.id", .missing)),
        ] as [(String, WakeFault)])
    func other(push: String, fault: WakeFault) {
        #expect(throws: fault) { try read(push) }
    }

    @Test("What is no JSON is no push message")
    func notJSON() {
        #expect { try read("wake") } throws: { if case WakeFault.json = $0 { true } else { false } }
    }

    @Test(
        "A container has version 1, a nonce of 12 bytes, a tag of 16, a point, and at most 4096 bytes",
        arguments: [
            ("v", nil, .member("wake.v", .missing)), ("v", 2, .version), ("v", "1", .member("wake.v", .notWholeNumber)),
            ("cipher", nil, .member("wake.cipher", .missing)), ("cipher", 1, .member("wake.cipher", .malformed)),
            ("cipher", "?", .member("wake.cipher", .malformed)),
            ("cipher", .string(Base64.encode([UInt8](repeating: 0, count: 4097))), .member("wake.cipher", .malformed)),
            ("cipher", .string(Base64.encode([UInt8](repeating: 0, count: 4096))), .authentication),
            ("iv", nil, .member("wake.iv", .missing)), ("iv", "?", .member("wake.iv", .malformed)),
            ("iv", "000102030405060708090a0b0c0d0e0f", .member("wake.iv", .malformed)),
            ("iv", "000102030405060708090a0b", .authentication),
            ("tag", nil, .member("wake.tag", .missing)),
            ("tag", "000000000000000000000000000000", .member("wake.tag", .malformed)),
            ("tag", "00000000000000000000000000000000", .authentication),
            ("publicKey", nil, .member("wake.publicKey", .missing)),
            (
                "publicKey", "02ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                .member("wake.publicKey", .malformed)
            ),
            (
                "publicKey", "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", .authentication
            ),
        ] as [(String, JSONValue?, WakeFault)])
    func containers(member: String, value: JSONValue?, fault: WakeFault) throws {
        var object = try container().json
        object[member] = value
        let push = JSONValue.object(["wake": .object(object)]).serialized()
        #expect(throws: fault) { try read(push) }
    }

    @Test("What was encrypted for another device stays closed")
    func otherDevice() throws {
        let other = try SecretKey([UInt8](repeating: 0x22, count: 32))
        #expect(throws: WakeFault.authentication) { try read(#"{"wake":\#(Self.published)}"#, with: other) }
    }

    @Test(
        "The encrypted message has version 1, an id of 1 to 64 visible characters, and a known urgency",
        arguments: [
            ("hello", .plaintext), ("[]", .member("", .notAnObject)), (#""v":2"#, .version),
            (#""id":"""#, .member("id", .malformed)), (#""id":"a b""#, .member("id", .malformed)),
            (#""id":"\#(String(repeating: "a", count: 65))""#, .member("id", .malformed)),
            (#""id":"\#(String(repeating: "a", count: 64))""#, nil),
            (#""topic":null"#, .member("topic", .missing)), (#""urgency":"critical""#, .member("urgency", .malformed)),
            (#""urgency":"alert""#, nil), (#""urgency":"time_sensitive""#, nil), (#""payload":null"#, nil),
            (#""payload":18446744073709551615"#, nil), (#""later":true"#, nil),
            (#""deadline":-1"#, .member("deadline", .notWholeNumber)),
        ] as [(String, WakeFault?)])
    func plaintexts(changed: String, fault: WakeFault?) throws {
        var plaintext = changed
        if changed.hasPrefix("\"") {
            let name = try #require(changed.split(separator: ":").first)
            let others = [
                #""v":1"#, #""id":"w1""#, #""topic":"a.b""#, #""urgency":"background""#, #""deadline":7"#,
            ].filter { !$0.hasPrefix(name) }
            plaintext = "{" + (others + [changed]).joined(separator: ",") + "}"
        }
        let push = try sealed(plaintext)
        guard let fault else {
            guard case .wake = try read(push) else {
                Issue.record("not read")
                return
            }
            return
        }
        #expect(throws: fault) { try read(push) }
    }
}
