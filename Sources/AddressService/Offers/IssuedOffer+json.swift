import Bolt12
import LNURL
public import LightningCoding
import LightningCrypto
public import Receiving

extension IssuedOffer {
    /// The offer as the operator sees it. The amount is in msat, or in the smallest unit of `currency`.
    public func json(at now: UnixTime, _ reach: OfferReach) -> JSONValue {
        [
            "id": .string(offer.id.hexadecimal),
            "offer": .string(offer.text),
            "account": .string(account.text),
            "state": .string(state(at: now).rawValue),
            "origin": .string(origin.rawValue),
            "madeBy": maker.map { .string($0.backend.description) } ?? .null,
            "madeByNode": maker.map { .string($0.nodeID.hexadecimal) } ?? .null,
            "amount": offer.amount.map { .unsigned($0) } ?? .null,
            "currency": offer.currency.map { .string($0) } ?? .null,
            "description": offer.description.map { .string($0) } ?? .null,
            "issuer": offer.issuer.map { .string($0) } ?? .null,
            "quantityMax": offer.quantityMax.map { .unsigned($0) } ?? .null,
            "maximumPayments": maximumPayments.map { .unsigned($0) } ?? .null,
            "issuerID": offer.issuerID.map { .string($0.hexadecimal) } ?? .null,
            "paths": .integer(offer.paths?.count ?? 0),
            "createdAt": .string(createdAt.iso8601),
            "expiresAt": offer.absoluteExpiry.map { .string($0.iso8601) } ?? .null,
            "disabledAt": disabledAt.map { .string($0.iso8601) } ?? .null,
            "disabledAtNodeAt": disabledAtNodeAt.map { .string($0.iso8601) } ?? .null,
            "reach": reach.json,
        ]
    }
}
