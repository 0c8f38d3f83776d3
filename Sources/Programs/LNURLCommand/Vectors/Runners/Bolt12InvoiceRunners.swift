import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto

extension VectorRunner {
    static let bolt12Invoices = [
        // Checks an invoice as its payer.
        VectorRunner("bolt-12", "invoice") { input in
            let invoice = try Bolt12Invoice(input.text("invoice"))
            try invoice.check(answering: InvoiceRequest(input.text("invoiceRequest")), input.invoiceReception())
            return [
                "amount": .unsigned(invoice.amount.msat),
                "createdAt": .unsigned(invoice.createdAt.seconds),
                "paymentHash": .string(invoice.paymentHash.hexadecimal),
                "nodeID": .string(invoice.nodeID.hexadecimal),
                "expiresAt": .unsigned(invoice.expiresAt.seconds),
                "usablePaths": .array(invoice.usablePaths.map { .string($0.path.introductionNode.wireHexadecimal) }),
                "usableFallbacks": .array(invoice.usableFallbacks.map(\.vectorValue)),
                "parts": .string(invoice.parts.vectorValue),
            ]
        },
        // Checks an invoice request and answers it with a signed invoice.
        VectorRunner("bolt-12", "answer") { input in
            let draft = InvoiceDraft(
                answering: try input.acceptedRequest(), createdAt: UnixTime(try input.unsigned("createdAt")),
                relativeExpiry: UInt32(clamping: try input.unsigned("relativeExpiry")),
                paymentHash: try PaymentHash(input.bytes("paymentHash")), paths: try input.paymentPaths(),
                parts: try input.partsOfPayment(), fallbacks: try input.fallbacks())
            let key = try SecretKey(input.bytes("secretKey"))
            return ["invoice": .string(try draft.signed(by: key, auxiliaryRandom: nil).text)]
        },
    ]
}

extension VectorInput {
    fileprivate func invoiceReception() throws(InputFault) -> InvoiceReception {
        let arrival: InvoiceArrival =
            switch (try text("arrival"), try optionalIndex("path")) {
            case ("reply", nil): .viaReplyPath
            case ("path", let index?): .viaRequestPath(index)
            case ("direct", nil): .direct
            case ("outside", nil): .outsideLightning
            default: throw fault("arrival")
            }
        return InvoiceReception(
            arrival: arrival, now: UnixTime(try unsigned("now")), chains: try chains(),
            sentToPath: try optionalIndex("sentToPath"))
    }

    fileprivate func paymentPaths() throws -> [PaymentPath] {
        try zip(array("paths"), array("payinfos")).map { path, payinfo in
            var reader = ByteReader(try Hexadecimal.decode(payinfo.string ?? ""))
            return PaymentPath(
                path: try BlindedPath(Hexadecimal.decode(path.string ?? "")),
                payinfo: try BlindedPayinfo(from: &reader))
        }
    }

    fileprivate func partsOfPayment() throws(InputFault) -> PartsOfPayment {
        let name = try text("parts")
        guard
            let parts = [PartsOfPayment.one, .severalAllowed, .severalRequired].first(where: {
                $0.vectorValue == name
            })
        else { throw fault("parts") }
        return parts
    }

    fileprivate func fallbacks() throws -> [FallbackProgram] {
        try array("fallbacks").map { value in
            let program = try Hexadecimal.decode(value["program"]?.string ?? "")
            guard let version = value["version"]?.uint64,
                let fallback = FallbackProgram(version: UInt8(clamping: version), program: program)
            else { throw fault("fallbacks") }
            return fallback
        }
    }
}

extension PartsOfPayment {
    fileprivate var vectorValue: String {
        switch self {
        case .one: "one"
        case .severalAllowed: "several-allowed"
        case .severalRequired: "several-required"
        }
    }
}

extension FallbackProgram {
    fileprivate var vectorValue: JSONValue {
        ["version": .unsigned(UInt64(version)), "program": .string(Hexadecimal.encode(program))]
    }
}
