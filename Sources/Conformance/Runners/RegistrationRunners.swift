import Bolt12
import Contracts
import LNURL
import LightningCoding
import LightningCrypto
import Registrations

extension VectorRunner {
    static let registration = [
        // Checks what a wallet has signed for breez-lnurl.
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
            return values.adding(statement.claim)
        },
        // Checks what a wallet has signed for Spark's server.
        VectorRunner("registration", "spark-statements") { input in
            let statement = try input.sparkStatement()
            let key = try SparkStatement.key(try input.text("key"))
            let (domain, time) = (try input.text("domain"), try input.unsigned("time"))
            let claim = try statement.claim(
                signed: input.text("signature"), by: key, at: domain, time: time, now: UnixTime(input.unsigned("now")))
            let text = statement.text(by: key, at: domain, time: time)
            let values: JSONObject = ["statement": .string(text)]
            return values.adding(claim)
        },
        // Checks the reply of a device.
        VectorRunner("registration", "replies") { input in
            let inspection = ReplyInspection(network: .bitcoin, now: UnixTime(try input.unsigned("now")))
            let body = Array(try input.text("body").utf8)
            return try inspection.answer(in: body, to: input.question()).vectorValues
        },
    ]
}

extension JSONObject {
    fileprivate func adding(_ claim: StatementClaim) -> JSONObject {
        var values = self
        values.append("claim", .hexadecimal(claim.digest))
        values.append("expires", .unsigned(claim.expiresAt.seconds))
        return values
    }
}

extension VectorInput {
    fileprivate func sparkStatement() throws -> SparkStatement {
        let name = try optionalText("name").map { try SparkStatement.name($0) }
        let description = try optionalText("description").map { try SparkStatement.description($0) }
        let other = try optionalText("other").map { try SparkStatement.key($0) }
        switch (try text("operation"), name, description, other) {
        case ("register", let name?, let description?, nil): return .register(name, description: description)
        case ("unregister", let name?, nil, nil): return .unregister(name)
        case ("recover", nil, nil, nil): return .recover
        case ("available", let name?, nil, nil): return .available(name)
        case ("transfer-from", let name?, nil, let other?): return .transferFrom(name, to: other)
        case ("transfer-to", let name?, let description?, let other?):
            return .transferTo(name, from: other, description: description)
        default: throw fault("operation")
        }
    }

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
        case .invoice(let invoice): ["pr": .string(invoice.pr), "verify": .text(invoice.verify?.text)]
        case .verify(let response):
            [
                "settled": .bool(response.settled), "preimage": .text(response.preimage?.hexadecimal),
                "pr": .string(response.pr),
            ]
        case .offered(let invoice): ["invoice": .string(invoice.text)]
        }
    }
}
