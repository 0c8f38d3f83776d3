import LNURL
import LightningCoding
import LightningCrypto

extension VectorRunner {
    static let lnurl = [
        VectorRunner("lud-01", "decode") { input in
            let url = try EncodedURL.decode(input.text("text"))
            return [
                "url": .string(url.text),
                "lower": .string(EncodedURL.encode(url)),
                "upper": .string(EncodedURL.encode(url, upper: true)),
            ]
        },
        VectorRunner("lud-01", "recognize") { input in
            let target = try LNURLTarget(input.text("text"))
            return [
                "kind": .string(target.kind),
                "url": .text(target.url?.text),
                "purpose": .text(target.purpose?.tag),
            ]
        },
        VectorRunner("lud-06", "metadata") { input in
            let metadata = try PayMetadata(parsing: input.text("metadata"))
            return [
                "plainText": .string(metadata.plainText),
                "longDescription": .text(metadata.longDescription),
                "identifier": .text(metadata.identifier),
                "email": .text(metadata.email),
                "tag": .text(metadata.tag),
                "imageType": .text(metadata.image?.format.metadataType),
                "image": .text(metadata.image?.base64),
                "hash": .hexadecimal(metadata.hash),
            ]
        },
        VectorRunner("lud-06", "pay-request") { input in
            let request = try PayRequest(json: input.body())
            return [
                "callback": .string(request.callback.text),
                "minSendable": .unsigned(request.minSendable.msat),
                "maxSendable": .unsigned(request.maxSendable.msat),
                "metadata": .string(request.metadata),
                "commentAllowed": .integer(request.commentAllowed),
                "payerData": request.payerData?.vectorValue ?? .null,
            ]
        },
        VectorRunner("lud-06", "pay-invoice") { input in
            let callback = try HTTPURL(input.text("callback"))
            let invoice = try PayInvoice(json: input.body(), from: callback)
            return [
                "pr": .string(invoice.pr),
                "verify": .text(invoice.verify?.text),
                "disposable": .bool(invoice.disposable),
                "successAction": invoice.successAction?.json ?? .null,
            ]
        },
        VectorRunner("lud-06", "callback") { input in
            try CallbackQuery(items: input.queryItems()).vectorValues
        },
        VectorRunner("lud-26", "callback") { input in
            try CallbackQuery(items: input.queryItems(), body: input.body()).vectorValues
        },
        VectorRunner("lud-06", "callback-url") { input in
            let query = CallbackQuery(
                amount: Millisatoshi(try input.unsigned("amount")),
                comment: try input.optionalText("comment"),
                payerData: try input.optionalText("payerData")
            )
            let callback = try HTTPURL(input.text("callback"))
            return ["url": .string(query.url(on: callback).text)]
        },
        VectorRunner("lud-09", "success-action") { input in
            let action = try SuccessAction(json: input.value("action"))
            try action.requireHost(of: HTTPURL(input.text("callback")))
            return ["action": action.json]
        },
        VectorRunner("lud-10", "seal") { input in
            let action = try EncryptedAction.seal(
                input.text("plaintext"),
                description: ActionText(""),
                preimage: Preimage(input.bytes("preimage")),
                initializationVector: input.bytes("iv")
            )
            let json = SuccessAction.aes(action).json
            return ["ciphertext": .text(json["ciphertext"]?.string), "iv": .text(json["iv"]?.string)]
        },
        VectorRunner("lud-10", "open") { input in
            let json: JSONValue = [
                "tag": "aes", "description": "", "ciphertext": try input.value("ciphertext"),
                "iv": try input.value("iv"),
            ]
            guard case .aes(let action) = try SuccessAction(json: json) else { throw InputFault(member: "ciphertext") }
            return ["plaintext": .string(try action.open(with: Preimage(input.bytes("preimage"))))]
        },
        VectorRunner("lud-12", "comment") { input in
            let comment = try input.text("comment")
            guard Comment.fits(comment, allowed: Int(clamping: try input.unsigned("commentAllowed"))) else {
                throw BrokenRule(rule: "comment-too-long")
            }
            return ["scalars": .integer(comment.unicodeScalars.count), "bytes": .integer(comment.utf8.count)]
        },
        VectorRunner("lud-16", "address") { input in
            let address = try LightningAddress(input.text("text"))
            return [
                "name": .string(address.name),
                "tag": .text(address.tag),
                "domain": .string(address.domain),
                "identifier": .string(address.identifier),
                "url": .string(address.payURL.text),
                "lnurl": .string(EncodedURL.encode(address.payURL, upper: true)),
            ]
        },
        VectorRunner("lud-16", "path-segment") { input in
            let recipient = try LocalPart(pathSegment: input.text("segment"))
            return ["name": .string(recipient.name.text), "tag": .text(recipient.tag)]
        },
        VectorRunner("lud-16", "tag") { input in
            let text = PayMetadata.adding(tag: try input.text("tag"), to: try input.text("metadata"))
            let metadata = try PayMetadata(parsing: text)
            return [
                "metadata": .string(text),
                "tag": .text(metadata.tag),
                "hash": .hexadecimal(metadata.hash),
            ]
        },
        VectorRunner("lud-17", "decode") { input in
            guard case .scheme(let scheme, let url) = try LNURLTarget(input.text("text")) else {
                throw InputFault(member: "text")
            }
            return ["tag": .string(scheme.tag), "url": .string(url.text)]
        },
        VectorRunner("lud-17", "encode") { input in
            let scheme = try input.parsed("tag") { tag in LNURLScheme.allCases.first { $0.tag == tag } }
            return ["text": .text(scheme.text(for: try HTTPURL(input.text("url"))))]
        },
        VectorRunner("lud-18", "payer-data") { input in
            let text = try input.optionalText("payerData")
            let data = try PayerData(parsing: text, against: input.asked())
            return [
                "name": .text(data.name),
                "pubkey": .text(data.pubkey?.hexadecimal),
                "identifier": .text(data.identifier),
                "email": .text(data.email),
                "key": .text(data.auth?.key.hexadecimal),
                "k1": .text(data.auth?.k1.hexadecimal),
            ]
        },
        VectorRunner("lud-18", "description-hash") { input in
            let hash = PayMetadata.descriptionHash(
                of: try input.text("metadata"),
                payerData: try input.optionalText("payerData")
            )
            return ["hash": .hexadecimal(hash)]
        },
        VectorRunner("lud-21", "verify") { input in
            try VerifyResponse(json: input.body()).vectorValues
        },
    ]
}

