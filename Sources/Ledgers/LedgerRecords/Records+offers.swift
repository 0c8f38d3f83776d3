import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
package import ResponderModel

extension IssuedOffer {
    /// The columns of `offer` in the order of `init(_:)`.
    package static let columns = "\(AccountID.text(in: "offer")), \(others)"

    /// The columns after the account, in the order of `values`.
    package static let others = """
        origin, records, maximum_payments, created_at, disabled_at, backend, node_id, disabled_at_node_at
        """

    /// The id, the account's name and domain, and the other columns.
    package func values<Value: StoredValue>() throws(Value.Fault) -> [Value] {
        let most: Value = if let maximumPayments { try .unsigned(maximumPayments) } else { .null }
        return [
            .blob(offer.id.bytes), .text(account.name.text), .text(account.domain.text), .text(origin.rawValue),
            .blob(offer.stream.bytes), most, try .time(createdAt), try .optionalTime(disabledAt),
            .optionalText(maker?.backend.description), .optionalBlob(maker?.nodeID.bytes),
            try .optionalTime(disabledAtNodeAt),
        ]
    }

    package init<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        self.init(
            offer: try row.blob(2) { try Offer(bytes: $0) },
            account: try row.text(0) { try AccountID($0) },
            origin: try row.text(1) { Origin(rawValue: $0) },
            maker: try Maker(row),
            maximumPayments: row.isNull(3) ? nil : try row.unsigned(3),
            createdAt: try row.time(4),
            disabledAt: try row.optionalTime(5),
            disabledAtNodeAt: try row.optionalTime(8))
    }
}

extension IssuedOffer.Maker {
    fileprivate init?<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        guard !row.isNull(6), !row.isNull(7) else { return nil }
        self.init(backend: try row.text(6) { BackendName($0) }, nodeID: try row.blob(7) { try PublicKey($0) })
    }
}
