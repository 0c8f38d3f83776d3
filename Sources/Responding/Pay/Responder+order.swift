import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
import Receiving

extension Responder {
    /// What the backend is asked for.
    func order(_ query: CallbackQuery, metadata: String, for account: Account) throws(Refusal) -> InvoiceOrder {
        var text = metadata
        if settings.payerDataCommitment == .metadataAndPayerData, let payerData = query.payerData {
            text += payerData
        }
        do {
            return InvoiceOrder(
                amount: query.amount,
                description: .hashed(text),
                expiry: account.settings.invoiceExpiry,
                label: Hexadecimal.encode(try random(16)),
                preimage: account.settings.successAction.needsPreimage ? try Preimage(random: random) : nil
            )
        } catch {
            throw .unavailable(.inside("no random bytes"))
        }
    }

    /// The backend's invoice, once it is known to be what was ordered.
    func invoice(
        _ order: InvoiceOrder,
        from backend: any ReceiveBackend,
        named name: BackendName
    ) async throws(Refusal) -> UnverifiedBolt11Invoice {
        guard let network = networks[name] else { throw .unavailable(.noBackend(name)) }
        let answer: BackendInvoice
        do {
            answer = try await backend.createInvoice(order)
        } catch {
            throw .unavailable(.backend(name, error))
        }
        do {
            return try InvoiceInspection(network: network, order: order).inspect(answer, at: clock())
        } catch {
            // What nobody will see should not stay payable; that it may fail changes nothing for the payer.
            if backend.capabilities.cancels { try? await backend.cancel(answer.paymentHash) }
            throw .unavailable(.inspection(name, error))
        }
    }
}
