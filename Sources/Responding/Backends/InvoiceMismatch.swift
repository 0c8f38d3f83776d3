public import LightningCrypto
public import Receiving

/// An invoice of a node that is not what was ordered, whoever had asked for it. No payer has seen it.
public struct InvoiceMismatch: Hashable, Sendable {
    /// The node.
    public let backend: BackendName
    /// How the invoice differs.
    public let fault: InspectionFault
    /// The payment hash inside it; the one that the node named when it cannot be read.
    public let paymentHash: PaymentHash
    /// Whether it can still be paid.
    public let end: End

    /// What became of such an invoice.
    public enum End: Hashable, Sendable {
        /// The node has let it go.
        case letGo
        /// The node was to let it go, and did not.
        case notLetGo(BackendFault)
        /// It stays until it expires: the node lets none go, or the hash is that of an invoice which somebody else has been given.
        case stays

        /// What the operator reads.
        public var reason: String {
            switch self {
            case .letGo: "cancelled"
            case .notLetGo(let fault): "not cancelled: \(fault.reason)"
            case .stays: "stays until it expires"
            }
        }
    }
}

extension Responder {
    /// Lets an invoice go that nobody will see, so that it does not stay payable, and tells of it.
    func discard(
        _ answer: BackendInvoice, of backend: any ReceiveBackend, named name: BackendName,
        because fault: InspectionFault
    ) async {
        let end = await letGo(answer, at: backend)
        noticeMismatch(InvoiceMismatch(backend: name, fault: fault, paymentHash: answer.hashToPay, end: end))
    }

    /// Has the node let an invoice go that no payer will see.
    ///
    /// The hash that counts is the one inside: what the node names beside a wrong invoice may be another's. An invoice that a
    /// payer holds is never let go.
    @discardableResult
    func letGo(_ answer: BackendInvoice, at backend: any ReceiveBackend) async -> InvoiceMismatch.End {
        guard (try? await backend.capabilities.cancels) ?? false else { return .stays }
        do {
            guard try await ledger.invoice(answer.hashToPay) == nil else { return .stays }
        } catch {
            return .stays
        }
        do throws(BackendFault) {
            try await backend.cancel(answer.hashToPay)
            return .letGo
        } catch {
            return .notLetGo(error)
        }
    }
}

extension Refusal {
    /// What failed inside, unless it was told of where it arose (`InvoiceMismatch`): then whoever answers need not tell of it again.
    public var unnoticedCause: String? {
        if case .unavailable(.inspection) = self { nil } else { cause }
    }
}

extension RequestRefusal {
    /// The same.
    public var unnoticedCause: String? {
        if case .unavailable(.inspection) = self { nil } else { cause }
    }
}
