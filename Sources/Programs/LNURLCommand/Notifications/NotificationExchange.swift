import Bolt12
import LNURL
import LightningCoding
import OutboundHTTP

struct NotificationExchange {
    let type: String
    let notification: JSONValue
    let response: HTTPResponse
    var reply: ReceivedReply?
    var milliseconds: UInt64?

    var unanswered: Outcome {
        var outcome = Outcome()
        outcome.json = json
        outcome.page.add(title: "\(type) was accepted")
        outcome.page.add("webhook", "HTTP \(response.status)")
        return outcome
    }

    func judged(as asked: Notify, at now: UnixTime) throws(ToolFault) -> Outcome {
        let reply = if let reply { reply } else { try responseAsReply() }
        guard asked.kind != .other || !reply.body.isEmpty else { throw .notAnswered }
        let answer = try rethrowing(JSONValue(parsing: reply.body), as: ToolFault.replyNotJSON)
        var outcome = Outcome()
        outcome.json = json
        outcome.json.append("reply", answer)
        outcome.json.append("cacheControl", .text(reply.cacheControl))
        outcome.json.append("milliseconds", .number(milliseconds))
        let took = milliseconds.map { ", after \($0) ms" } ?? ""
        let checks: [Check]
        if let reason = Self.refusal(in: answer, to: asked.kind) {
            outcome.status = .refused
            outcome.page.add(title: "\(type) is answered with an error\(took)")
            outcome.page.add("reason", reason)
            outcome.json.append("reason", .string(reason))
            checks = reply.cacheControl == nil ? [] : [.failed("lifetime", "an error must not be cached")]
        } else {
            outcome.page.add(title: "\(type) is answered\(took)")
            checks =
                asked.kind == .invoiceRequest
                ? try Self.checks(of: answer, against: asked.fields.request(), at: now)
                : ReplyChecks(reply: reply, json: answer, asked: asked, now: now).all
        }
        if checks.haveFailed { outcome.status = .brokenRule }
        outcome.page.add("webhook", "HTTP \(response.status)")
        outcome.page.add("Cache-Control", reply.cacheControl)
        outcome.page.add(checks)
        outcome.page.add("")
        outcome.page.add("reply", answer.serialized())
        outcome.json.append("checks", checks.json)
        return outcome
    }

    private var json: JSONObject {
        ["type": .string(type), "notification": notification, "httpStatus": .integer(response.status)]
    }

    private func responseAsReply() throws(ToolFault) -> ReceivedReply {
        guard 200...299 ~= response.status else { try response.refuse() }
        return ReceivedReply(
            contentType: response.headers.first(named: "Content-Type"), cacheControl: nil, body: response.body)
    }

    /// The reason in an error of the correct family; an error of the other family is judged like an answer, and fails.
    private static func refusal(in answer: JSONValue, to kind: NotificationKind) -> String? {
        switch kind {
        case .invoiceRequest: answer["error"]?.string
        case .other:
            ErrorResponse(json: answer)?.reason
                ?? answer["error"].flatMap { $0.isNull ? nil : $0.string ?? $0.serialized() }
        default: ErrorResponse(json: answer)?.reason
        }
    }

    private static func checks(of answer: JSONValue, against request: InvoiceRequest?, at now: UnixTime) -> [Check] {
        guard let text = answer["invoice"]?.string else { return [.failed("reply", "neither an invoice nor an error")] }
        do throws(InvoiceFault) {
            let invoice = try Bolt12Invoice(text)
            guard let request else { return [.warning("invoice", "no request to compare it with")] }
            return PayerChecks(invoice: invoice, request: request, now: now).all
        } catch {
            return [.failed("invoice", error.reason)]
        }
    }
}

extension HTTPResponse {
    /// Throws what a webhook's response other than 200 says: a temporary failure, or a refusal with its reason.
    func refuse() throws(ToolFault) -> Never {
        try refuseTemporaryFailure()
        let json = try? JSONValue(parsing: body)
        throw .refused(reason: json?["error"]?.string ?? json?["reason"]?.string ?? "", status: status)
    }
}
