import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
import Registrations

extension VectorRunner {
    static let registration = [
        VectorRunner("registration", "breez-statements") { input in
            let operation = try input.parsed("operation") { BreezOperation(exactly: $0) }
            let body = try rethrowing(JSONValue(parsing: input.text("body")), as: StatementFault.body)
            let request = try BreezRequest(json: body)
            let statement = try BreezStatement(
                operation, request, by: input.text("key"), at: input.text("domain"),
                now: UnixTime(input.unsigned("now")))
            var values: JSONObject = ["statement": .string(operation.text(of: request))]
            values.append("name", .text(statement.name?.text))
            values.append("offer", .text(statement.offer))
            return values
        },
        VectorRunner("registration", "replies") { input in
            let inspection = ReplyInspection(network: .bitcoin, now: UnixTime(try input.unsigned("now")))
            let body = Array(try input.text("body").utf8)
            return try inspection.answer(in: body, to: input.question()).vectorValues
        },
    ]
}

extension VectorInput {
    fileprivate func question() throws -> DeviceQuestion {
        switch try text("question") {
        case "info": return .info(callback: try HTTPURL(text("callback")))
        case "invoice":
            let query = CallbackQuery(
                amount: Millisatoshi(try unsigned("amount")), nostr: try optionalText("nostr"))
            return .invoice(
                DeviceQuestion.InvoiceQuestion(
                    query, shown: try optionalUnsigned("shown").map(MetadataMark.init),
                    verifyTemplate: "https://pay.example.com/lnurlpay/alice/{payment_hash}"))
        case "verify": return .verify(try PaymentHash(bytes("hash")))
        case "request": return .invoiceRequest(try bytes("request"), offer: try text("offer"))
        default: throw fault("question")
        }
    }
}

extension DeviceAnswer {
    fileprivate var vectorValues: JSONObject {
        switch self {
        case .info(let request):
            [
                "minSendable": .unsigned(request.minSendable.msat), "maxSendable": .unsigned(request.maxSendable.msat),
                "metadata": .string(request.metadata), "commentAllowed": .integer(request.commentAllowed),
                "nostrPubkey": .hexadecimal(request.nostrKey?.bytes),
                "mark": .unsigned(MetadataMark(of: request.metadata).number),
            ]
        case .invoice(let invoice, _): ["pr": .string(invoice.pr), "verify": .text(invoice.verify?.text)]
        case .verify(let response): response.vectorValues
        case .offered(let invoice): ["invoice": .string(invoice.text)]
        }
    }
}