extension LNURLTarget {
    fileprivate var kind: String {
        switch self {
        case .address: "address"
        case .encoded: "bech32"
        case .scheme: "scheme"
        case .web: "url"
        case .bolt11: "bolt11"
        }
    }
}

extension PayerDataSpec {
    fileprivate var vectorValue: JSONValue {
        var asked = JSONObject()
        for field in Field.allCases {
            guard let requirement = self[field] else { continue }
            asked.append(field.rawValue, requirement == .mandatory ? "mandatory" : "optional")
        }
        return [
            "asked": .object(asked),
            "k1": .text(k1?.hexadecimal),
            "unknownMandatory": .array(unknownMandatory.map { .string($0) }),
        ]
    }
}

extension CallbackQuery {
    fileprivate var vectorValues: JSONObject {
        [
            "amount": .unsigned(amount.msat),
            "comment": .text(comment),
            "payerData": .text(payerData),
        ]
    }
}

extension VectorInput {
    /// `body`, a JSON text as in an HTTP message.
    func body() throws(InputFault) -> JSONValue { try parsed("body") { try JSONValue(parsing: $0) } }

    fileprivate func queryItems() throws(InputFault) -> [(name: String, value: String)] {
        try parsed("query") { try HTTPURL("https://example.com/?" + $0).queryItems }
    }

    /// `asked`: an object of field names, each `optional` or `mandatory`.
    fileprivate func asked() throws(InputFault) -> PayerDataSpec {
        guard let members = try value("asked").object?.members else { throw fault("asked") }
        var requirements: [PayerDataSpec.Field: PayerDataSpec.Requirement] = [:]
        for member in members {
            guard let field = PayerDataSpec.Field(rawValue: member.key) else { throw fault("asked") }
            requirements[field] = member.value.string == "mandatory" ? .mandatory : .optional
        }
        return PayerDataSpec(requirements)
    }
}

extension VerifyResponse {
    var vectorValues: JSONObject {
        ["settled": .bool(settled), "preimage": .text(preimage?.hexadecimal), "pr": .string(pr)]
    }
}
