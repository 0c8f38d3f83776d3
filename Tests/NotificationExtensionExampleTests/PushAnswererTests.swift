import LedgerRecords
import Bolt11
import EmbeddedNode
import LightningCoding
import LightningCrypto
import LoopbackServer
import NotificationExtensionExample
import Platform
import ResponderCore
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@Suite("An app's notification extension", .timeLimit(.minutes(5)))
struct PushAnswererTests {
    private let folder = TemporaryFolder()
    private var ledgerPath: String { folder.path + "/ledger.sqlite" }

    /// What the service that asked gets.
    private final class Service: Sendable {
        let received = Guarded<[String]>([])
        let server: LoopbackServer
        var replyURL: String { "http://127.0.0.1:\(server.port)/response/7" }

        init(status: Int = 200) throws {
            let received = received
            server = try LoopbackServer { request in
                received.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
                return LoopbackAnswer(status: status, "")
            }
        }
    }

    private func wallet() async throws -> PushAnswerer.Wallet {
        let ledger = try await LedgerDatabase.open(at: ledgerPath)
        let settings = AccountSettings(description: "For alice", backend: .embedded)
        _ = try await ledger.putMainDomain(at: HTTPURL("https://pay.example.com"))
        _ = try await ledger.putAccount(
            named: AccountID("alice@pay.example.com"), settings: settings, metadata: #"[["text/plain","For alice"]]"#,
            at: .now())
        let node = try await EmbeddedBackend(
            EmbeddedConfiguration(databasePath: folder.path + "/node.sqlite"),
            key: SecretKey([UInt8](repeating: 2, count: 32)))
        return PushAnswerer.Wallet(
            ledgerPath: ledgerPath, account: try AccountID("alice@pay.example.com"), node: node,
            challengeKey: Array(repeating: 1, count: 32))
    }

    private func sender() throws -> ReplySender {
        try ReplySender(ReplySender.Settings(policy: ReplyPolicy(allowsLoopback: true)))
    }

    private func message(_ replyURL: String) -> [UInt8] {
        let payload: JSONValue = ["amount": 21_000, "reply_url": .string(replyURL)]
        let message: JSONValue = [
            "notification_type": "lnurlpay_invoice", "notification_payload": .string(payload.serialized()),
        ]
        return message.serializedBytes()
    }

    @Test("answers from the wallet's own node, posts the answer, says what to show, and remembers")
    func answers() async throws {
        let service = try Service()
        let (wallet, sender, message) = (try await wallet(), try sender(), message(service.replyURL))
        // snippet: answering a push message
        let answerer = try await PushAnswerer(wallet, sender: sender)
        let text = await answerer.answer(message, within: .seconds(20))
        // end
        #expect(text == NotificationText(title: "Fetching Invoice", lifetime: .replaceable))
        let reply = try JSONValue(parsing: try #require(service.received.withLock { $0.first }))
        let invoice = try Bolt11Invoice(reply["pr"]?.string ?? "")
        #expect(invoice.amount == Millisatoshi(21_000))
        await answerer.close()
        let ledger = try await LedgerDatabase.open(at: ledgerPath)
        #expect(try await ledger.invoice(invoice.paymentHash) != nil)
        let event = try #require(try await ledger.events(EventQuery()).elements.first)
        #expect(event.delivery == .taken)
        #expect(event.paymentHash == invoice.paymentHash)
        #expect(event.steps.map(\.name) == ["node", "ledger", "answer", "delivery"])
    }

    @Test("says that nothing came of it when the answer is not taken")
    func refused() async throws {
        let service = try Service(status: 404)
        let answerer = try await PushAnswerer(wallet(), sender: sender())
        let text = await answerer.answer(message(service.replyURL), within: .seconds(20))
        #expect(text?.title == "Receive Payment Failed")
        await answerer.close()
    }

    @Test("leaves a message that is none of its own as it is")
    func others() async throws {
        let answerer = try await PushAnswerer(wallet(), sender: sender())
        #expect(await answerer.answer(Array(#"{"aps":{"alert":{"title":"x"}}}"#.utf8), within: .seconds(20)) == nil)
        await answerer.close()
    }
}
