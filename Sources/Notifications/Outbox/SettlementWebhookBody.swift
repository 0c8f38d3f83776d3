import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
import Contracts

extension IssuedInvoice {
    /// The body that reports a payment to an operator; nil when there is none yet. It contains neither the preimage,
    /// which is the payer's proof, nor payer data (LUD-18).
    func settlementWebhookBody() -> [UInt8]? {
        guard let settlement else { return nil }
        var data: JSONObject = [
            "account": .string(account.name.text),
            "domain": .string(account.domain.text),
            "paymentHash": .string(paymentHash.hexadecimal),
            "amount": .unsigned(amount.msat),
            "received": .unsigned(settlement.received.msat),
            "settledAt": .string(settlement.settledAt.iso8601),
            "backend": .string(backend.description),
        ]
        switch origin {
        case .lnurl(let words):
            data["kind"] = "lnurl"
            data["tag"] = words.tag.map(JSONValue.string)
            data["comment"] = words.comment.map(JSONValue.string)
        case .bolt12(let offered):
            data["kind"] = "bolt12"
            data["offerID"] = .string(offered.offer.hexadecimal)
            data["quantity"] = offered.quantity.map(JSONValue.unsigned)
            data["payerNote"] = offered.payerNote.map(JSONValue.string)
            data["payeeName"] = offered.name.map(JSONValue.string)
        }
        let body: JSONObject = [
            "type": "payment.received", "timestamp": .string(settlement.settledAt.iso8601), "data": .object(data),
        ]
        return JSONValue.object(body).serializedBytes()
    }
}
