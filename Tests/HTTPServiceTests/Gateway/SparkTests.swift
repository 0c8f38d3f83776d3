import Contracts
import HTTPTypes
import LNURL
import LightningCoding
import LightningCrypto
import Registrations
import ResponderCore
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

    private func now(later: UInt64 = 0) -> UInt64 { fixture.service.clock.now.seconds + later }

    private func signature(
        _ statement: SparkStatement, by key: SecretKey, at host: String = "example.com", time: UInt64
    ) throws -> String {
        let text = statement.text(by: key.publicKey, at: host, time: time)
        return Hexadecimal.encode(try key.ecdsaSignature(of: SHA256.hash(text.utf8)).der)
    }

    private func body(
        _ statement: SparkStatement, by key: SecretKey, at host: String = "example.com", _ members: JSONObject = [:],
        later: UInt64 = 0
    ) throws -> String {
        var body = members
        body.append("signature", .string(try signature(statement, by: key, at: host, time: now(later: later))))
        body.append("timestamp", .unsigned(now(later: later)))
        return JSONValue.object(body).serialized()
    }

    private func path(_ key: SecretKey, _ rest: String = "") -> String { "/lnurlpay/\(key.publicKey)\(rest)" }

    private func register(
        _ name: String, by key: SecretKey, at host: String = "example.com", sentTo other: String? = nil,
        later: UInt64 = 0
    ) async throws -> Answer {
        let statement = SparkStatement.register(try AddressName(name), description: "Pay")
        return try await fixture.ask(
            path(key), .post,
            body: body(
                statement, by: key, at: host, ["username": .string(name), "description": "Pay"], later: later),
            host: other ?? host)
    }

    /// The body of a transfer of alice, from one key to another.
    private func transfer(
        from owner: SecretKey, to successor: SecretKey,
        signed statement: SparkStatement? = nil
    ) throws -> String {
        let name = try AddressName("alice")
        let given = statement ?? .transferFrom(name, to: successor.publicKey)
        return JSONValue.object([
            "username": "alice", "description": "Bob", "timestamp": .unsigned(now()),
            "from_pubkey": .string(owner.publicKey.hexadecimal),
            "from_signature": .string(try signature(given, by: owner, time: now())),
            "to_signature": .string(
                try signature(
                    .transferTo(name, from: owner.publicKey, description: "Bob"), by: successor, time: now())),
        ]).serialized()
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
        #expect(
            try recovered.json() == [
                "lnurl": "lnurlp://example.com/lnurlp/alice", "lightning_address": "alice@example.com",
                "username": "alice", "description": "Pay",
            ])
        let statement = try body(.unregister(AddressName("alice")), by: alice, ["username": "alice"])
        let gone = try await fixture.ask(path(alice), .delete, body: statement)
        #expect(gone.status == 200 && gone.body == "{}")
        #expect(try await fixture.ask(path(alice), .delete, body: statement).status == 409)
        let unknown = try await fixture.ask(path(alice, "/recover"), .post, body: body(.recover, by: alice))
        #expect(unknown.status == 404 && unknown.body == #""user not found""#)
    }

    @Test("Reading claims nothing: a statement to recover, for availability or metadata may be sent again")
    func reads() async throws {
        _ = try await register("alice", by: alice)
        let recover = try body(.recover, by: alice)
        let available = try body(.available(AddressName("alice")), by: alice, ["username": "alice"])
        for _ in 0..<2 {
            #expect(try await fixture.ask(path(alice, "/recover"), .post, body: recover).status == 200)
            #expect(try await fixture.ask(path(alice, "/available"), .post, body: available).status == 200)
        }
    }

    @Test("A statement to unregister names the present address, and unregisters nothing else")
    func otherName() async throws {
        _ = try await register("alice", by: alice)
        let other = try body(.unregister(AddressName("bob")), by: alice, ["username": "bob"])
        let answer = try await fixture.ask(path(alice), .delete, body: other)
        #expect(answer.status == 409 && answer.body == #""signature does not cover the registered address""#)
        let none = try body(.unregister(AddressName("alice")), by: bob, ["username": "alice"])
        #expect(try await fixture.ask(path(bob), .delete, body: none).status == 200)
        let owner = try await fixture.service.ledger.registration(named: AccountID("alice@example.com"))
        #expect(owner?.id.key == alice.publicKey)
    }

    @Test("A name that was given up is reserved for its owner, who alone sees it as available")
    func holds() async throws {
        _ = try await register("alice", by: alice)
        let taken = try await register("alice", by: bob)
        #expect(taken.status == 409 && taken.body == #""name already taken""#)
        let statement = try body(.unregister(AddressName("alice")), by: alice, ["username": "alice"])
        _ = try await fixture.ask(path(alice), .delete, body: statement)
        let other = try await register("alice", by: bob, later: 1)
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

    @Test("A name is given to another key when both have signed, each statement once")
    func transferring() async throws {
        _ = try await register("alice", by: alice)
        let wrong = try transfer(from: alice, to: bob, signed: .unregister(AddressName("alice")))
        #expect(try await fixture.ask(path(bob, "/transfer"), .post, body: wrong).status == 400)
        let statement = try transfer(from: alice, to: bob)
        let done = try await fixture.ask(path(bob, "/transfer"), .post, body: statement)
        #expect(
            try done.json()
                == ["lnurl": "lnurlp://example.com/lnurlp/alice", "lightning_address": "alice@example.com"])
        let owner = try await fixture.service.ledger.registration(named: AccountID("alice@example.com"))
        #expect(owner?.id.key == bob.publicKey && owner?.description == "Bob")
        let again = try await fixture.ask(path(bob, "/transfer"), .post, body: statement)
        #expect(again.status == 409 && again.body == #""signature has already been used""#)
        let back = try await fixture.ask(path(alice, "/transfer"), .post, body: transfer(from: bob, to: alice))
        #expect(back.status == 200)
        // The name is alice's again: only what was signed a second time gives it away.
        #expect(try await fixture.ask(path(bob, "/transfer"), .post, body: statement).status == 409)
    }

    @Test("A name is not given to the key that has it, nor by a key that has it not, nor long after")
    func refusedTransfers() async throws {
        let stranger = try await fixture.ask(path(bob, "/transfer"), .post, body: transfer(from: alice, to: bob))
        #expect(stranger.status == 404 && stranger.body == #""source pubkey does not own this username""#)
        let same = try await fixture.ask(path(bob, "/transfer"), .post, body: transfer(from: bob, to: bob))
        #expect(same.status == 400 && same.body == #""transfer source and target are the same pubkey""#)
        let late = try transfer(from: alice, to: bob)
        fixture.service.clock.advance(seconds: 601)
        let answer = try await fixture.ask(path(bob, "/transfer"), .post, body: late)
        #expect(answer.status == 400 && answer.body == #""transfer authorization is expired or not yet valid""#)
    }

    @Test("A key has a name in each domain, and a statement for one domain says nothing to another")
    func domains() async throws {
        _ = try await fixture.service.ledger.putDomain(at: PublicURL("https://example.org"), DomainSettings())
        try await fixture.service.responder.accounts.refresh()
        let elsewhere = try await register("alice", by: alice, at: "example.com", sentTo: "example.org")
        #expect(elsewhere.status == 400)
        #expect(elsewhere.body == #""invalid signature for domain 'example.org'""#)
        #expect(try await register("alice", by: alice).status == 200)
        let there = try await register("alice", by: bob, at: "example.org")
        #expect(try there.json()["lightning_address"] == "alice@example.org")
        for (host, key) in [("example.com", alice), ("example.org", bob)] {
            let found = try await fixture.ask(
                path(key, "/recover"), .post, body: body(.recover, by: key, at: host), host: host)
            #expect(try found.json()["lightning_address"]?.string == "alice@\(host)")
        }
        let none = try await fixture.ask(
            path(alice, "/recover"), .post, body: body(.recover, by: alice, at: "example.org"), host: "example.org")
        #expect(none.status == 404)
        #expect(
            try await fixture.ask(path(alice, "/recover"), .post, body: "{}", host: "unknown.example").status == 404)
    }

    @Test("A wallet signs the host that it asks: an alias, or one below a wildcard domain")
    func hosts() async throws {
        var settings = DomainSettings()
        settings.aliases = [try DomainName("pay.example.org")]
        _ = try await fixture.service.ledger.putDomain(at: PublicURL("https://example.org"), settings)
        _ = try await fixture.service.ledger.putDomain(at: PublicURL("https://*.example.net"), DomainSettings())
        try await fixture.service.responder.accounts.refresh()
        let alias = try await register("alice", by: alice, at: "pay.example.org")
        #expect(try alias.json()["lightning_address"] == "alice@example.org")
        let below = try await register("alice", by: alice, at: "wallets.example.net")
        #expect(
            try below.json()
                == ["lnurl": "lnurlp://alice.example.net/lnurlp/_", "lightning_address": "_@alice.example.net"])
    }

    @Test("Metadata are asked for with credentials in header fields or in the query; nothing of payments is kept")
    func metadata() async throws {
        let signed = try signature(.metadata, by: alice, time: now())
        func ask(_ query: String = "", _ signature: String?, _ time: String?) async throws -> Answer {
            var headers: HTTPFields = [:]
            headers[try #require(HTTPField.Name("X-Breez-Signature"))] = signature
            headers[try #require(HTTPField.Name("X-Breez-Timestamp"))] = time
            return try await fixture.ask(path(alice, "/metadata\(query)"), headers: headers)
        }
        for answer in [
            try await ask("?offset=0&limit=100&updated_after=1", signed, "\(now())"),
            try await ask("?signature=\(signed)&timestamp=\(now())", nil, nil),
            // What is in a header field goes before the query.
            try await ask("?signature=00&timestamp=1", signed, "\(now())"),
        ] {
            #expect(answer.status == 200 && answer.body == #"{"metadata":[]}"#)
            #expect(answer.headers[.cacheControl] == "no-store, private")
        }
        for (answer, text) in [
            (try await ask("", nil, nil), "missing signature or timestamp"),
            (try await ask("", signed, nil), "missing signature or timestamp"),
            (try await ask("", signed, "soon"), "missing signature or timestamp"),
            (try await ask("", signed, "1"), "invalid timestamp"),
            (try await ask("", "00", "\(now())"), "invalid signature for domain 'example.com'"),
        ] { #expect(answer.status == 400 && answer.body == JSONValue.string(text).serialized()) }
    }

    @Test("A wallet in a browser may register and unregister")
    func browsers() async throws {
        let preflight = try await fixture.ask(path(alice), .options)
        #expect(preflight.headers[.accessControlAllowMethods] == "GET, HEAD, POST, DELETE, OPTIONS")
        #expect(preflight.headers[.accessControlAllowHeaders] == "*")
        for answer in [try await register("alice", by: alice), try await register("alice", by: alice)] {
            #expect(answer.headers[.accessControlAllowOrigin] == "*")
        }
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
            (try await answer("alice", String(repeating: "é", count: 256)), "description too long"),
            (try await answer("alice", later: 601), "invalid timestamp"),
            (try await answer("alice", sign: "bob"), "invalid signature for domain 'example.com'"),
        ] {
            #expect(found.status == 400 && found.body == JSONValue.string(text).serialized())
        }
    }
}
