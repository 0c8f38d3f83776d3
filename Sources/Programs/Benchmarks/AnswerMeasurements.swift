import EmbeddedNode
import LNURL
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel
import LedgerRecords
import SQLiteLedger

/// Both steps of LNURL-pay without HTTP, compared with the one durable write that the second requires.
enum AnswerMeasurements {
    /// - Parameter folder: where ledger and key are created.
    static func make(in folder: String) async throws -> [Measurement] {
        let recipient = Recipient(try AccountID("alice@example.com"))
        let query = CallbackQuery(amount: Millisatoshi(21_000))
        let responder = try await responder(in: folder, for: recipient.account)
        let page = try DurablePage(in: folder)
        return [
            Measurement(name: "info answer", calls: 500) { _ = try await responder.payRequest(for: recipient) },
            Measurement(name: "invoice answer, durable", calls: 50) {
                _ = try await responder.payInvoice(for: recipient, version: nil, query: query)
            },
            Measurement(name: "fdatasync", calls: 50, operation: page.append),
        ]
    }

    private static func responder(in folder: String, for account: AccountID) async throws -> Responder {
        let ledger = try await LedgerDatabase.open(at: folder + "/ledger.sqlite")
        let configuration = EmbeddedConfiguration(keyPath: folder + "/node.key", databasePath: folder + "/node.sqlite")
        let node = try await EmbeddedBackend(configuration)
        let domain = try await ledger.putMainDomain(at: HTTPURL("https://example.com"))
        let settings = AccountSettings(description: "Sats for Alice", backend: .embedded)
        _ = try await ledger.putAccount(
            named: account,
            settings: settings,
            metadata: PayMetadata.build(for: domain.address(of: account.name), description: settings.description),
            at: .now()
        )
        return Responder(
            ledger: ledger,
            backends: [.embedded: node],
            settings: ResponderSettings(
                challengeKey: SecretBytes(try SystemRandom.bytes(32))
            )
        )
    }
}
