import Bolt12
import LNURL
package import LightningCoding
import LightningCrypto
package import ResponderModel

extension Account {
    /// The account as the operator sees it.
    ///
    /// - Parameter webhook: the URL that forwarders call; nil omits it, since anyone who knows it can create invoices for
    ///   the account.
    package func json(webhook: HTTPURL? = nil) -> JSONObject {
        let address = address
        var object: JSONObject = [
            "name": .string(name.text),
            "domain": .string(domain.name.text),
            "address": .string(address.text),
            "lnurl": .string(EncodedURL.encode(address.payURL)),
            "version": .unsigned(version),
            "createdAt": .string(createdAt.iso8601),
        ]
        for member in settings.json.object?.members ?? [] { object.append(member.key, member.value) }
        if let webhook { object.append("webhook", .string(webhook.text)) }
        return object
    }

    /// Read-only members of `json`, ignored when sent back.
    package static let describingKeys = ["name", "domain", "address", "lnurl", "version", "createdAt", "webhook"]
}

extension IssuedInvoice {
    /// The invoice as the operator sees it, including the preimage once settled, which the payer has too.
    package func json(at now: UnixTime) -> JSONValue {
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

extension Page {
    /// The page as JSON: its elements under a name, and in `next` the cursor of the next page.
    package func json(as name: String, _ element: (Element) -> JSONValue) -> JSONValue {
        [name: .array(elements.map(element)), "next": .text(next.map { String($0.position) })]
    }
}

extension IssuedOffer {
    /// The offer as the operator sees it. The amount is in msat, or in the smallest unit of `currency`.
    package func json(at now: UnixTime, _ reach: OfferReach) -> JSONValue {
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

extension OutboxWork {
    package var json: JSONValue { .object(members) }

    /// The same with its payload.
    package var detailedJSON: JSONValue {
        var object = members
        object.append("payload", .string(String(decoding: payload, as: UTF8.self)))
        return .object(object)
    }

    private var members: JSONObject {
        let parkedAt: UnixTime? = if case .parked(let time) = state { time } else { nil }
        return [
            "id": .string(id.text), "kind": .string(kind.rawValue), "account": .text(account?.name.text),
            "domain": .text(account?.domain.text),
            "state": .string(isParked ? "parked" : "pending"), "createdAt": .string(createdAt.iso8601),
            "deadline": .text(deadline?.iso8601), "dueAt": .text(dueAt?.iso8601), "parkedAt": .text(parkedAt?.iso8601),
            "attempts": .unsigned(attempts), "failure": .text(failure),
        ]
    }
}

extension Device {
    /// As shown by commands and the admin interface: without its address, with which anybody who has the credentials
    /// could push to it.
    package var json: JSONValue {
        let (since, dropped): (UnixTime?, (at: UnixTime, reason: String)?) =
            switch state {
            case .live(_, let since): (since, nil)
            case .dropped(let moment, let reason): (nil, (moment, reason))
            }
        return [
            "id": .string(id.description),
            "owner": .string(profile.owner.hexadecimal),
            "install": .string(profile.install.text),
            "state": .string(dropped == nil ? "live" : "dropped"),
            "platform": .text(address?.platform),
            "environment": .text(address?.environment.rawValue),
            "locale": .text(profile.locale),
            "registeredAt": .string(registeredAt.iso8601),
            "lastContact": .string(lastContact.iso8601),
            "addressSince": .text(since?.iso8601),
            "droppedAt": .text(dropped?.at.iso8601),
            "reason": .text(dropped?.reason),
            "lastWake": .text(catchUp.lastWake?.iso8601),
            "wakeDue": .text(catchUp.wakeDue?.iso8601),
        ]
    }
}

extension Registration {
    /// As shown by commands and the admin interface. Of the webhook, which holds a token, only the origin.
    package var json: JSONValue {
        [
            "key": .string(id.key.hexadecimal),
            "domain": .string(id.domain.text),
            "name": .text(name?.text),
            "address": .text(address),
            "webhook": .text(webhook?.origin),
            "offer": .text(offer),
            "createdAt": .string(createdAt.iso8601),
            "refreshedAt": .string(refreshedAt.iso8601),
        ]
    }

    /// The same with the URL at which forwarders post BOLT12 requests for the name, which holds a secret.
    package func json(forwarder: HTTPURL?) -> JSONValue {
        guard let forwarder, var object = json.object else { return json }
        object.append("forwarder", .string(forwarder.text))
        return .object(object)
    }

    /// What payers type; nil without a name. Below a wildcard the name is a host of its own.
    package var address: String? {
        guard let name else { return nil }
        return id.domain.isWildcard ? "_@\(name)\(id.domain.text.dropFirst())" : "\(name)@\(id.domain)"
    }
}

extension EventRecord {
    package var json: JSONObject {
        [
            "receivedAt": .string(receivedAt.iso8601), "account": .string(account.name.text),
            "domain": .string(account.domain.text), "type": .string(type),
            "envelope": .string(envelope), "outcome": .string(outcome.rawValue),
            "delivery": .text(delivery?.rawValue),
            "paymentHash": .text(paymentHash?.hexadecimal), "payload": .string(payload),
            "answer": .text(answer),
            "steps": .array(
                steps.map { ["name": .string($0.name), "milliseconds": .unsigned($0.milliseconds)] }),
        ]
    }

    package var line: String {
        let reply = delivery.map { ", reply \($0.rawValue)" } ?? ""
        let payment = paymentHash.map { "  \($0.hexadecimal)" } ?? ""
        let time = steps.map { "\($0.name) \($0.milliseconds) ms" }.joined(separator: ", ")
        return
            "\(receivedAt.iso8601)  \(account)  \(type.printable)  \(outcome.rawValue)\(reply)  (\(time))\(payment)\n"
    }
}
