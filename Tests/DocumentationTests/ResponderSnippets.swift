import Bolt11
import Contracts
import LightningCoding
import LightningCrypto
import LNURL
import ResponderCore
import SQLiteLedger
import TemporaryFolders
import Testing

// snippet: a node
/// Signs invoices and considers them paid as soon as it is told so.
actor TrialNode: ReceiveBackend {
    let capabilities = BackendCapabilities(precision: .millisatoshi, acceptsPreimage: false, cancels: false)
    private let key: SecretKey
    private var invoices: [PaymentHash: (preimage: Preimage, paid: (Millisatoshi, UnixTime)?)] = [:]

    init(key: SecretKey) {
        self.key = key
    }

    func nodeInfo() async throws(BackendFault) -> NodeInfo {
        NodeInfo(nodeID: key.publicKey, network: .regtest, blockHeight: 1)
    }

    func limits() async throws(BackendFault) -> ReceiveLimits {
        let limits = ReceiveLimits(minimum: Millisatoshi(1_000), maximum: Millisatoshi(100_000_000))
        guard let limits else { throw .nothingReceivable }
        return limits
    }

    func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        do {
            let preimage = try Preimage(SecretBytes(SystemRandom.bytes(32)))
            let description: Bolt11Description =
                switch order.description {
                case .text(let text): .text(text)
                case .hashed(let text): .hash(SHA256.hash(text.utf8))
                }
            let invoice = try Bolt11Draft(
                network: .regtest, amount: order.amount, timestamp: .now(), paymentHash: preimage.paymentHash,
                paymentSecret: PaymentSecret(SecretBytes(SystemRandom.bytes(32))), description: description,
                expiry: order.expiry
            ).signed(by: key)
            invoices[invoice.paymentHash] = (preimage, nil)
            return BackendInvoice(bolt11: invoice.text, paymentHash: invoice.paymentHash)
        } catch {
            throw .refused("it cannot sign an invoice")
        }
    }

    func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        guard let invoice = invoices[paymentHash] else { return nil }
        guard let (received, moment) = invoice.paid else { return .open }
        return .settled(at: moment, received: received, preimage: invoice.preimage)
    }

    func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) { throw .unsupported }

    /// None: a real node reports each payment here as it arrives.
    nonisolated func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        AsyncThrowingStream { $0.finish() }
    }
}
// end

/// The code of the article of `ResponderCore`.
@Suite("The article on answering with one's own node", .timeLimit(.minutes(1)))
struct ResponderSnippets {
    private let folder = TemporaryFolder()

    @Test("A payer gets an invoice of the node, which is in the ledger")
    func answering() async throws {
        let (path, key) = (folder.path + "/ledger.sqlite", try SecretKey.random())
        // snippet: a responder
        let name = BackendName.embedded
        let backends: [BackendName: any ReceiveBackend] = [name: TrialNode(key: key)]
        let ledger = try await LedgerDatabase.open(at: path)
        let domain = try await ledger.putMainDomain(at: HTTPURL("https://example.com"))
        let responder = Responder(
            ledger: ledger, backends: backends,
            settings: ResponderSettings(challengeKey: SecretBytes(try SystemRandom.bytes(32))))
        // end

        // snippet: an account
        let editor = AccountEditor(ledger: ledger, backends: backends)
        let alice = AccountID(try AddressName("alice"), at: domain.name)
        _ = try await editor.put(alice, AccountSettings(description: "Tea for Alice", backend: name))
        // end

        // snippet: answering a payer
        let recipient = Recipient(alice)
        let terms = try await responder.payRequest(for: recipient)
        let answer = try await responder.payInvoice(
            for: recipient, version: nil, query: CallbackQuery(amount: terms.minSendable, comment: "Thanks!"))
        let invoice = try Bolt11Invoice(answer.pr)
        let isPaid = try await responder.verify(invoice.paymentHash, of: alice).settled
        // end
        #expect(terms.callback.text.hasPrefix("https://example.com/lnurlpay/alice/"))
        #expect(invoice.amount == Millisatoshi(1_000))
        #expect(invoice.description == .hash(PayMetadata.descriptionHash(of: terms.metadata)))
        #expect(invoice.payee == key.publicKey)
        #expect(!isPaid)
        #expect(try await ledger.invoice(invoice.paymentHash)?.account == alice)
        await ledger.close()
    }

    @Test("A payer of a name that does not exist is told so")
    func refusing() async throws {
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        let responder = Responder(
            ledger: ledger, backends: [.embedded: TrialNode(key: try SecretKey.random())],
            settings: ResponderSettings(
                challengeKey: SecretBytes(Array(repeating: 1, count: 32))
            ))
        let query = CallbackQuery(amount: Millisatoshi(1_000))
        // snippet: refusing a payer
        func body(for recipient: Recipient) async -> String {
            do throws(Refusal) {
                return try await responder.payInvoice(for: recipient, version: nil, query: query).json.serialized()
            } catch {
                return ErrorResponse(reason: error.reason).json.serialized()
            }
        }
        // end
        #expect(
            await body(for: Recipient(try AccountID("bob@example.com")))
                == ErrorResponse(reason: Refusal.unknownAccount.reason).json.serialized())
        await ledger.close()
    }
}
