import LNURL
import LightningCoding

/// Parses a metadata string and hashes it.
struct MetadataRunner: LUDRunner {
    static let standard = "lud-06"
    static let subject = "metadata"

    func run(_ input: VectorInput) throws -> JSONObject {
        let metadata = try PayMetadata(parsing: input.string("metadata"))
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
    }
}

/// Parses the first response of a service.
struct PayRequestRunner: LUDRunner {
    static let standard = "lud-06"
    static let subject = "pay-request"

    func run(_ input: VectorInput) throws -> JSONObject {
        let request = try PayRequest(json: input.body())
        return [
            "callback": .string(request.callback.text),
            "minSendable": .unsigned(request.minSendable.msat),
            "maxSendable": .unsigned(request.maxSendable.msat),
            "metadata": .string(request.metadata),
            "commentAllowed": .integer(request.commentAllowed),
            "payerData": request.payerData?.vectorValue ?? .null,
        ]
    }
}

/// Parses the second response of a service.
struct PayInvoiceRunner: LUDRunner {
    static let standard = "lud-06"
    static let subject = "pay-invoice"

    func run(_ input: VectorInput) throws -> JSONObject {
        let callback = try HTTPURL(input.string("callback"))
        let invoice = try PayInvoice(json: input.body(), from: callback)
        return [
            "pr": .string(invoice.pr),
            "verify": .text(invoice.verify?.text),
            "disposable": .bool(invoice.disposable),
            "successAction": invoice.successAction?.json ?? .null,
        ]
    }
}

/// Parses the query of a callback like a service.
struct CallbackRunner: LUDRunner {
    static let standard = "lud-06"
    static let subject = "callback"

    func run(_ input: VectorInput) throws -> JSONObject {
        try CallbackQuery(items: input.queryItems()).vectorValues
    }
}

/// Parses the body of a callback by POST, with the query of its URL.
struct PostCallbackRunner: LUDRunner {
    static let standard = "lud-26"
    static let subject = "callback"

    func run(_ input: VectorInput) throws -> JSONObject {
        try CallbackQuery(items: input.queryItems(), body: input.body()).vectorValues
    }
}

/// Builds the URL of a callback like a wallet.
struct CallbackURLRunner: LUDRunner {
    static let standard = "lud-06"
    static let subject = "callback-url"

    func run(_ input: VectorInput) throws -> JSONObject {
        let query = CallbackQuery(
            amount: Millisatoshi(try input.unsigned("amount")),
            comment: input.has("comment") ? try input.string("comment") : nil,
            payerData: input.has("payerData") ? try input.string("payerData") : nil
        )
        let callback = try HTTPURL(input.string("callback"))
        return ["url": .string(query.url(on: callback).text)]
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
    func body() throws -> JSONValue {
        do {
            return try JSONValue(parsing: string("body"))
        } catch is JSONFault {
            throw Fault(member: "body")
        }
    }

    fileprivate func queryItems() throws -> [(name: String, value: String)] {
        do {
            return try HTTPURL("https://example.com/?" + string("query")).queryItems
        } catch is URLFault {
            throw Fault(member: "query")
        }
    }
}
