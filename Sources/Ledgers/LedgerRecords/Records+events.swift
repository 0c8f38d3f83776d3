import LNURL
import LightningCoding
import LightningCrypto
package import ResponderModel

extension EventRecord {
    /// The columns of `event` in the order of `init(_:)`.
    package static let columns = "received_at, \(AccountID.text(in: "event")), \(others)"

    /// The columns after the account, in the order of `values`.
    package static let others = "type, envelope, payload, outcome, answer, payment_hash, steps, delivery"

    /// How many columns `init(_:)` reads.
    package static let columnCount: Int32 = 10

    /// When it was received, the account's name and domain, and the other columns.
    package func values<Value: StoredValue>() throws(Value.Fault) -> [Value] {
        [
            try .time(receivedAt), .text(account.name.text), .text(account.domain.text), .text(type), .text(envelope),
            .text(payload), .text(outcome.rawValue), .optionalText(answer), .optionalBlob(paymentHash?.bytes),
            .text(JSONValue.array(steps.map(\.json)).serialized()), .optionalText(delivery?.rawValue),
        ]
    }

    package init<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        self.init(
            receivedAt: try row.time(0),
            account: try row.text(1) { try AccountID($0) },
            type: try row.text(2),
            envelope: try row.text(3),
            payload: try row.text(4),
            outcome: try row.text(5) { Outcome(rawValue: $0) },
            answer: try row.optionalText(6),
            paymentHash: try row.isNull(7) ? nil : row.blob(7) { try PaymentHash($0) },
            steps: try row.text(8) { try JSONValue(parsing: $0).array?.map(Step.init(json:)) },
            delivery: try row.isNull(9) ? nil : row.text(9) { Delivery(rawValue: $0) })
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

/// Why a row of the event log cannot be read.
private enum EventRowFault: Error {
    case step
}
