import Bolt12
import LightningCoding
import LightningCrypto

extension Offer {
    /// The full contents of the offer, for programs.
    func json(at now: UnixTime) -> JSONObject {
        var object: JSONObject = ["offer": .string(text), "id": .string(id.hexadecimal)]
        object.append(fields.json)
        object.append("expired", .bool(isExpired(at: now)))
        object.append("unknownRecords", stream.unknownJSON)
        return object
    }

    /// The same for people.
    func add(to page: inout Page, at now: UnixTime) {
        fields.add(to: &page, at: now)
        page.add("id", id.hexadecimal)
        fields.paths?.add(to: &page)
        stream.addUnknown(to: &page)
    }
}

extension OfferFields {
    /// `amount` is in msat, or in the smallest unit of `currency`; `absoluteExpiry` in seconds of Unix time.
    var json: JSONObject {
        [
            "chains": .array(acceptedChains.map { .string($0.name) }), "metadata": .hexadecimal(metadata),
            "currency": .text(currency), "amount": .number(amount), "description": .text(description),
            "features": features?.json ?? .null, "absoluteExpiry": .number(absoluteExpiry?.seconds),
            "paths": paths?.json ?? .null, "issuer": .text(issuer), "quantityMax": .number(quantityMax),
            "issuerID": .text(issuerID?.hexadecimal),
        ]
    }

    /// Everything except the paths, which take many lines.
    func add(to page: inout Page, at now: UnixTime) {
        page.add("description", description)
        page.add("amount", price)
        page.add("quantity", quantityMax.map { $0 == 0 ? "any number of items" : "up to \($0) items" })
        page.add("issuer", issuer)
        page.add("chains", acceptedChains.map(\.name).joined(separator: ", "))
        page.add("expires", absoluteExpiry.map { $0.iso8601 + (now > $0 ? ", in the past" : "") } ?? "never")
        page.add("issuer id", issuerID?.hexadecimal ?? "none: the end of the path that a request takes signs")
        page.add("features", features?.names)
        page.add("metadata", metadata.map { Hexadecimal.encode($0) })
    }

    /// The price of one item.
    var price: String {
        let each = quantityMax == nil ? "" : " each"
        return switch (amount, currency) {
        case (nil, _): "any amount"
        case (let amount?, nil): Millisatoshi(amount).formatted + each
        case (let amount?, let currency?): "\(amount) of the smallest unit of \(currency)" + each
        }
    }

    private var acceptedChains: [ChainHash] { chains ?? [.bitcoin] }
}
