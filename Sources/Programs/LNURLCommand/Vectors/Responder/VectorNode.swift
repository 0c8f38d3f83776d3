import Bolt11
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel

/// The node of a case of the responder's vectors: it signs with the case's key, and uses the case's preimages and payment
/// secrets in turn.
final class VectorNode: ReceiveBackend {
    struct Terms: Sendable {
        let key: SecretKey
        let network: Network
        let limits: ReceiveLimits
        let precision: BackendCapabilities.Precision
        /// The fault that it returns instead of an invoice.
        let fault: BackendFault?
        let now: UnixTime
        /// The source of the preimages: number n is the SHA-256 of these bytes and n, 8 bytes, big-endian.
        let seed: [UInt8]
    }

    private let terms: Terms
    private let made = Guarded(UInt64(0))

    init(_ terms: Terms) {
        self.terms = terms
    }

    var capabilities: BackendCapabilities {
        BackendCapabilities(
            precision: terms.precision, acceptsPreimage: false, cancels: false, offers: .builtHere)
    }

    func nodeInfo() async throws(BackendFault) -> NodeInfo {
        NodeInfo(nodeID: terms.key.publicKey, network: terms.network, blockHeight: 800_000)
    }

    func limits() async throws(BackendFault) -> ReceiveLimits { terms.limits }

    func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        if let fault = terms.fault { throw fault }
        let number = made.withLock { made in
            made += 1
            return made
        }
        let bytes = SHA256.hash(terms.seed, withUnsafeBytes(of: number.bigEndian) { Array($0) })
        do {
            let preimage = try Preimage(bytes)
            let description: Bolt11Description =
                switch order.description {
                case .text(let text): .text(text)
                case .hashed(let text): .hash(SHA256.hash(text.utf8))
                }
            let draft = Bolt11Draft(
                network: terms.network, amount: order.amount, timestamp: terms.now, paymentHash: preimage.paymentHash,
                paymentSecret: try PaymentSecret(SHA256.hash(bytes, "secret".utf8)), description: description,
                expiry: order.expiry)
            return BackendInvoice(
                bolt11: try draft.signed(by: terms.key).text, paymentHash: preimage.paymentHash)
        } catch {
            throw .refused(error.readableReason)
        }
    }

    func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? { .expired }

    func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) { throw .unsupported }

    func settlements(after cursor: SettlementCursor?) -> SettlementStream {
        AsyncThrowingStream { nil }
    }
}
