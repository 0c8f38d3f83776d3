package import Bolt11
package import LightningCoding
package import LightningCrypto

/// Compares a backend's invoice with the order. An invoice that fails never reaches a payer.
package struct InvoiceInspection: Sendable {
    package let network: Network
    /// The keys of which one must have signed; nil skips the check of the payee.
    package let payees: [PublicKey]?
    package let order: InvoiceOrder

    package init(of node: NodeInfo, order: InvoiceOrder) {
        self.init(network: node.network, payees: node.payees, order: order)
    }

    package init(network: Network, payees: [PublicKey]? = nil, order: InvoiceOrder) {
        self.network = network
        self.payees = payees
        self.order = order
    }

    /// Checks everything that the order specifies.
    ///
    /// - Throws: the first difference.
    package func inspect(
        _ answer: BackendInvoice,
        at now: UnixTime
    ) throws(InspectionFault) -> UnverifiedBolt11Invoice {
        let invoice = try rethrowing(UnverifiedBolt11Invoice(answer.bolt11), as: InspectionFault.unreadable)
        guard invoice.network == network else { throw .network }
        guard invoice.amount == order.amount else { throw .amount }
        guard invoice.description == order.description.committed else { throw .description }
        guard invoice.paymentHash == answer.paymentHash else { throw .paymentHash }
        if let preimage = order.preimage, preimage.paymentHash != invoice.paymentHash { throw .preimageNotUsed }
        guard invoice.expiry == order.expiry else { throw .expiry }
        guard now < invoice.expiresAt else { throw .expired(behind: now.seconds(since: invoice.timestamp)) }
        try checkPayee(of: invoice)
        return invoice
    }

    /// Amount and description are public, so anyone could supply an invoice that is right in all but the payee.
    private func checkPayee(of invoice: UnverifiedBolt11Invoice) throws(InspectionFault) {
        guard let payees else { return }
        let payee = try rethrowing(invoice.verified().payee, as: InspectionFault.signature)
        guard payees.contains(payee) else { throw .payee }
    }
}

package enum InspectionFault: Error, Hashable, Sendable {
    case unreadable(Bolt11Fault)
    case network
    /// It is for a different amount, or for any.
    case amount
    /// It commits to a different description, or to the text where the hash was ordered.
    case description
    /// Its payment hash is not the one that the backend reported.
    case paymentHash
    case preimageNotUsed
    case expiry
    /// It has expired already: the node's clock is that many seconds behind the ledger's.
    case expired(behind: UInt64)
    /// Its signature is invalid, so no payer would accept it.
    case signature
    case payee
}

extension InspectionFault: ReadableFault {
    package var reason: String {
        switch self {
        case .unreadable(let fault): "it is not a valid BOLT11 invoice: \(fault.reason)"
        case .network: "it is for a different chain"
        case .amount: "its amount differs"
        case .description: "its description differs"
        case .paymentHash: "its payment hash is not the one that the node named"
        case .preimageNotUsed: "it does not use the given preimage"
        case .expiry: "its expiry differs"
        case .expired(let seconds):
            "it has expired already: the node's clock is \(seconds) seconds behind; synchronize it"
        case .signature: "its signature is wrong"
        case .payee: "its payee is not the node"
        }
    }
}

extension InvoiceOrder.Description {
    var committed: Bolt11Description {
        switch self {
        case .text(let text): .text(text)
        case .hashed(let text): .hash(SHA256.hash(Array(text.utf8)))
        }
    }
}
