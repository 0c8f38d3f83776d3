import LedgerRecords
import HTTPTypes
import LightningCoding
import LightningCrypto
import ResponderModel
import SQLiteLedger
import Testing

@Suite("Statements of wallets that are sent again", .timeLimit(.minutes(5)))
struct GatewayReplayTests {
    private func phone() async throws -> Phone { try Phone(try await GatewayFixture()) }

    @Test("An unregistered wallet is forgotten; a replay of its statement after a newer registration is refused")
    func unregistering() async throws {
        let phone = try await phone()
        let (fixture, device) = (phone.fixture, phone.device)
        let path = "/lnurlpay/\(device.publicKey)"
        try await fixture.register(device, as: "phone")
        let time = Int64(fixture.service.clock.now.seconds)
        let statement = try device.statement(time: time).serialized()
        #expect(try await fixture.ask("\(path)/recover", .post, body: statement).status == 200)
        // What has recovered does not unregister, although it is the same text; nor does what has registered.
        #expect(try await fixture.ask(path, .delete, body: statement).body == "invalid signature\n")
        try await fixture.register(device, as: nil, time: 1)
        let renewal = try device.statement(time: time + 1).serialized()
        #expect(try await fixture.ask(path, .delete, body: renewal).body == "invalid signature\n")
        let goodbye = try device.statement(time: time + 2).serialized()
        let done = try await fixture.ask(path, .delete, body: goodbye)
        #expect(done.status == 200 && done.body == "{}")
        #expect(try await fixture.ask("\(path)/recover", .post, body: statement).status == 404)
        #expect(try await fixture.ask("/lnurlp/phone").reason == Refusal.unknownAccount.reason)
        #expect(try await fixture.ask(path, .delete, body: goodbye).status == 200)
        #expect(try await fixture.register(device, as: "phone").body == "invalid signature\n")
        #expect(try await fixture.register(device, as: nil, time: 2).body == "invalid signature\n")
        #expect(try await fixture.register(device, as: "phone", time: 3).status == 200)
        let replay = try await fixture.ask(path, .delete, body: goodbye)
        #expect(replay.status == 401 && replay.body == "invalid signature\n")
        #expect(try await fixture.ask("\(path)/recover", .post, body: statement).status == 200)
    }

    @Test("What was sent to recover cannot be used to unregister, also when nothing was registered then")
    func recoveredBefore() async throws {
        let phone = try await phone()
        let (fixture, device) = (phone.fixture, phone.device)
        let path = "/lnurlpay/\(device.publicKey)"
        let time = Int64(fixture.service.clock.now.seconds)
        let statement = try device.statement(time: time).serialized()
        #expect(try await fixture.ask("\(path)/recover", .post, body: statement).status == 404)
        try await fixture.register(device, as: "phone", time: 1)
        let replay = try await fixture.ask(path, .delete, body: statement)
        #expect(replay.status == 401 && replay.body == "invalid signature\n")
        #expect(try await fixture.ask("/lnurlp/phone").json()["tag"] == "payRequest")
    }

    @Test("What was sent to recover cannot be used to register what differs, but by a wallet that had nothing")
    func registeredByRecovering() async throws {
        let phone = try await phone()
        let (fixture, device) = (phone.fixture, phone.device)
        let path = "/lnurlpay/\(device.publicKey)"
        let time = Int64(fixture.service.clock.now.seconds)
        let statement = try device.statement(time: time).serialized()
        #expect(try await fixture.ask("\(path)/recover", .post, body: statement).status == 404)
        #expect(try await fixture.ask(path, .post, body: statement).status == 200)
        let id = RegistrationID(device.key.publicKey, at: fixture.domain.name)
        try await fixture.register(device, as: "phone", offer: "lno1xyz", time: 1)
        let later = try device.statement(time: time + 2).serialized()
        #expect(try await fixture.ask("\(path)/recover", .post, body: later).status == 200)
        let replay = try await fixture.ask(path, .post, body: later)
        #expect(replay.status == 401 && replay.body == "invalid signature\n")
        #expect(try await fixture.service.ledger.registration(id)?.offer == "lno1xyz")
    }

    @Test("What was sent to recover registers a wallet that had nothing, whoever has sent it to unregister before")
    func seenByOthers() async throws {
        let phone = try await phone()
        let (fixture, device) = (phone.fixture, phone.device)
        let path = "/lnurlpay/\(device.publicKey)"
        let statement = try device.statement(time: Int64(fixture.service.clock.now.seconds)).serialized()
        #expect(try await fixture.ask("\(path)/recover", .post, body: statement).status == 404)
        _ = try await fixture.ask(path, .delete, body: statement)
        #expect(try await fixture.ask(path, .post, body: statement).status == 200)
    }

    @Test("An identical registration may be repeated, since clients ask again when they miss an answer")
    func repeated() async throws {
        let phone = try await phone()
        let first = try await phone.fixture.register(phone.device, as: "phone")
        #expect(try await phone.fixture.register(phone.device, as: "phone").body == first.body)
    }
}
