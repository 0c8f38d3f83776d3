import Contracts
import HTTPTypes
import LNURL
import LightningCoding
import LightningCrypto
import Registrations
import SQLiteLedger
import Testing

@testable import HTTPService

@Suite("Registrations by statements of Spark", .timeLimit(.minutes(1)))
struct SparkTests {
    private let fixture: GatewayFixture
    private let alice: SecretKey
    private let bob: SecretKey

    init() async throws {
        fixture = try await GatewayFixture()
        alice = try SecretKey(Array(repeating: 1, count: 32))
        bob = try SecretKey(Array(repeating: 2, count: 32))
    }

    private func signature(_ statement: SparkStatement, by key: SecretKey, time: UInt64) throws -> JSONValue {
        let text = statement.text(by: key.publicKey, at: "example.com", time: time)
        return .hexadecimal(try key.ecdsaSignature(of: SHA256.hash(text.utf8)).der)
    }

    private func body(
        _ statement: SparkStatement, by key: SecretKey, _ members: JSONObject = [:], later: UInt64 = 0
    ) throws -> String {
        let time = fixture.service.clock.now.seconds + later
        var body = members
        body.append("signature", try signature(statement, by: key, time: time))
        body.append("timestamp", .unsigned(time))
        return JSONValue.object(body).serialized()
    }

    private func path(_ key: SecretKey, _ rest: String = "") -> String { "/lnurlpay/\(key.publicKey)\(rest)" }

    private func register(
        _ name: String, by key: SecretKey, later: UInt64 = 0
    ) async throws -> Answer {
        let statement = SparkStatement.register(try AddressName(name), description: "Pay")
        return try await fixture.ask(
            path(key), .post,
            body: body(statement, by: key, ["username": .string(name), "description": "Pay"], later: later))
    }

    @Test("A name is registered, recovered and given up, each statement once")
    func life() async throws {
        let answer = try await register("alice", by: alice)
        #expect(
            try answer.json()
                == ["lnurl": "lnurlp://example.com/lnurlp/alice", "lightning_address": "alice@example.com"])
        let again = try await register("alice", by: alice)
        #expect(again.status == 409 && again.body == #""signature has already been used""#)
        let recovered = try await fixture.ask(path(alice, "/recover"), .post, body: body(.recover, by: alice))
        #expect(try recovered.json()["username"] == "alice" && recovered.json()["description"] == "Pay")
        let statement = try body(.unregister(AddressName("alice")), by: alice, ["username": "alice"])
        #expect(try await fixture.ask(path(alice), .delete, body: statement).status == 200)
        #expect(try await fixture.ask(path(alice), .delete, body: statement).status == 409)
        let gone = try await fixture.ask(path(alice, "/recover"), .post, body: body(.recover, by: alice))
        #expect(gone.status == 404 && gone.body == #""user not found""#)
    }

    @Test("A name that was given up is reserved for its owner, who alone sees it as available")
    func holds() async throws {
        _ = try await register("alice", by: alice)
        let statement = try body(.unregister(AddressName("alice")), by: alice, ["username": "alice"])
        _ = try await fixture.ask(path(alice), .delete, body: statement)
        let other = try await register("alice", by: bob)
        #expect(other.status == 409 && other.body == #""name is reserved""#)
        #expect(try await fixture.ask("/lnurlpay/available/alice").json() == ["available": false])
        for (key, isAvailable) in [(alice, true), (bob, false)] {
            let answer = try await fixture.ask(
                path(key, "/available"), .post,
                body: body(.available(AddressName("alice")), by: key, ["username": "alice"]))
            #expect(try answer.json() == ["available": .bool(isAvailable)])
        }
        #expect(try await register("alice", by: alice, later: 1).status == 200)
    }

    @Test("A name is given to another key when both have signed, once")
    func transfer() async throws {
        _ = try await register("alice", by: alice)
        let (name, time) = (try AddressName("alice"), fixture.service.clock.now.seconds)
        func body(from: SparkStatement, by owner: SecretKey, to successor: SecretKey) throws -> String {
            JSONValue.object([
                "username": "alice", "description": "Bob", "timestamp": .unsigned(time),
                "from_pubkey": .string(owner.publicKey.hexadecimal),
                "from_signature": try signature(from, by: owner, time: time),
                "to_signature": try signature(
                    .transferTo(name, from: owner.publicKey, description: "Bob"), by: successor, time: time),
            ]).serialized()
        }
        let wrong = try body(from: .unregister(name), by: alice, to: bob)
        #expect(try await fixture.ask(path(bob, "/transfer"), .post, body: wrong).status == 400)
        let statement = try body(from: .transferFrom(name, to: bob.publicKey), by: alice, to: bob)
        #expect(try await fixture.ask(path(bob, "/transfer"), .post, body: statement).status == 200)
        let owner = try await fixture.service.ledger.registration(named: AccountID(name, at: fixture.domain.name))
        #expect(owner?.id.key == bob.publicKey && owner?.description == "Bob")
        let again = try await fixture.ask(path(bob, "/transfer"), .post, body: statement)
        #expect(again.status == 409 || again.status == 404)
        let same = try body(from: .transferFrom(name, to: bob.publicKey), by: bob, to: bob)
        #expect(try await fixture.ask(path(bob, "/transfer"), .post, body: same).status == 400)
    }

    @Test("What is wrong is said in the words of Spark's server, as a JSON string")
    func words() async throws {
        func answer(
            _ name: String, _ description: String = "Pay", later: UInt64 = 0, sign: String? = nil
        ) async throws -> Answer {
            let statement = SparkStatement.register(try AddressName(sign ?? "alice"), description: "Pay")
            return try await fixture.ask(
                path(alice), .post,
                body: body(
                    statement, by: alice, ["username": .string(name), "description": .string(description)],
                    later: later))
        }
        for (found, text) in [
            (try await answer(""), "invalid username"),
            (try await answer(String(repeating: "a", count: 65)), "username too long"),
            (try await answer("alice", String(repeating: "x", count: 256)), "description too long"),
            (try await answer("alice", later: 601), "invalid timestamp"),
            (try await answer("alice", sign: "bob"), "invalid signature for domain 'example.com'"),
        ] {
            #expect(found.status == 400 && found.body == JSONValue.string(text).serialized())
        }
    }
}
