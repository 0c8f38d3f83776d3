import LightningCoding
import LightningCrypto
import LedgerRecords
import ResponderModel
import SQLiteLedger

/// An invoice of the embedded node, and its state.
struct NodeInvoice: Sendable {
    let id: Int64
    let preimage: Preimage
    let amount: Millisatoshi
    let expiresAt: UnixTime
    let isCanceled: Bool
    let payment: Payment?

    struct Payment: Sendable {
        let settledAt: UnixTime
        let received: Millisatoshi
    }

    /// Its state at a moment. A paid invoice stays paid; others can be paid until they expire or are canceled.
    func status(at now: UnixTime) -> PaymentStatus {
        if let payment { return .settled(at: payment.settledAt, received: payment.received, preimage: preimage) }
        return isCanceled || now >= expiresAt ? .closed : .open
    }

    /// Whether a payment of that amount is accepted: the invoice's amount, up to twice as much (BOLT 4).
    func accepts(_ received: Millisatoshi) -> Bool {
        guard received >= amount else { return false }
        let (twice, overflow) = amount.msat.multipliedReportingOverflow(by: 2)
        return overflow || received.msat <= twice
    }
}

struct NewNodeInvoice: Sendable {
    fileprivate let values: [StoredValue]

    init(preimage: Preimage, label: String, amount: Millisatoshi, expiresAt: UnixTime) {
        values = [
            .blob(preimage.paymentHash.bytes), .blob(preimage.bytes), .text(label), .integer(amount),
            .integer(expiresAt),
        ]
    }
}

extension Connection {
    /// Adds an invoice; throws when its hash is known.
    func add(_ invoice: NewNodeInvoice) throws(LedgerFault) {
        try run(Self.insertion, invoice.values)
    }

    /// Adds an invoice, unless it is known.
    func addIfMissing(_ invoice: NewNodeInvoice) throws(LedgerFault) {
        try run(Self.insertion + " ON CONFLICT (payment_hash) DO NOTHING", invoice.values)
    }

    private static let insertion =
        "INSERT INTO node_invoice (payment_hash, preimage, label, amount, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)"

    func nodeInvoice(_ paymentHash: PaymentHash) throws(LedgerFault) -> NodeInvoice? {
        try first(
            """
            SELECT node_invoice.id, preimage, amount, expires_at, is_canceled, settled_at, received
            FROM node_invoice LEFT JOIN node_settlement ON node_settlement.invoice = node_invoice.id
            WHERE payment_hash = ?1
            """,
            [.blob(paymentHash.bytes)]
        ) { row throws(LedgerFault) in
            NodeInvoice(
                id: try row.integer("id"),
                preimage: try row.blob("preimage") { try Preimage($0) },
                amount: try row.amount("amount"),
                expiresAt: try row.time("expires_at"),
                isCanceled: try row.integer("is_canceled") != 0,
                payment: try row.isNull("settled_at")
                    ? nil : NodeInvoice.Payment(settledAt: row.time("settled_at"), received: row.amount("received"))
            )
        }
    }
}

extension StoredValue {
    /// A time after the year 9999 is as good as any other.
    static func integer(_ time: UnixTime) -> StoredValue { .integer(Int64(clamping: time.seconds)) }

    /// No amount of this node is above all bitcoin.
    static func integer(_ amount: Millisatoshi) -> StoredValue { .integer(Int64(clamping: amount.msat)) }
}
