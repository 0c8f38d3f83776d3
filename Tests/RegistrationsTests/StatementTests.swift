import LightningCoding
import LightningCrypto
import Registrations
import ResponderModel
import Testing

/// The forms, orders of checks and golden values are in `Vectors/registration`.
@Suite("What app users sign", .timeLimit(.minutes(5)))
struct StatementTests {
    private let key: SecretKey
    private let now = UnixTime(1_700_000_000)

    init() throws {
        key = try SecretKey(Array(repeating: 0x11, count: 32))
    }

    private func request(_ text: String, time: Int64 = 1_700_000_000) throws -> BreezRequest {
        let signature = try LightningMessage.sign(text, with: key)
        return try BreezRequest(
            json: [
                "time": .number(JSONNumber(time)), "webhook_url": "https://h/x", "signature": .string(signature),
            ])
    }

    private func claims(_ operation: BreezOperation, at domain: String) throws -> [StatementClaim] {
        try BreezStatement(
            operation, request("1700000000-https://h/x"), by: key.publicKey.hexadecimal, at: domain, now: now
        ).claims
    }

    @Test(
        "Whoever changes a registration uses a text up for changing and for reading, and whoever recovers for reading")
    func claims() throws {
        let (register, recover) = (try claims(.register, at: "a.example"), try claims(.recover, at: "a.example"))
        #expect(register.map(\.use) == [.change, .read] && recover == [register[1]])
        #expect(register[0].digest != register[1].digest)
        #expect(try claims(.unregister, at: "a.example") == register)
        #expect(try Set(claims(.register, at: "b.example")).isDisjoint(with: register))
        #expect(register.allSatisfy { $0.expiresAt == now.adding(seconds: 60) })
    }

    @Test("A wallet whose clock is wrong is told apart from a wrong signature", arguments: [-61, 61, -90_000])
    func clocks(ahead: Int64) throws {
        let time = Int64(now.seconds) + ahead
        let request = try request("\(time)-https://h/x", time: time)
        #expect(throws: StatementFault.clock(ahead: ahead)) {
            try BreezStatement(.recover, request, by: key.publicKey.hexadecimal, at: "a.example", now: now)
        }
        #expect(StatementFault.clock(ahead: -61).reason == "the wallet's clock is 61 s behind")
        #expect(StatementFault.clock(ahead: 61).reason == "the wallet's clock is 61 s ahead")
    }

    @Test("Times at the ends of 64 bits are compared without overflow", arguments: [Int64.min, .min + 1, .max])
    func ends(time: Int64) throws {
        let request = try request("\(time)-https://h/x", time: time)
        for now in [UnixTime(0), now, UnixTime(.max)] where !(time == .max && now.seconds == .max) {
            #expect(throws: StatementFault.self) {
                try BreezStatement(.recover, request, by: key.publicKey.hexadecimal, at: "a.example", now: now)
            }
        }
    }

    @Test("An offer has up to 8192 bytes, and no zero byte")
    func offers() throws {
        func offer(of offer: String) throws -> String? {
            let text = "1700000000-https://h/x-alice-" + offer
            let request = try BreezRequest(
                json: [
                    "time": 1_700_000_000, "webhook_url": "https://h/x", "username": "alice", "offer": .string(offer),
                    "signature": .string(try LightningMessage.sign(text, with: key)),
                ])
            return try BreezStatement(
                .register, request, by: key.publicKey.hexadecimal, at: "a.example", now: now
            ).offer
        }
        let longest = "lno" + String(repeating: "a", count: 8_189)
        #expect(try offer(of: longest) == longest)
        for text in [longest + "a", "lno\0"] { #expect(throws: StatementFault.offer) { try offer(of: text) } }
    }

    @Test("What a body leaves out, or is null in it, is 0 or empty; another type is refused")
    func missing() throws {
        let members = ["time", "webhook_url", "username", "offer", "signature"]
        var nulls = JSONObject()
        for member in members { nulls.append(member, .null) }
        for json in [[:], JSONValue.object(nulls)] {
            let request = try BreezRequest(json: json)
            #expect(request.time == 0 && request.webhook.isEmpty && request.signature.isEmpty)
            #expect(request.username == nil && request.offer == nil)
        }
        for member in members {
            let json = try JSONValue(parsing: #"{"\#(member)":true}"#)
            #expect(throws: StatementFault.body) { try BreezRequest(json: json) }
        }
    }
}
