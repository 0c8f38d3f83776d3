import ServiceSetup
import LightningCoding
import ResponderCore
import ResponderModel

struct Report {
    let handled: NotificationResult
    let texts: NotificationTexts

    private var delivery: DeliveryReport? { handled.delivery }

    /// The exit status; nil for success.
    var status: ExitStatus? {
        switch (handled.answer, delivery?.outcome) {
        // Posted, or printed: an error reply means that the request was not fulfilled.
        case (.reply(let reply), .taken?), (.reply(let reply), nil): reply.isError ? .no : nil
        case (.none, .taken?): nil
        case (_, .uncertain?): .uncertain
        case (_, .refused(let status)?): DeliveryOutcome.transientStatuses.contains(status) ? .unavailable : .no
        case (_, .forbidden?): .no
        case (_, .unreachable?), (_, .outOfTime?), (_, .overloaded?): .unavailable
        case (.none(.notAsked), nil), (.none(.ignored), nil): handled.record.outcome == .failed ? .unavailable : nil
        case (.none(.refused), nil): .no
        case (.none(.unknownType), nil), (.none(.undecipherable), nil): .data
        case (.none(.transient), nil), (.none(.outOfTime), nil): .unavailable
        }
    }

    var json: JSONValue {
        var object = handled.record.json
        object["reply"] = reply
        if let delivery {
            object["delivery"] = [
                "outcome": .string(delivery.outcome.reason), "attempts": .integer(delivery.attempts),
                "milliseconds": .unsigned(delivery.milliseconds),
            ]
        }
        let isTaken = delivery.map { $0.outcome == .taken } ?? true
        object["text"] = (isTaken ? texts.text(of: handled) : texts.failureText(of: handled))?.json ?? .null
        return .object(object)
    }

    var text: String {
        var lines = [String(handled.record.line.dropLast())]
        if delivery == nil, let reply = handled.reply { lines.append(String(decoding: reply.body, as: UTF8.self)) }
        if let delivery {
            lines.append(
                "reply: \(delivery.outcome.reason), \(delivery.attempts) attempts, \(delivery.milliseconds) ms")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var reply: JSONValue {
        guard let reply = handled.reply else { return .null }
        return [
            "body": reply.json,
            "maxAge": .number(reply.maxAge),
        ]
    }
}

extension NotificationText {
    fileprivate var json: JSONValue {
        [
            "title": .string(title), "body": .text(body),
            "isReplaceable": .bool(lifetime == .replaceable),
        ]
    }
}
