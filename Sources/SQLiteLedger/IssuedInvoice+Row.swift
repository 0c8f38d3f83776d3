import Bolt12
import LNURL
import LightningCrypto
import Contracts
import SQLiteStorage

extension IssuedInvoice {
    /// The columns of `invoice` in the order of `init(_:)`.
    static let columns = "payment_hash, \(AccountID.text(in: "invoice")), \(others)"

    /// The columns after the account.
    private static let others = """
        backend, label, bolt11, amount, created_at, expires_at, \
        settled_at, received, preimage, origin, metadata_version, tag, comment, payer_data, \
        offer, bolt12, quantity, payer_note, payee_name
        """

    static let columnCount: Int32 = 21

    static let insertion = """
        INSERT INTO invoice (payment_hash, account, \(others))
        VALUES (
            ?1, \(AccountID.number("?2", "?3")),
            ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22
        )
        """

    /// The parameters of `insertion`.
    func values() throws(StorageFault) -> [Value] {
        [
            .blob(paymentHash.bytes), .text(account.name.text), .text(account.domain.text),
            .text(backend.description), .text(label), .text(bolt11 ?? ""), try .amount(amount), try .time(createdAt),
            try .time(expiresAt),
        ] + (try Self.values(of: settlement)) + (try Self.values(of: origin))
    }

    init(_ row: borrowing Row) throws(StorageFault) {
        self.init(
            paymentHash: try row.blob(0) { try PaymentHash($0) },
            account: try row.text(1) { try AccountID($0) },
            backend: try row.text(2) { BackendName($0) },
            label: try row.text(3),
            bolt11: try row.text(4).nonEmpty,
            amount: try row.amount(5),
            createdAt: try row.time(6),
            expiresAt: try row.time(7),
            origin: try Self.origin(in: row),
            settlement: try Self.settlement(in: row)
        )
    }

    private static func values(of settlement: RecordedSettlement?) throws(StorageFault) -> [Value] {
        guard let settlement else { return [.null, .null, .null] }
        return [
            try .time(settlement.settledAt), try .amount(settlement.received), .blob(settlement.preimage.bytes),
        ]
    }

    private static func settlement(in row: borrowing Row) throws(StorageFault) -> RecordedSettlement? {
        guard !row.isNull(8) else { return nil }
        return RecordedSettlement(
            settledAt: try row.time(8), received: try row.amount(9), preimage: try row.blob(10) { try Preimage($0) }
        )
    }

    private static func values(of origin: InvoiceOrigin) throws(StorageFault) -> [Value] {
        switch origin {
        case .lnurl(let words):
            [
                .text("lnurl"), try .unsigned(words.metadataVersion), .text(words.tag), .text(words.comment),
                .text(words.payerData), .null, .null, .null, .null, .null,
            ]
        case .bolt12(let offered):
            [
                .text("bolt12"), .null, .null, .null, .null,
                .blob(offered.offer.bytes), offered.invoice.map(Value.blob) ?? .null,
                .text(offered.quantity.map { String($0) }),
                .text(offered.payerNote), .text(offered.name),
            ]
        }
    }

    private static func origin(in row: borrowing Row) throws(StorageFault) -> InvoiceOrigin {
        switch try row.text(11) {
        case "lnurl":
            .lnurl(
                InvoiceOrigin.PayerWords(
                    metadataVersion: try row.unsigned(12),
                    tag: try row.optionalText(13),
                    comment: try row.optionalText(14),
                    payerData: try row.optionalText(15)
                )
            )
        case "bolt12":
            .bolt12(
                InvoiceOrigin.OfferedInvoice(
                    offer: try row.blob(16) { OfferID($0) },
                    invoice: row.isNull(17) ? nil : try row.blob(17),
                    quantity: try quantity(in: row),
                    payerNote: try row.optionalText(19),
                    name: try row.optionalText(20)
                )
            )
        default: throw row.unexpected(at: 11)
        }
    }

    private static func quantity(in row: borrowing Row) throws(StorageFault) -> UInt64? {
        guard let digits = try row.optionalText(18) else { return nil }
        guard let quantity = UInt64(digits) else { throw row.unexpected(at: 18) }
        return quantity
    }
}

extension String {
    /// The column predates invoices without a BOLT11 text and is NOT NULL.
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
