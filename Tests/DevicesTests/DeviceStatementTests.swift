import LightningCoding
import LightningCrypto
import ResponderModel
import Testing

@testable import Devices

@Suite("What a wallet signs to register a device", .timeLimit(.minutes(5)))
struct DeviceStatementTests {
    private static let node = "ln:023c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1"
    private static let pubky = "pk:47cz1q7hnqtedgwnxt5k5pz5in1ji5oyx7r9fwr3fsc5ojppftry"
    private static let audience = "wake.localhost"
    private static let now = UnixTime(1_790_000_000)

    // synonymdev/bitkit-core, registration_v1.json, with its signature.
    private static let body: JSONObject = [
        "app": "bitkit", "platform": "apns", "environment": "sandbox",
        "push_token": "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0",
        "encryption_key": "029ac20335eb38768d2052be1dbbc3c8f6178407458e51e6b4ad22f1d91758895b",
        "secret_sha256": "a4908532a2f65068ce0b3498af2b68e43949be33aa85840288e653295bf52080",
        "identities": [.string(pubky), .string(node)], "topics": ["paykit.sync", "blocktank.*"],
        "ts": .unsigned(now.seconds),
        "proofs": [
            [
                "identity": .string(node),
                "sig":
                    "rd8ooicd9c6ykxwred545hmdrnnu7nwy6ifj151f9f4cycw5znifgcexjt6bqjwf8c6xfdgzwrs7tfn5o5jcwhdpepif68fwjwu9z4yb",
            ]
        ],
    ]

    private func statement(
        _ changes: JSONObject = [:], without member: String? = nil, of install: String = "AAAAAAAAAAAAAAAAAAAAAA"
    ) throws -> DeviceStatement {
        var body = Self.body
        for change in changes.members { body[change.key] = change.value }
        if let member { body[member] = nil }
        return try DeviceStatement(JSONMembers(body), of: #require(InstallID(install)))
    }

    private func fault(_ body: () throws -> Void) -> DeviceStatementFault? {
        do {
            try body()
            return nil
        } catch {
            return error as? DeviceStatementFault
        }
    }

    @Test("The published registration has the published text and signature, and belongs to the node")
    func published() throws {
        let statement = try statement()
        #expect(
            statement.text(for: Self.audience) == """
                wake-register-v1
                aud:wake.localhost
                app:bitkit
                install:AAAAAAAAAAAAAAAAAAAAAA
                platform:apns
                environment:sandbox
                push_token:00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0
                encryption_key:029ac20335eb38768d2052be1dbbc3c8f6178407458e51e6b4ad22f1d91758895b
                secret_sha256:a4908532a2f65068ce0b3498af2b68e43949be33aa85840288e653295bf52080
                identities:\(Self.node),\(Self.pubky)
                topics:blocktank.*,paykit.sync
                ts:1790000000
                """)
        try statement.check(for: Self.audience, at: Self.now)
        #expect("ln:\(statement.profile.owner.hexadecimal)" == Self.node)
    }

    @Test("It counts for ten minutes before and after its time")
    func time() throws {
        let statement = try statement()
        for (now, expected) in [
            (1_789_999_400, nil), (1_790_000_600, nil), (1_789_999_399, .time), (1_790_000_601, .time),
        ] as [(UInt64, DeviceStatementFault?)] {
            #expect(fault { try statement.check(for: Self.audience, at: UnixTime(now)) } == expected, "\(now)")
        }
    }

    @Test("The node's signature is for one service, one installation, and everything that is signed")
    func signature() throws {
        func check(_ statement: DeviceStatement, for audience: String = Self.audience) -> DeviceStatementFault? {
            fault { try statement.check(for: audience, at: Self.now) }
        }
        #expect(try check(statement(), for: "other.example") == .signature)
        #expect(try check(statement(of: "B")) == .signature)
        for (member, value) in [
            ("app", "other"), ("environment", "production"), ("push_token", .string(String(repeating: "0", count: 64))),
            ("encryption_key", "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"),
            ("secret_sha256", .string(String(repeating: "0", count: 64))), ("identities", [.string(Self.node)]),
            ("topics", []), ("ts", 1_790_000_001), ("proofs", [["identity": .string(Self.node), "sig": "y"]]),
        ] as [(String, JSONValue)] {
            #expect(try check(statement([member: value])) == .signature, "\(member)")
        }
        // A locale, other members and the order and number of entries are not signed.
        #expect(
            try check(
                statement([
                    "locale": "nb-NO", "later": 1, "topics": ["blocktank.*", "paykit.sync", "blocktank.*"],
                ])) == nil)
    }

    @Test(
        "Each member but the locale must be there",
        arguments: [
            "app", "platform", "environment", "push_token", "encryption_key", "secret_sha256", "identities", "topics",
            "ts", "proofs",
        ])
    func missing(member: String) {
        #expect(fault { _ = try statement(without: member) } == .member(member, .missing))
    }

    @Test(
        "A member that cannot be what it should is named",
        arguments: [
            ("app", 1, .notText), ("app", "a\nb", .malformed),
            ("app", .string(String(repeating: "a", count: 65)), .malformed),
            ("platform", 1, .notText), ("environment", 1, .notText), ("secret_sha256", 1, .notText),
            ("push_token", 1, .malformed), ("encryption_key", 1, .malformed),
            ("identities", "a", .notAnArray), ("topics", "a", .notAnArray), ("proofs", "a", .notAnArray),
            ("ts", "1", .notWholeNumber),
            // One node among the identities, which is a point in small letters.
            ("identities", [.string(pubky)], .malformed),
            (
                "identities",
                [.string(node), "ln:0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"], .malformed
            ),
            ("identities", [.string("ln:02" + String(repeating: "f", count: 64))], .malformed),
            ("identities", [.string("ln:" + node.dropFirst(3).uppercased())], .malformed),
            ("proofs", [["identity": .string(pubky), "sig": "y"]], .malformed),
            ("topics", ["a,b"], .malformed), ("topics", [""], .malformed),
            ("topics", .array((0...50).map { .string("t\($0)") }), .malformed),
            ("topics", .array((1...50).map { .string("t\($0)") }), nil),
            ("push_token", "", .malformed), ("locale", "nb NO", .malformed),
            ("secret_sha256", .string(String(repeating: "0", count: 62)), .malformed),
            ("secret_sha256", .string(String(repeating: "A", count: 64)), .malformed),
            ("encryption_key", .string("02" + String(repeating: "f", count: 64)), .malformed),
        ] as [(String, JSONValue, JSONMemberProblem?)])
    func malformed(member: String, value: JSONValue, problem: JSONMemberProblem?) {
        #expect(fault { _ = try statement([member: value]) } == problem.map { .member(member, $0) })
    }

    @Test("A proof that is no object is named by its place")
    func proofs() {
        #expect(fault { _ = try statement(["proofs": ["a"]]) } == .member("proofs[0]", .notAnObject))
    }
}
