import Bolt12
import LNURL
public import LightningCoding
import LightningCrypto
public import Receiving

extension Account {
    /// The account as the operator sees it.
    public func json(address: String) -> JSONValue {
        var object: JSONObject = [
            "name": .string(name.text),
            "address": .string(address),
            "version": .unsigned(version),
            "createdAt": .string(createdAt.iso8601),
        ]
        for member in settings.json.object?.members ?? [] { object.append(member.key, member.value) }
        return .object(object)
    }
}

extension IssuedInvoice {
    /// The invoice as the operator sees it. The preimage of a settled one is in it: the payer has it too.
    public func json(at now: UnixTime) -> JSONValue {
        var object: JSONObject = [
            "paymentHash": .string(paymentHash.hexadecimal),
            "account": .string(account.text),
            "backend": .string(backend.description),
            "state": .string(state(at: now).rawValue),
            "amount": .unsigned(amount.msat),
            "createdAt": .string(createdAt.iso8601),
            "expiresAt": .string(expiresAt.iso8601),
            "settledAt": settlement.map { .string($0.settledAt.iso8601) } ?? .null,
            "received": settlement.map { .unsigned($0.received.msat) } ?? .null,
            "preimage": settlement.map { .string($0.preimage.hexadecimal) } ?? .null,
        ]
        for member in origin.members { object.append(member.key, member.value) }
        object.append("bolt11", bolt11.map { .string($0) } ?? .null)
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
                JSONObject.Member(key: "tag", value: words.tag.map { .string($0) } ?? .null),
                JSONObject.Member(key: "comment", value: words.comment.map { .string($0) } ?? .null),
                JSONObject.Member(key: "payerData", value: words.payerData.map { .string($0) } ?? .null),
            ]
        case .bolt12(let offered):
            [
                JSONObject.Member(key: "origin", value: "bolt12"),
                JSONObject.Member(key: "offerID", value: .string(offered.offer.hexadecimal)),
                JSONObject.Member(key: "bolt12", value: offered.text.map { .string($0) } ?? .null),
                JSONObject.Member(key: "quantity", value: offered.quantity.map { .unsigned($0) } ?? .null),
                JSONObject.Member(key: "payerNote", value: offered.payerNote.map { .string($0) } ?? .null),
                JSONObject.Member(key: "payeeName", value: offered.name.map { .string($0) } ?? .null),
            ]
        }
    }
}
