import LightningCoding
package import LightningCrypto
import OutboundHTTP
package import ResponderModel

extension LNDBackend {
    /// Makes an invoice with `AddInvoice`. It contains hints to private channels when the public ones could not receive
    /// the amount.
    package func createInvoice(_ order: InvoiceOrder) async throws(BackendFault) -> BackendInvoice {
        let channels = try await usableChannels()
        let inPublic = channels.filter { !$0.isPrivate }
            .reduce(UInt64(0)) { min($0 + $1.receivable.msat, Millisatoshi.maximum.msat) }
        var body: JSONObject = [
            "value_msat": .string(String(order.amount.msat)),
            "expiry": .string(String(order.expiry)),
            "private": .bool(inPublic < order.amount.msat && channels.contains(where: \.isPrivate)),
        ]
        switch order.description {
        case .text(let text): body["memo"] = .string(text)
        case .hashed(let text):
            body["description_hash"] = .string(Base64.encode(SHA256.hash(Array(text.utf8))))
            // With a description hash, the memo stays at the node, for its owner.
            body["memo"] = .string(order.label)
        }
        if let preimage = order.preimage { body["r_preimage"] = .string(Base64.encode(preimage.secret)) }
        let request = JSONValue.object(body)
        let answer = try await ask { client throws(LNDFault) in
            try await client.call(.post, "/v1/invoices", body: request, needing: .writeInvoices)
        }
        return BackendInvoice(
            bolt11: try answer.text("payment_request"),
            paymentHash: try answer.parsed("r_hash") { try PaymentHash(try Base64.decode($0)) }
        )
    }

    /// The state of an invoice's payment, by `LookupInvoice`.
    package func status(of paymentHash: PaymentHash) async throws(BackendFault) -> PaymentStatus? {
        let answer = try await ask { client throws(LNDFault) -> NodeAnswer? in
            do throws(LNDFault) {
                return try await client.call(
                    .get, "/v1/invoice/\(paymentHash.hexadecimal)", filters: true, needing: .readInvoices)
            } catch {
                if case .refused(let error, _) = error, error.isUnknownInvoice { return nil }
                throw error
            }
        }
        guard let answer else { return nil }
        let invoice = try LNDInvoice(answer)
        guard invoice.paymentHash == paymentHash else { throw answer.fault("r_hash") }
        return invoice.status
    }

    /// Cancels an invoice with `CancelInvoice`. An already canceled or expired one is left as it is.
    ///
    /// - Throws: `BackendFault.refused` when it is unknown or has been paid.
    package func cancel(_ paymentHash: PaymentHash) async throws(BackendFault) {
        let request: JSONValue = ["payment_hash": .string(Base64.encode(paymentHash.bytes))]
        _ = try await ask { client throws(LNDFault) in
            try await client.call(.post, "/v2/invoices/cancel", body: request, needing: .writeInvoices)
        }
    }
}
