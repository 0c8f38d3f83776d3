import Bolt12
import LNURL
public import LightningCoding
import LightningCrypto
public import Contracts

extension IssuedInvoice {
    /// The invoice as the operator sees it, including the preimage once settled, which the payer has too.
    public func json(at now: UnixTime) -> JSONValue {
        var object: JSONObject = [
            "paymentHash": .string(paymentHash.hexadecimal),
            "account": .string(account.name.text),
            "domain": .string(account.domain.text),
            "backend": .string(backend.description),
            "state": .string(state(at: now).rawValue),
            "amount": .unsigned(amount.msat),
            "createdAt": .string(createdAt.iso8601),
            "expiresAt": .string(expiresAt.iso8601),
            "settledAt": .text(settlement?.settledAt.iso8601),
            "received": .number(settlement?.received.msat),
            "preimage": .text(settlement?.preimage.hexadecimal),
        ]
        for member in origin.members { object.append(member.key, member.value) }
        object.append("bolt11", .text(bolt11))
        return .object(object)
    }
}

extension InvoiceOrigin {
    fileprivate var members: [JSONObject.Member] {
        switch self {
        case .lnurl(let words):
            [
                JSONObject.Member(key: "origin", value: "lnurl"),
                JSONObject.Member(key: "metadataVersion", value: .unsigned(words.metadataVersion)),
                JSONObject.Member(key: "tag", value: .text(words.tag)),
                JSONObject.Member(key: "comment", value: .text(words.comment)),
                JSONObject.Member(key: "payerData", value: .text(words.payerData)),
            ]
        case .bolt12(let offered):
            [
                JSONObject.Member(key: "origin", value: "bolt12"),
                JSONObject.Member(key: "offerID", value: .string(offered.offer.hexadecimal)),
                JSONObject.Member(key: "bolt12", value: .text(offered.text)),
                JSONObject.Member(key: "quantity", value: .number(offered.quantity)),
                JSONObject.Member(key: "payerNote", value: .text(offered.payerNote)),
                JSONObject.Member(key: "payeeName", value: .text(offered.name)),
            ]
        }
    }
}
