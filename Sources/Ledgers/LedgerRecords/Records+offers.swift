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
    package func values() throws(LedgerFault) -> [StoredValue] {
        let most: StoredValue = if let maximumPayments { try .unsigned(maximumPayments) } else { .null }
        return [
            .blob(offer.id.bytes), .text(account.name.text), .text(account.domain.text), .text(origin.rawValue),
            .blob(offer.stream.bytes), most, try .time(createdAt), try .optionalTime(disabledAt),
            .optionalText(maker?.backend.description), .optionalBlob(maker?.nodeID.bytes),
            try .optionalTime(disabledAtNodeAt),
        ]
    }

    package init(_ row: some StoredRow) throws(LedgerFault) {
        self.init(
            offer: try row.blob("records") { try Offer(bytes: $0) },
            account: try row.text("account") { try AccountID($0) },
            origin: try row.text("origin") { Origin(rawValue: $0) },
            maker: try Maker(row),
            maximumPayments: try row.isNull("maximum_payments") ? nil : row.unsigned("maximum_payments"),
            createdAt: try row.time("created_at"),
            disabledAt: try row.optionalTime("disabled_at"),
            disabledAtNodeAt: try row.optionalTime("disabled_at_node_at"))
    }
}

extension IssuedOffer.Maker {
    fileprivate init?(_ row: some StoredRow) throws(LedgerFault) {
        guard try !row.isNull("backend"), try !row.isNull("node_id") else { return nil }
        self.init(
            backend: try row.text("backend") { BackendName($0) }, nodeID: try row.blob("node_id") { try PublicKey($0) })
    }
}
