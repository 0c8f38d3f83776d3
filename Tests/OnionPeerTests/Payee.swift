import EmbeddedNode
import LNURL
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel
import SQLiteLedger
import TemporaryFolders

/// A payee: a responder with the account alice on an embedded node, whose offers end at a key.
struct Payee {
    static let key = Counterpart.key(0x41)

    let folder = TemporaryFolder()
    let ledger: LedgerDatabase
    let responder: Responder
    let alice: AccountID

    init() async throws {
        ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        let node = try await EmbeddedBackend(
            EmbeddedConfiguration(databasePath: folder.path + "/node.sqlite"),
            key: SecretKey([UInt8](repeating: 2, count: 32)))
        alice = try AccountID("alice@pay.example.com")
        _ = try await ledger.putMainDomain(at: HTTPURL("https://pay.example.com"))
        _ = try await ledger.putAccount(
            named: alice, settings: AccountSettings(description: "For alice", backend: .embedded),
            metadata: PayMetadata.build(for: LightningAddress("alice@pay.example.com"), description: "For alice"),
            at: .now())
        responder = Responder(
            ledger: ledger, backends: [.embedded: node],
            settings: ResponderSettings(
                challengeKey: SecretBytes([UInt8](repeating: 4, count: 32))),
            offers: OfferIssuer(
                seed: try OfferSeed(SecretBytes([UInt8](repeating: 5, count: 32))), nodeKey: Self.key))
    }
}
