import LNURL
import LightningCoding

extension VectorRunner {
    static let lud06 = [
        // Parses a metadata string and hashes it.
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
                "hash": .string(Hexadecimal.encode(metadata.hash)),
            ]
        },
        // Parses the first response of a service.
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
        // Parses the second response of a service.
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
        // Parses the query of a callback like a service.
        VectorRunner("lud-06", "callback") { input in
            try CallbackQuery(items: input.queryItems()).vectorValues
        },
        // Parses the body of a callback by POST, with the query of its URL.
        VectorRunner("lud-26", "callback") { input in
            try CallbackQuery(items: input.queryItems(), body: input.body()).vectorValues
        },
        // Builds the URL of a callback like a wallet.
        VectorRunner("lud-06", "callback-url") { input in
            let query = CallbackQuery(
                amount: Millisatoshi(try input.unsigned("amount")),
                comment: input.has("comment") ? try input.text("comment") : nil,
                payerData: input.has("payerData") ? try input.text("payerData") : nil
            )
            let callback = try HTTPURL(input.text("callback"))
            return ["url": .string(query.url(on: callback).text)]
        },
    ]
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
}
