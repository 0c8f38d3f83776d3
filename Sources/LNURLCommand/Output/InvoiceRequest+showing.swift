import Bolt12
import LightningCoding
import LightningCrypto

extension InvoiceRequest {
    /// The full contents of the request, for programs. `bytes` is the body for a webhook.
    func json(at now: UnixTime) -> JSONObject {
        var object: JSONObject = [
            "invoiceRequest": .string(text), "bytes": .hexadecimal(stream.bytes),
            "answers": .text((try? mirroredOffer())?.text),
        ]
        object.append(fields.json)
        object.append("unknownRecords", stream.unknownJSON)
        return object
    }

    /// The same for people.
    func add(to page: inout Page, at now: UnixTime) {
        fields.add(to: &page)
        fields.paths?.add(to: &page)
        page.add(answersOffer ? "Its offer:" : "No offer, but:")
        fields.offer.add(to: &page, at: now)
        fields.offer.paths?.add(to: &page)
        stream.addUnknown(to: &page)
    }
}

extension InvoiceRequestFields {
    /// `amount` is in msat.
    var json: JSONObject {
        [
            "metadata": .hexadecimal(metadata), "offer": .object(offer.json),
            "chain": .string((chain ?? .bitcoin).name), "amount": .number(amount?.msat),
            "features": features?.json ?? .null, "quantity": .number(quantity),
            "payerID": .text(payerID?.hexadecimal), "payerNote": .text(payerNote), "paths": paths?.json ?? .null,
            "bip353Name": .text(bip353Name?.description), "signature": .hexadecimal(signature?.bytes),
        ]
    }

    /// Everything except the paths and the offer.
    func add(to page: inout Page) {
        page.add("to pay", amount?.formatted ?? "the offer's price")
        page.add("items", quantity.map { "\($0)" })
        page.add("note", payerNote)
        page.add("found by", bip353Name.map { "₿\($0)" })
        page.add("chain", (chain ?? .bitcoin).name)
        page.add("payer id", payerID?.hexadecimal)
        page.add("features", features?.names)
        page.add("metadata", metadata.map { Hexadecimal.encode($0) })
    }
}
