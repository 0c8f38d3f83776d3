import Bolt12
import LNURL
public import LightningCoding
import LightningCrypto
public import Contracts

extension IssuedOffer {
    /// The offer as the operator sees it. The amount is in msat, or in the smallest unit of `currency`.
    public func json(at now: UnixTime, _ reach: OfferReach) -> JSONValue {
        [
            "id": .string(offer.id.hexadecimal),
            "offer": .string(offer.text),
            "account": .string(account.name.text),
            "domain": .string(account.domain.text),
            "state": .string(state(at: now).rawValue),
            "origin": .string(origin.rawValue),
            "madeBy": .text(maker?.backend.description),
            "madeByNode": .text(maker?.nodeID.hexadecimal),
            "amount": .number(offer.amount),
            "currency": .text(offer.currency),
            "description": .text(offer.description),
            "issuer": .text(offer.issuer),
            "quantityMax": .number(offer.quantityMax),
            "maximumPayments": .number(maximumPayments),
            "issuerID": .text(offer.issuerID?.hexadecimal),
            "paths": .integer(offer.paths?.count ?? 0),
            "createdAt": .string(createdAt.iso8601),
            "expiresAt": .text(offer.absoluteExpiry?.iso8601),
            "disabledAt": .text(disabledAt?.iso8601),
            "disabledAtNodeAt": .text(disabledAtNodeAt?.iso8601),
            "reach": reach.json,
        ]
    }
}
