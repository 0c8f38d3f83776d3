import Bolt12
import LightningCoding
import LightningCrypto

/// Checks an invoice request as the issuer of its offer.
struct Bolt12InvoiceRequestRunner: VectorRunner {
    static let standard = "bolt-12"
    static let subject = "invoice-request"

    func run(_ input: VectorInput) throws -> JSONObject {
        let accepted = try input.acceptedRequest()
        return ["amount": .unsigned(accepted.amount.msat), "nodeID": .string(accepted.nodeID.hexadecimal)]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? InvoiceRequestFault)?.rule
    }
}

/// Creates and signs an invoice request.
struct Bolt12MakeInvoiceRequestRunner: VectorRunner {
    static let standard = "bolt-12"
    static let subject = "make-invoice-request"

    func run(_ input: VectorInput) throws -> JSONObject {
        guard let network = Network(rawValue: try input.string("chain")) else {
            throw VectorInput.Fault(member: "chain")
        }
        let draft = InvoiceRequestDraft(
            for: try Offer(input.string("offer")), metadata: try input.bytes("metadata"), chain: ChainHash(network),
            amount: try input.optionalUnsigned("amount").map { Millisatoshi($0) },
            quantity: try input.optionalUnsigned("quantity"), payerNote: try input.optionalString("payerNote"),
            bip353Name: try input.optionalString("bip353Name").map { try BIP353Name($0) })
        let key = try SecretKey(input.bytes("secretKey"))
        return ["invoiceRequest": .string(try draft.signed(by: key, auxiliaryRandom: nil).text)]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? InvoiceRequestFault)?.rule
    }
}

/// Parses an invoice error.
struct Bolt12InvoiceErrorRunner: VectorRunner {
    static let standard = "bolt-12"
    static let subject = "invoice-error"

    func run(_ input: VectorInput) throws -> JSONObject {
        let error = try InvoiceError(bytes: input.bytes("invoiceError"))
        return [
            "message": .string(error.message),
            "erroneousField": .number(error.erroneousField),
            "suggestedValue": .hexadecimal(error.suggestedValue),
        ]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? InvoiceErrorFault)?.rule
    }
}

extension VectorInput {
    /// The invoice request, checked as the issuer of the offer.
    func acceptedRequest() throws -> AcceptedRequest {
        let offer = try Offer(string("offer"))
        return try InvoiceRequest(string("invoiceRequest")).accepted(for: offer, requestReception())
    }
}
