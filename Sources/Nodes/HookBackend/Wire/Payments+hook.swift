import Bolt12
import LightningCoding
import LightningCrypto
import ResponderModel

extension ReceiveLimits {
    init(_ answer: NodeAnswer) throws(BackendFault) {
        let limits = ReceiveLimits(minimum: try answer.amount("minimum"), maximum: try answer.amount("maximum"))
        guard let limits else { throw answer.fault("minimum") }
        self = limits
    }
}

extension InvoiceOrder {
    var parameters: JSONObject {
        let (text, hash): (String, JSONValue) =
            switch description {
            case .text(let text): (text, .null)
            case .hashed(let text): (text, .string(Hexadecimal.encode(SHA256.hash(Array(text.utf8)))))
            }
        return [
            "amount": .unsigned(amount.msat), "description": .string(text), "descriptionHash": hash,
            "expiry": .unsigned(expiry), "label": .string(label),
            "preimage": .text(preimage?.hexadecimal),
        ]
    }
}

extension BackendInvoice {
    init(_ answer: NodeAnswer) throws(BackendFault) {
        self.init(
            bolt11: try answer.text("bolt11"),
            paymentHash: try answer.parsed("paymentHash") { try PaymentHash(hexadecimal: $0) }
        )
    }
}

extension NodeAnswer {
    /// The state of a payment; nil when the hook does not know it.
    func status() throws(BackendFault) -> PaymentStatus? {
        switch ExactText(try text("status")) {
        case "unknown": nil
        case "open": .open
        case "expired", "canceled": .closed
        case "settled":
            .settled(
                at: try time("settledAt"), received: try amount("received"),
                preimage: try parsed("preimage") { try Preimage(Hexadecimal.decode($0)) }
            )
        default: throw fault("status")
        }
    }

    func offer() throws(BackendFault) -> Offer {
        try parsed("offer") { try Offer($0) }
    }
}

extension Settlement {
    init(_ answer: NodeAnswer) throws(BackendFault) {
        let paymentHash = try answer.parsed("paymentHash") { try PaymentHash(hexadecimal: $0) }
        self.init(
            paymentHash: paymentHash,
            preimage: try answer.parsed("preimage") { try Preimage(Hexadecimal.decode($0)) },
            received: try answer.amount("received"),
            settledAt: try answer.time("settledAt"),
            cursor: SettlementCursor(try answer.text("cursor")),
            offered: try Self.offered(answer, by: paymentHash)
        )
    }

    private static func offered(
        _ answer: NodeAnswer, by paymentHash: PaymentHash
    ) throws(BackendFault) -> OfferedPayment? {
        guard let offer = try answer.optional("offerID", { OfferID(try Hexadecimal.decode($0)) }) else { return nil }
        return OfferedPayment(
            offer: offer,
            payment: paymentHash,
            bolt12: try? answer.text("bolt12"),
            payerNote: try answer.optionalText("payerNote")
        )
    }
}

extension OfferOrder {
    var parameters: JSONObject {
        [
            "label": .string(label), "description": .string(description),
            "amount": .number(amount?.msat), "issuer": .text(issuer),
            "quantityMax": .number(quantityMax),
            "absoluteExpiry": .number(absoluteExpiry?.seconds),
        ]
    }
}

extension BackendEvent {
    var parameters: JSONObject {
        switch self {
        case .swapUpdated(let id, let status):
            ["event": "swap.updated", "id": .string(id), "status": .string(status.description)]
        case .addressTransactionsConfirmed(let address):
            ["event": "address.confirmed", "address": .string(address)]
        case .transactionConfirmed(let id): ["event": "transaction.confirmed", "id": .string(id)]
        }
    }
}
