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
        let alice = try AccountID("alice@example.com")
        let query = CallbackQuery(amount: Millisatoshi(21_000))
        let directory = ResponderDirectory(try await responder(in: folder, for: alice))
        let page = try DurablePage(in: folder)
        return [
            Measurement(name: "info answer", calls: 500) {
                _ = try await directory.responder(for: Recipient(alice)).payRequest(for: Payer())
            },
            Measurement(name: "invoice answer, durable", calls: 50) {
                _ = try await directory.responder(for: Recipient(alice)).payInvoice(query, token: nil, for: Payer())
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
