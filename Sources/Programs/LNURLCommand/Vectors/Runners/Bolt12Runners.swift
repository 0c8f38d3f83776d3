import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto

extension VectorRunner {
    static let bolt12 = [
        VectorRunner("bolt-12", "text") { input in
            let bytes = try Bolt12Text.decode(input.text("text"), as: .offer)
            return ["bytes": .hexadecimal(bytes), "text": .string(Bolt12Text.encode(bytes, as: .offer))]
        },
        VectorRunner("bolt-12", "offer") { input in
            let offer = try Offer(input.text("offer"))
            if let now = try input.optionalUnsigned("now") {
                try offer.check(chains: input.chains(), now: UnixTime(now))
            }
            var values = offer.fields.json
            values["id"] = .string(offer.id.hexadecimal)
            values["chains"] = offer.fields.chains.map { .array($0.map { .string($0.description) }) } ?? .null
            values["paths"] = offer.fields.paths.map { .array($0.map(\.wireValue)) } ?? .null
            return values
        },
        VectorRunner("bolt-12", "merkle-root") { input in
            let stream = try TLVStream(parsing: input.bytes("stream"))
            return ["root": .hexadecimal(MerkleTree(stream.records).root)]
        },
        VectorRunner("bolt-12", "invoice-request") { input in
            let accepted = try input.acceptedRequest()
            return ["amount": .unsigned(accepted.amount.msat), "nodeID": .string(accepted.nodeID.hexadecimal)]
        },
        VectorRunner("bolt-12", "make-invoice-request") { input in
            let network = try input.parsed("chain") { Network(rawValue: $0) }
            let draft = InvoiceRequestDraft(
                for: try Offer(input.text("offer")), metadata: try input.bytes("metadata"), chain: ChainHash(network),
                amount: try input.optionalUnsigned("amount").map { Millisatoshi($0) },
                quantity: try input.optionalUnsigned("quantity"), payerNote: try input.optionalText("payerNote"),
                bip353Name: try input.optionalText("bip353Name").map { try BIP353Name($0) })
            let key = try SecretKey(input.bytes("secretKey"))
            return ["invoiceRequest": .string(try draft.signed(by: key, auxiliaryRandom: nil).text)]
        },
        VectorRunner("bolt-12", "invoice-error") { input in
            let error = try InvoiceError(bytes: input.bytes("invoiceError"))
            return [
                "message": .string(error.message),
                "erroneousField": .number(error.erroneousField),
                "suggestedValue": .hexadecimal(error.suggestedValue),
            ]
        },
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
    func acceptedRequest() throws -> AcceptedRequest {
        let offer = try Offer(text("offer"))
        return try InvoiceRequest(text("invoiceRequest")).accepted(for: offer, requestReception())
    }

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
        try parsed("parts") { name in
            [PartsOfPayment.one, .severalAllowed, .severalRequired].first { $0.vectorValue == name }
        }
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

    func chains() throws(InputFault) -> Set<ChainHash> {
        var chains: Set<ChainHash> = []
        for name in try array("chains") {
            guard let network = name.string.flatMap(Network.init(rawValue:)) else { throw fault("chains") }
            chains.insert(ChainHash(network))
        }
        return chains
    }

    func optionalIndex(_ name: String) throws(InputFault) -> Int? {
        try optionalUnsigned(name).map { Int(clamping: $0) }
    }

    func requestReception() throws(InputFault) -> RequestReception {
        guard let rates = try value("rates").object else { throw fault("rates") }
        let arrival: Arrival =
            switch (try text("arrival"), try optionalIndex("path")) {
            case ("path", let index?): .viaPath(index)
            case ("direct", nil): .direct
            case ("forwarder", nil): .forwarder
            default: throw fault("arrival")
            }
        return RequestReception(
            arrival: arrival, now: UnixTime(try unsigned("now")), chains: try chains(),
            converter: { amount, currency in
                guard let rate = rates[currency]?.uint64 else { return nil }
                return try? Millisatoshi(rate).multiplied(by: amount)
            })
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
        ["version": .unsigned(UInt64(version)), "program": .hexadecimal(program)]
    }
}

extension BlindedPath {
    fileprivate var wireValue: JSONValue {
        var value = json
        value["introductionNode"] = .string(introductionNode.wireHexadecimal)
        return .object(value)
    }
}

extension IntroductionNode {
    /// The bytes in wire format, 9 or 33.
    fileprivate var wireHexadecimal: String {
        var writer = ByteWriter()
        write(to: &writer)
        return Hexadecimal.encode(writer.bytes)
    }
}
