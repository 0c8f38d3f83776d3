import LNURL
import LightningCrypto
public import Contracts

extension Responder {
    /// An invoice that was given out for a name, over whatever way.
    func invoice(_ paymentHash: PaymentHash, of name: AddressName) async throws(Refusal) -> IssuedInvoice {
        guard let invoice = try await Refusal.asking(await ledger.invoice(paymentHash)), invoice.account == name else {
            throw .unknownInvoice
        }
        return invoice
    }

    /// What the node says of the payment of an invoice.
    func status(of invoice: IssuedInvoice) async throws(Refusal) -> PaymentStatus? {
        let backend = try await Refusal.resolving(nodes.backend(named: invoice.backend))
        return try await Refusal.asking(invoice.backend, await backend.status(of: invoice.paymentHash))
    }

    /// Writes down what the node says of the payment of an invoice, whatever else has or has not been written down by then: to
    /// wait for its place in the node's order could mean to wait for the next payment.
    ///
    /// - Returns: whether it was the payment of that invoice.
    func writeDown(_ settlement: RecordedSettlement, of invoice: IssuedInvoice) async throws(Refusal) -> Bool {
        guard settlement.preimage.paymentHash == invoice.paymentHash else { return false }
        _ = try await Refusal.asking(
            await ledger.record(settlement, of: invoice.paymentHash, from: invoice.backend))
        return true
    }

    /// Writes the node's settlements down, from a place in its stream to that of an invoice.
    ///
    /// - Parameter cursor: where the stream stood before the invoice was settled; nil for its beginning. Another process may
    ///   have written more of it down since.
    /// - Returns: whether that one was among them.
    public func writeDownSettlements(
        upTo invoice: IssuedInvoice, after cursor: SettlementCursor?
    ) async throws(Refusal) -> Bool {
        let backend = try await Refusal.resolving(nodes.backend(named: invoice.backend))
        do {
            for try await settlement in backend.settlements(after: cursor) where settlement.isProven {
                _ = try await ledger.record(settlement, from: invoice.backend)
                if settlement.paymentHash == invoice.paymentHash { return true }
            }
            return false
        } catch let fault as LedgerFault {
            throw .unavailable(.ledger(fault))
        } catch {
            throw .unavailable(.backend(invoice.backend, error as? BackendFault ?? .unreachable("\(type(of: error))")))
        }
    }
}
