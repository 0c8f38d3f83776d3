import LNURL
import LightningCoding
import LightningCrypto
package import ResponderModel

extension EventRecord {
    /// The columns of `event` in the order of `init(_:)`.
    package static let columns = "received_at, \(AccountID.text(in: "event")), \(others)"

    /// The columns after the account, in the order of `values`.
    package static let others = "type, envelope, payload, outcome, answer, payment_hash, steps, delivery"

    /// When it was received, the account's name and domain, and the other columns.
    package func values() throws(LedgerFault) -> [StoredValue] {
        [
            try .time(receivedAt), .text(account.name.text), .text(account.domain.text), .text(type), .text(envelope),
            .text(payload), .text(outcome.rawValue), .optionalText(answer), .optionalBlob(paymentHash?.bytes),
            .text(JSONValue.array(steps.map(\.json)).serialized()), .optionalText(delivery?.rawValue),
        ]
    }

    package init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            receivedAt: try row.time("received_at"),
            account: try row.text("account") { try AccountID($0) },
            type: try row.text("type"),
            envelope: try row.text("envelope"),
            payload: try row.text("payload"),
            outcome: try row.text("outcome") { Outcome(rawValue: $0) },
            answer: try row.optionalText("answer"),
            paymentHash: try row.optionalBlob("payment_hash") { try PaymentHash($0) },
            steps: try row.text("steps") { try JSONValue(parsing: $0).array?.map(Step.init(json:)) },
            delivery: try row.optionalText("delivery") { Delivery(rawValue: $0) })
    }
}

extension EventRecord.Step {
    /// A step as `["answer", 12]`.
    fileprivate var json: JSONValue { [.string(name), .unsigned(milliseconds)] }

    fileprivate init(json: JSONValue) throws(EventRowFault) {
        guard let parts = json.array, parts.count == 2, let name = parts[0].string, let time = parts[1].uint64 else {
            throw .step
        }
        self.init(name, milliseconds: time)
    }
}

private enum EventRowFault: Error {
    case step
}
