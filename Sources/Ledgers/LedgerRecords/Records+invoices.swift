import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
package import ResponderModel

extension IssuedInvoice {
    /// The columns of `invoice` in the order of `init(_:)`.
    package static let columns = "payment_hash, \(AccountID.text(in: "invoice")), \(others)"

    /// The columns after the account, in the order of `values`.
    package static let others = """
        backend, label, bolt11, amount, created_at, expires_at, \
        settled_at, received, preimage, origin, metadata_version, tag, comment, payer_data, \
        offer, bolt12, quantity, payer_note, payee_name
        """

    /// How many columns `init(_:)` reads.
    package static let columnCount: Int32 = 21

    /// The payment hash, the account's name and domain, and the other columns.
    package func values<Value: StoredValue>() throws(Value.Fault) -> [Value] {
        [
            .blob(paymentHash.bytes), .text(account.name.text), .text(account.domain.text),
            .text(backend.description), .text(label), .text(bolt11 ?? ""), try .amount(amount), try .time(createdAt),
            try .time(expiresAt),
        ] + (try Self.values(of: settlement)) + (try Self.values(of: origin))
    }

    package init<Row: StoredRow & ~Copyable>(_ row: borrowing Row) throws(Row.Fault) {
        let bolt11 = try row.text(4)
        self.init(
            paymentHash: try row.blob(0) { try PaymentHash($0) },
            account: try row.text(1) { try AccountID($0) },
            backend: try row.text(2) { BackendName($0) },
            label: try row.text(3),
            // The column is not null, and empty where there is no BOLT11 text.
            bolt11: bolt11.isEmpty ? nil : bolt11,
            amount: try row.amount(5),
            createdAt: try row.time(6),
            expiresAt: try row.time(7),
            origin: try Self.origin(in: row),
            settlement: try Self.settlement(in: row))
    }

    private static func values<Value: StoredValue>(
        of settlement: RecordedSettlement?
    ) throws(Value.Fault) -> [Value] {
        guard let settlement else { return [.null, .null, .null] }
        return try settlement.values()
    }

    private static func settlement<Row: StoredRow & ~Copyable>(
        in row: borrowing Row
    ) throws(Row.Fault) -> RecordedSettlement? {
        guard !row.isNull(8) else { return nil }
        return RecordedSettlement(
            settledAt: try row.time(8), received: try row.amount(9), preimage: try row.blob(10) { try Preimage($0) })
    }

    private static func values<Value: StoredValue>(of origin: InvoiceOrigin) throws(Value.Fault) -> [Value] {
        switch origin {
        case .lnurl(let words):
            [
                .text("lnurl"), try .unsigned(words.metadataVersion), .optionalText(words.tag),
                .optionalText(words.comment), .optionalText(words.payerData), .null, .null, .null, .null, .null,
            ]
        case .bolt12(let offered):
            [
                .text("bolt12"), .null, .null, .null, .null,
                .blob(offered.offer.bytes), .optionalBlob(offered.invoice),
                .optionalText(offered.quantity.map { String($0) }),
                .optionalText(offered.payerNote), .optionalText(offered.name),
            ]
        }
    }

    private static func origin<Row: StoredRow & ~Copyable>(in row: borrowing Row) throws(Row.Fault) -> InvoiceOrigin {
        switch try row.text(11) {
        case "lnurl":
            .lnurl(
                InvoiceOrigin.PayerWords(
                    metadataVersion: try row.unsigned(12), tag: try row.optionalText(13),
                    comment: try row.optionalText(14), payerData: try row.optionalText(15)))
        case "bolt12":
            .bolt12(
                InvoiceOrigin.OfferedInvoice(
                    offer: try row.blob(16) { OfferID($0) }, invoice: try row.optionalBlob(17),
                    quantity: try row.isNull(18) ? nil : row.text(18) { UInt64($0) },
                    payerNote: try row.optionalText(19), name: try row.optionalText(20)))
        default: throw row.unexpected(at: 11)
        }
    }
}

extension RecordedSettlement {
    /// When it was settled, what was received, and the preimage.
    package func values<Value: StoredValue>() throws(Value.Fault) -> [Value] {
        [try .time(settledAt), try .amount(received), .blob(preimage.bytes)]
    }

    /// The stored part of a settlement that a node reports.
    package init(_ settlement: Settlement) {
        self.init(
            settledAt: settlement.settledAt, received: settlement.received, preimage: settlement.preimage)
    }
}

extension IssuedInvoice {
    /// The known part of an invoice that a node issued itself, for its own offer.
    package init(
        _ settlement: Settlement, by offered: OfferedPayment, for account: AccountID, from backend: BackendName
    ) {
        let invoice = offered.invoice
        let words = invoice?.fields.request
        // Whoever pays chooses its bytes, and the node need not have checked them.
        let name = words?.bip353Name.flatMap { $0.isValid ? $0.description : nil }
        self.init(
            paymentHash: settlement.paymentHash,
            account: account,
            backend: backend,
            label: settlement.paymentHash.hexadecimal,
            bolt11: nil,
            amount: invoice?.amount ?? settlement.received,
            createdAt: invoice?.createdAt ?? settlement.settledAt,
            expiresAt: (invoice?.expiresAt ?? settlement.settledAt).adding(seconds: 1),
            origin: .bolt12(
                .init(
                    offer: offered.offer, invoice: invoice?.stream.bytes, quantity: words?.quantity,
                    payerNote: offered.payerNote, name: name)),
            settlement: RecordedSettlement(settlement))
    }
}
