public import Bolt11
public import LightningCoding
public import LightningCrypto

/// The comparison of a backend's invoice with what was ordered. An invoice that fails it never reaches a payer.
public struct InvoiceInspection: Sendable {
    /// The chain that the backend said it lives on.
    public let network: Network
    /// The keys of which one must have signed; nil where who is paid is not looked at.
    public let payees: [PublicKey]?
    /// What was ordered.
    public let order: InvoiceOrder

    /// Prepares the inspection of one order to a node.
    public init(of node: NodeInfo, order: InvoiceOrder) {
        self.init(network: node.network, payees: node.payees, order: order)
    }

    /// Prepares the inspection of one order.
    public init(network: Network, payees: [PublicKey]? = nil, order: InvoiceOrder) {
        self.network = network
        self.payees = payees
        self.order = order
    }

    /// Compares everything that the order names.
    ///
    /// - Parameter now: the moment at which the invoice came back.
    /// - Returns: the invoice's contents.
    /// - Throws: the first difference.
    public func inspect(
        _ answer: BackendInvoice,
        at now: UnixTime
    ) throws(InspectionFault) -> UnverifiedBolt11Invoice {
        let invoice: UnverifiedBolt11Invoice
        do {
            invoice = try UnverifiedBolt11Invoice(answer.bolt11)
        } catch {
            throw .unreadable(error)
        }
        guard invoice.network == network else { throw .network }
        guard invoice.amount == order.amount else { throw .amount }
        guard invoice.description == order.description.committed else { throw .description }
        guard invoice.paymentHash == answer.paymentHash else { throw .paymentHash }
        if let preimage = order.preimage, preimage.paymentHash != invoice.paymentHash { throw .preimageNotUsed }
        guard invoice.expiry == order.expiry, now < invoice.expiresAt else { throw .expiry }
        try checkPayee(of: invoice)
        return invoice
    }

    /// Amount and description are public, so that anybody can have an invoice that is right in all but whom it pays.
    private func checkPayee(of invoice: UnverifiedBolt11Invoice) throws(InspectionFault) {
        guard let payees else { return }
        let payee: PublicKey
        do {
            payee = try invoice.verified().payee
        } catch {
            throw .signature
        }
        guard payees.contains(payee) else { throw .payee }
    }
}

/// How a backend's invoice differs from what was ordered.
public enum InspectionFault: Error, Hashable, Sendable {
    /// It is no correct BOLT11 invoice.
    case unreadable(Bolt11Fault)
    /// It is for another chain.
    case network
    /// It is for another amount, or for any.
    case amount
    /// It commits to another text, or to the text where the hash was ordered.
    case description
    /// It pays another hash than the one that the backend named.
    case paymentHash
    /// It does not use the preimage that was given.
    case preimageNotUsed
    /// It has expired already, or lives longer or shorter than was ordered.
    case expiry
    /// Its signature is wrong, so that no payer would take it.
    case signature
    /// It pays somebody else than the node.
    case payee
}

extension InspectionFault: ReadableFault {
    /// What the operator reads.
    public var reason: String {
        switch self {
        case .unreadable(let fault): "it is no correct BOLT11 invoice: \(fault.reason)"
        case .network: "it is for another chain"
        case .amount: "it is for another amount"
        case .description: "it commits to another description"
        case .paymentHash: "it pays another hash than the one that the node named"
        case .preimageNotUsed: "it does not use the preimage that was given"
        case .expiry: "it does not expire when it should"
        case .signature: "its signature is wrong"
        case .payee: "it pays somebody else than the node"
        }
    }
}

extension InvoiceOrder.Description {
    /// What must stand in the invoice.
    var committed: Bolt11Description {
        switch self {
        case .text(let text): .text(text)
        case .hashed(let text): .hash(SHA256.hash(Array(text.utf8)))
        }
    }
}
