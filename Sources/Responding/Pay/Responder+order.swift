import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
import Receiving

extension Responder {
    /// What the backend is asked for.
    func order(_ query: CallbackQuery, metadata: String, for account: Account) throws(Refusal) -> InvoiceOrder {
        var text = metadata
        // Only what was asked for: a stray parameter must not change what strict wallets compare.
        if settings.payerDataCommitment == .metadataAndPayerData, !account.settings.payerData.requirements.isEmpty {
            text += query.payerData ?? ""
        }
        do {
            return InvoiceOrder(
                amount: query.amount,
                description: .hashed(text),
                expiry: account.settings.invoiceExpiry,
                label: try label(),
                preimage: account.settings.successAction.needsPreimage ? try Preimage(random: random) : nil
            )
        } catch {
            throw .unavailable(.randomness)
        }
    }

    /// The time in seconds, 8 digits of hex, so that indexes of labels grow at their end; then 96 random bits.
    func label() throws(CryptoFault) -> String {
        var writer = ByteWriter(capacity: 16)
        writer.writeUInt32(UInt32(truncatingIfNeeded: clock().seconds))
        writer.write(try random(12))
        return Hexadecimal.encode(writer.bytes)
    }

    /// The backend's invoice, once it is known to be what was ordered.
    func invoice(
        _ order: InvoiceOrder,
        from backend: any ReceiveBackend,
        named name: BackendName
    ) async throws(Refusal) -> OrderedInvoice {
        let node: NodeInfo
        do {
            node = try await self.node(backend, named: name)
        } catch {
            throw .unavailable(error)
        }
        let begun: BegunInvoice
        do {
            begun = try await StepLog.measure("node") { () async throws(BackendFault) in
                try await backend.beginInvoice(order)
            }
        } catch {
            throw .unavailable(.backend(name, error))
        }
        do {
            let contents = try InvoiceInspection(of: node, order: order).inspect(begun.invoice, at: clock())
            return OrderedInvoice(contents: contents, begun: begun, backend: name)
        } catch {
            await discard(begun.invoice, of: backend, named: name, because: error)
            throw .unavailable(.inspection(name, error))
        }
    }
}

extension Responder {
    /// The action that goes with the invoice of an order.
    func successAction(of account: Account, _ order: InvoiceOrder) throws(Refusal) -> SuccessAction? {
        do {
            switch (account.settings.successAction, order.preimage) {
            case (.none, _), (.secret, nil): return nil
            case (.message(let text), _): return .message(text)
            case (.url(let link), _): return .url(link)
            case (.secret(let secret, let description), let preimage?):
                return .aes(
                    try EncryptedAction.seal(
                        secret,
                        description: description,
                        preimage: preimage,
                        initialisationVector: try random(EncryptedAction.initialisationVectorCount)
                    )
                )
            }
        } catch let fault as SuccessActionFault {
            throw .unavailable(.successAction(fault))
        } catch {
            throw .unavailable(.randomness)
        }
    }
}
