import Bolt12
import LightningCoding
import LightningCrypto

extension VectorRunner {
    static let bolt12Requests = [
        // Checks an invoice request as the issuer of its offer.
        VectorRunner("bolt-12", "invoice-request") { input in
            let accepted = try input.acceptedRequest()
            return ["amount": .unsigned(accepted.amount.msat), "nodeID": .string(accepted.nodeID.hexadecimal)]
        },
        // Creates and signs an invoice request.
        VectorRunner("bolt-12", "make-invoice-request") { input in
            guard let network = Network(rawValue: try input.text("chain")) else {
                throw InputFault(member: "chain")
            }
            let draft = InvoiceRequestDraft(
                for: try Offer(input.text("offer")), metadata: try input.bytes("metadata"), chain: ChainHash(network),
                amount: try input.optionalUnsigned("amount").map { Millisatoshi($0) },
                quantity: try input.optionalUnsigned("quantity"), payerNote: try input.optionalText("payerNote"),
                bip353Name: try input.optionalText("bip353Name").map { try BIP353Name($0) })
            let key = try SecretKey(input.bytes("secretKey"))
            return ["invoiceRequest": .string(try draft.signed(by: key, auxiliaryRandom: nil).text)]
        },
        // Parses an invoice error.
        VectorRunner("bolt-12", "invoice-error") { input in
            let error = try InvoiceError(bytes: input.bytes("invoiceError"))
            return [
                "message": .string(error.message),
                "erroneousField": .number(error.erroneousField),
                "suggestedValue": .hexadecimal(error.suggestedValue),
            ]
        },
    ]
}

extension VectorInput {
    /// The invoice request, checked as the issuer of the offer.
    func acceptedRequest() throws -> AcceptedRequest {
        let offer = try Offer(text("offer"))
        return try InvoiceRequest(text("invoiceRequest")).accepted(for: offer, requestReception())
    }
}
