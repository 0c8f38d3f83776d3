import LNURL
package import LightningCoding
import LightningCrypto
package import ResponderModel

extension EventRecord {
    package var json: JSONObject {
        [
            "receivedAt": .string(receivedAt.iso8601), "account": .string(account.name.text),
            "domain": .string(account.domain.text), "type": .string(type),
            "envelope": .string(envelope), "outcome": .string(outcome.rawValue),
            "delivery": .text(delivery?.rawValue),
            "paymentHash": .text(paymentHash?.hexadecimal), "payload": .string(payload),
            "answer": .text(answer),
            "steps": .array(
                steps.map { ["name": .string($0.name), "milliseconds": .unsigned($0.milliseconds)] }),
        ]
    }

    package var line: String {
        let reply = delivery.map { ", reply \($0.rawValue)" } ?? ""
        let payment = paymentHash.map { "  \($0.hexadecimal)" } ?? ""
        let time = steps.map { "\($0.name) \($0.milliseconds) ms" }.joined(separator: ", ")
        return
            "\(receivedAt.iso8601)  \(account)  \(type.printable)  \(outcome.rawValue)\(reply)  (\(time))\(payment)\n"
    }
}
