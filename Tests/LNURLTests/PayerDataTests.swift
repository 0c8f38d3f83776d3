import LNURL
import LightningCoding
import LightningCrypto
import Testing

/// The example of LUD-04.
enum SignedChallenge {
    static let k1 = "e2af6254a8df433264fa23f67eb8188635d15ce883e8fc020989d5f82ae6f11e"
    static let key = "02c3b844b8104f0c1b15c507774c9ba7fc609f58f343b9b149122e944dd20c9362"
    static let signature =
        "304402203767faf494f110b139293d9bab3c50e07b3bf33c463d4aa767256cd09132dc51"
        + "02205821f8efacdb5c595b92ada255876d9201e126e2f31a140d44561cc1f7e9e43d"

    static func auth(key: String = Self.key, k1: String = Self.k1, sig: String = Self.signature) -> String {
        #"{"auth":{"key":"\#(key)","k1":"\#(k1)","sig":"\#(sig)"}}"#
    }
}

@Suite("Payer data (LUD-18, LUD-04)", .timeLimit(.minutes(5)))
struct PayerDataTests {
    static let everything = PayerDataSpec([
        .name: .optional, .pubkey: .optional, .identifier: .optional, .email: .optional, .auth: .optional,
    ])

    @Test("Every field that was asked is read, and the text is kept as received")
    func read() throws {
        let text =
            #"{ "name":"bob","pubkey":"\#(SignedChallenge.key)","identifier":"bob@bob.com","email":"b@b.c","x":[] }"#
        let data = try PayerData(parsing: text, against: Self.everything)
        #expect(data.text == text)
        #expect(data.name == "bob")
        #expect(try data.pubkey == PublicKey(hexadecimal: SignedChallenge.key))
        #expect(data.identifier == "bob@bob.com")
        #expect(data.email == "b@b.c")
        #expect(data.auth == nil)
    }

    @Test("Fields that were not asked are passed over, even malformed ones")
    func notAsked() throws {
        let text = #"{"name":"bob","email":7,"auth":"x"}"#
        let data = try PayerData(parsing: text, against: PayerDataSpec([.name: .optional]))
        #expect(data.name == "bob")
        #expect(data.email == nil)
        #expect(data.auth == nil)
        #expect(data.text == text)
    }

    @Test("Nothing need be sent where nothing is mandatory; null is nothing")
    func nothing() throws {
        #expect(try PayerData(parsing: nil, against: Self.everything).text == nil)
        #expect(try PayerData(parsing: #"{"name":null}"#, against: Self.everything).name == nil)
    }

