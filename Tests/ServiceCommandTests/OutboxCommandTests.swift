import LightningCoding
import ResponderModel
import TemporaryFolders
import Testing
@testable import ServiceSetup
@testable import ServiceCommand

@Suite("The outbox on the command line", .timeLimit(.minutes(5)))
struct OutboxCommandTests: CommandFixture {
    let temporary = TemporaryFolder()

    private func work(_ id: String, isParked: Bool) throws -> OutboxWork {
        OutboxWork(
            id: try #require(OutboxID(id)), kind: .settlementWebhook, account: try AccountID("alice@127.0.0.1:8080"),
            payload: Array(#"{"paymentHash":"00"}"#.utf8), createdAt: UnixTime(1_790_000_000),
            state: isParked ? .parked(at: UnixTime(1_790_000_100)) : .pending(dueAt: UnixTime(1_790_000_000)),
            attempts: isParked ? 11 : 0, failure: isParked ? "no connection with the receiver" : nil)
    }

    private func fill() async throws -> any Ledger {
        _ = try await run(AccountAdd.self, "alice")
        let ledger = try await installation().ledger
        try await ledger.add(work("payment-1", isParked: true), heldBy: nil)
        try await ledger.add(work("payment-2", isParked: false), heldBy: nil)
        return ledger
    }

    @Test("The outbox is listed newest first, with failures, and by state")
    func list() async throws {
        _ = try await fill()
        let all = try await run(OutboxList.self)
        #expect(all.json["outbox"]?.array?.compactMap { $0["id"]?.string } == ["payment-2", "payment-1"])
        #expect(
            all.text == """
                2026-09-21T14:13:20Z  payment-2  alice@127.0.0.1:8080  pending, due 2026-09-21T14:13:20Z, attempts 0
                2026-09-21T14:13:20Z  payment-1  alice@127.0.0.1:8080  parked 2026-09-21T14:15:00Z, attempts 11  no connection with the receiver

                """)
        let parked = try await run(OutboxList.self, "--state", "parked")
        #expect(parked.json["outbox"]?.array?.compactMap { $0["id"]?.string } == ["payment-1"])
        #expect(try await run(OutboxList.self, "--kind", "notification").json["outbox"] == [])
        #expect(try await run(OutboxList.self, "--kind", "notification").text == "There are no outbox entries.\n")
        await #expect(throws: CommandFailure.self) { try await run(OutboxList.self, "--kind", "notifcation") }
        #expect(try await failure(OutboxList.self, "--state", "lost")?.status == .usage)
    }

    @Test("An entry that concerns no account is listed and shown without one")
    func noAccount() async throws {
        _ = try await run(AccountAdd.self, "alice")
        let ledger = try await installation().ledger
        let work = OutboxWork(
            id: try #require(OutboxID("push-1")), kind: .push, account: nil, payload: Array("{}".utf8),
            createdAt: UnixTime(1_790_000_000), state: .pending(dueAt: UnixTime(1_790_000_000)))
        try await ledger.add(work, heldBy: nil)
        let list = try await run(OutboxList.self)
        #expect(list.text.hasPrefix("2026-09-21T14:13:20Z  push-1  -  pending"))
        #expect(list.json["outbox"]?.array?.first?["account"] == .null)
        let shown = try await run(OutboxShow.self, "push-1")
        #expect(shown.json["domain"] == .null && !shown.text.contains("account"))
    }

    @Test("An entry is shown with its payload")
    func show() async throws {
        _ = try await fill()
        let shown = try await run(OutboxShow.self, "payment-1")
        #expect(shown.json["payload"] == #"{"paymentHash":"00"}"#)
        #expect(shown.text.contains("failure: no connection with the receiver\n"))
        #expect(try await failure(OutboxShow.self, "payment-3")?.status == .no)
        #expect(try await failure(OutboxShow.self, "PAYMENT")?.status == .usage)
    }

    @Test("Entries are retried by id, or all parked ones")
    func retry() async throws {
        let ledger = try await fill()
        #expect(try await failure(OutboxRetry.self)?.status == .usage)
        #expect(try await failure(OutboxRetry.self, "payment-1", "--parked")?.status == .usage)
        #expect(try await failure(OutboxRetry.self, "payment-3")?.status == .no)
        #expect(try await run(OutboxRetry.self, "--parked").json == ["retried": ["payment-1"]])
        #expect(try await ledger.outbox(OutboxQuery(isParked: true)).elements.isEmpty)
        #expect(try await ledger.work(work("payment-1", isParked: true).id)?.attempts == 0)
        #expect(try await run(OutboxRetry.self, "payment-1", "payment-2").json["retried"]?.array?.count == 2)
    }

    @Test("Parked entries are removed by id, or all of them; what is still attempted stays")
    func remove() async throws {
        let ledger = try await fill()
        #expect(try await failure(OutboxRemove.self)?.status == .usage)
        #expect(try await failure(OutboxRemove.self, "payment-3")?.status == .no)
        #expect(try await failure(OutboxRemove.self, "payment-1", "payment-2")?.status == .no)
        #expect(try await ledger.totals().parked == [.settlementWebhook: 1])
        #expect(try await run(OutboxRemove.self, "--parked").json == ["removed": ["payment-1"]])
        #expect(try await ledger.outbox(OutboxQuery()).elements.map(\.id.text) == ["payment-2"])
        #expect(try await run(OutboxRemove.self, "--parked").text == "Nothing is parked.\n")
    }

    @Test("An account's settlement webhook is set with its secret file, kept, and removed by none")
    func webhook() async throws {
        let secret = temporary.path + "/secret"
        try writeFile("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n".utf8, to: secret)
        _ = try await run(AccountAdd.self, "alice")
        let url = "https://shop.example.com/paid"
        let set = try await run(
            AccountSet.self, "alice", "--settlement-webhook", url, "--settlement-secret-file", secret)
        let expected: JSONValue = ["url": .string(url), "secretFile": .string(secret)]
        #expect(set.json["settlementWebhook"] == expected)
        let shown = try await run(AccountShow.self, "alice")
        #expect(shown.json["settlementWebhook"] == expected)
        #expect(!shown.text.contains("whsec_"))
        #expect(try await run(AccountSet.self, "alice", "--min", "2sat").json["settlementWebhook"] == expected)
        #expect(
            try await run(AccountSet.self, "alice", "--settlement-webhook", "none").json["settlementWebhook"] == nil)
        for half in [["--settlement-webhook", url], ["--settlement-secret-file", secret]] {
            #expect(try await failure(AccountSet.self, "alice", half[0], half[1])?.status == .usage)
        }
        let lost = try await failure(
            AccountSet.self, "alice", "--settlement-webhook", url, "--settlement-secret-file", secret + "2")
        #expect(lost?.status == .data)
        #expect(lost?.reasons == ["the secret file \(secret)2: no such file"])
        let noURL = try await failure(
            AccountSet.self, "alice", "--settlement-webhook", "nowhere", "--settlement-secret-file", secret)
        #expect(noURL?.status == .usage)
    }
}
