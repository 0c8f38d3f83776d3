import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto

/// Checks an invoice as its payer.
struct Bolt12InvoiceRunner: VectorRunner {
    static let standard = "bolt-12"
    static let subject = "invoice"

    func run(_ input: VectorInput) throws -> JSONObject {
        let invoice = try Invoice(input.string("invoice"))
        try invoice.check(answering: InvoiceRequest(input.string("invoiceRequest")), input.invoiceReception())
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
    }

    func rule(of fault: any Error) -> String? {
        (fault as? InvoiceFault)?.rule
    }
}

/// Checks an invoice request and answers it with a signed invoice.
struct Bolt12AnswerRunner: VectorRunner {
    static let standard = "bolt-12"
    static let subject = "answer"

    func run(_ input: VectorInput) throws -> JSONObject {
        let draft = InvoiceDraft(
            answering: try input.acceptedRequest(), createdAt: UnixTime(try input.unsigned("createdAt")),
            relativeExpiry: UInt32(clamping: try input.unsigned("relativeExpiry")),
            paymentHash: try PaymentHash(input.bytes("paymentHash")), paths: try input.paymentPaths(),
            parts: try input.partsOfPayment(), fallbacks: try input.fallbacks())
        let key = try SecretKey(input.bytes("secretKey"))
        return ["invoice": .string(try draft.signed(by: key, auxiliaryRandom: nil).text)]
    }

    func rule(of fault: any Error) -> String? {
        (fault as? InvoiceFault)?.rule ?? (fault as? InvoiceRequestFault)?.rule
    }
}

extension VectorInput {
    fileprivate func invoiceReception() throws(Fault) -> InvoiceReception {
        let arrival: InvoiceArrival =
            switch (try string("arrival"), try optionalIndex("path")) {
            case ("reply", nil): .viaReplyPath
            case ("path", let index?): .viaRequestPath(index)
            case ("direct", nil): .direct
            case ("outside", nil): .outsideLightning
            default: throw Fault(member: "arrival")
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

    fileprivate func partsOfPayment() throws(Fault) -> PartsOfPayment {
        let name = try string("parts")
        guard
            let parts = [PartsOfPayment.one, .severalAllowed, .severalRequired].first(where: {
                $0.vectorValue == name
            })
        else { throw Fault(member: "parts") }
        return parts
    }

    fileprivate func fallbacks() throws -> [FallbackProgram] {
        try array("fallbacks").map { value in
            let program = try Hexadecimal.decode(value["program"]?.string ?? "")
            guard let version = value["version"]?.uint64,
                let fallback = FallbackProgram(version: UInt8(clamping: version), program: program)
            else { throw Fault(member: "fallbacks") }
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