    @Test("A mandatory field that is missing, null or empty is refused, the first one in the order of LUD-18")
    func mandatory() {
        let spec = PayerDataSpec([.email: .mandatory, .name: .mandatory])
        for text in [nil, "{}", #"{"name":null}"#, #"{"name":""}"#, #"{"email":"b@b.c"}"#] {
            #expect(throws: PayerDataFault.missing(.name)) { try PayerData(parsing: text, against: spec) }
        }
        #expect(throws: PayerDataFault.missing(.email)) {
            try PayerData(parsing: #"{"name":"bob"}"#, against: spec)
        }
        #expect(throws: PayerDataFault.missing(.auth)) {
            try PayerData(parsing: "{}", against: PayerDataSpec([.auth: .mandatory]))
        }
    }

    @Test("The example signature of LUD-04 is right over the raw bytes of k1")
    func signature() throws {
        let data = try PayerData(parsing: SignedChallenge.auth(), against: PayerDataSpec([.auth: .mandatory]))
        let auth = try #require(data.auth)
        #expect(auth.key.hexadecimal == SignedChallenge.key)
        #expect(auth.k1.hexadecimal == SignedChallenge.k1)
    }

    @Test(
        "Broken payer data are refused by their rule",
        arguments: [
            ("[]", .notAnObject),
            ("\"bob\"", .notAnObject),
            (#"{"name":7}"#, .malformed(.name)),
            (#"{"email":[]}"#, .malformed(.email)),
            (#"{"pubkey":"02"}"#, .malformed(.pubkey)),
            (#"{"pubkey":"04\#(SignedChallenge.key.dropFirst(2))"}"#, .malformed(.pubkey)),
            (#"{"auth":"x"}"#, .malformed(.auth)),
            (#"{"auth":{}}"#, .malformed(.auth)),
            (SignedChallenge.auth(key: String(SignedChallenge.key.dropLast(2))), .malformed(.auth)),
            (SignedChallenge.auth(k1: String(SignedChallenge.k1.dropLast(2))), .malformed(.auth)),
            (SignedChallenge.auth(sig: String(SignedChallenge.signature.dropLast(2))), .malformed(.auth)),
            (SignedChallenge.auth(k1: "f" + SignedChallenge.k1.dropFirst()), .badSignature),
            (SignedChallenge.auth(key: "03" + SignedChallenge.key.dropFirst(2)), .badSignature),
        ] as [(String, PayerDataFault)]
    )
    func refused(text: String, fault: PayerDataFault) {
        #expect(throws: fault) { try PayerData(parsing: text, against: Self.everything) }
    }

    @Test("Payer data that are no JSON, or have a key twice, are refused")
    func notJSON() {
        #expect(throws: PayerDataFault.json(JSONFault(.unexpectedEnd, at: 1))) {
            try PayerData(parsing: "{", against: Self.everything)
        }
        #expect(throws: PayerDataFault.json(JSONFault(.duplicateKey, at: 12))) {
            try PayerData(parsing: #"{"name":"a","name":"b"}"#, against: Self.everything)
        }
    }

    @Test("Payer data have at most 2048 bytes")
    func length() throws {
        func text(_ count: Int) -> String {
            #"{"name":""# + String(repeating: "a", count: count - 11) + #""}"#
        }
        #expect(try PayerData(parsing: text(2048), against: Self.everything).name?.count == 2037)
        #expect(throws: PayerDataFault.tooLong) { try PayerData(parsing: text(2049), against: Self.everything) }
    }

    @Test("What a payer says is read by the service")
    func payer() throws {
        let secretKey = try SecretKey(Array(repeating: 1, count: 32))
        let k1 = try Challenge(hexadecimal: SignedChallenge.k1)
        let data = PayerData(
            name: "bob \"the\" builder",
            pubkey: secretKey.publicKey,
            identifier: "bob@bob.com",
            email: "b@b.c",
            auth: try PayerAuth(answering: k1, with: secretKey)
        )
        #expect(try PayerData(parsing: data.text, against: Self.everything) == data)
        #expect(PayerData(name: "bob").text == #"{"name":"bob"}"#)
        #expect(PayerData().text == nil)
    }

    @Test("A wallet learns before it asks that a mandatory field is missing")
    func payerChecks() {
        #expect(throws: PayerDataFault.missing(.email)) {
            try PayerData(name: "bob").require(PayerDataSpec([.name: .mandatory, .email: .mandatory]))
        }
        #expect(throws: Never.self) { try PayerData(name: "bob").require(PayerDataSpec([.name: .mandatory])) }
    }

    @Test("A question is read leniently, and mandatory fields of unknown kind are not lost")
    func spec() throws {
        let text = #"""
            {"name":{},"pubkey":{"mandatory":false},"email":null,"identifier":{"mandatory":true},
             "auth":{"mandatory":true,"k1":"\#(SignedChallenge.k1)"},"address":{"mandatory":true},"color":{"mandatory":false}}
            """#
        let json = PayRequestTests.json(["payerData": try JSONValue(parsing: text)])
        let spec = try #require(try PayRequest(json: json).payerData)
        #expect(
            spec.requirements
                == [.name: .optional, .pubkey: .optional, .identifier: .mandatory, .auth: .mandatory]
        )
        #expect(spec.mandatory == [.identifier, .auth])
        #expect(spec.k1?.hexadecimal == SignedChallenge.k1)
        #expect(spec.unknownMandatory == ["address"])
    }
}

@Suite("Challenges (LUD-04, LUD-18)", .timeLimit(.minutes(5)))
struct ChallengeTests {
    private let key = SecretBytes(Array(repeating: 9, count: 32))
    private let now = UnixTime(1_700_000_000)

    private func mint(_ nonce: UInt8 = 1) throws -> Challenge {
        try Challenge.mint(
            for: "alice@example.com",
            at: now,
            nonce: Array(repeating: nonce, count: 8),
            key: key
        )
    }

    @Test("A challenge is time, nonce and code, 32 bytes")
    func layout() throws {
        let challenge = try mint()
        #expect(challenge.bytes.count == 32)
        #expect(challenge.hexadecimal.hasPrefix("000000006553f1000101010101010101"))
        #expect(try mint(2) != challenge)
        #expect(try Challenge(hexadecimal: challenge.hexadecimal.uppercased()) == challenge)
    }

    @Test("A challenge of ours is good for 600 seconds", arguments: [0, 1, 599] as [UInt64])
    func fresh(age: UInt64) throws {
        let end = try mint().check(for: "alice@example.com", at: now.adding(seconds: age), key: key)
        #expect(end == now.adding(seconds: 600))
    }

    @Test("After 600 seconds its time is over")
    func expired() throws {
        let challenge = try mint()
        let name = "alice@example.com"
        #expect(throws: ChallengeFault.expired) {
            try challenge.check(for: name, at: now.adding(seconds: 600), key: key)
        }
    }

    @Test("A challenge with any bit changed is forged", arguments: 0..<32)
    func forged(index: Int) throws {
        var bytes = try mint().bytes
        bytes[index] ^= 0x80
        let challenge = try Challenge(bytes)
        let name = "alice@example.com"
        #expect(throws: ChallengeFault.forged) { try challenge.check(for: name, at: now, key: key) }
    }

    @Test("A challenge for another name, or by another key, is forged")
    func others() throws {
        let challenge = try mint()
        let (alice, bob) = ("alice@example.com", "alice@example.org")
        let otherKey = SecretBytes(Array(repeating: 8, count: 32))
        #expect(throws: ChallengeFault.forged) { try challenge.check(for: bob, at: now, key: key) }
        #expect(throws: ChallengeFault.forged) { try challenge.check(for: alice, at: now, key: otherKey) }
    }

    @Test("A challenge is 32 bytes, and so is every other service's")
    func malformed() {
        #expect(throws: ChallengeFault.malformed) { try Challenge([UInt8](repeating: 0, count: 31)) }
        #expect(throws: ChallengeFault.malformed) { try Challenge(hexadecimal: String(repeating: "0", count: 62)) }
        #expect(throws: ChallengeFault.malformed) { try Challenge(hexadecimal: String(repeating: "x", count: 64)) }
    }

    @Test("A nonce has 8 bytes")
    func nonce() throws {
        let name = "alice@example.com"
        #expect(throws: CryptoFault.invalidLength(expected: 8, found: 7)) {
            try Challenge.mint(for: name, at: now, nonce: [UInt8](repeating: 0, count: 7), key: key)
        }
    }
}
