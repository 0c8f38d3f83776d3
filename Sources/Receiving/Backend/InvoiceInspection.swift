public import Bolt11
public import LightningCoding
import LightningCrypto

/// The comparison of a backend's invoice with what was ordered. An invoice that fails it never reaches a payer.
public struct InvoiceInspection: Sendable {
    /// The chain that the backend said it lives on.
    public let network: Network
    /// What was ordered.
    public let order: InvoiceOrder

    /// Prepares the inspection of one order.
    public init(network: Network, order: InvoiceOrder) {
        self.network = network
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
        return invoice
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
