import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto

extension Offer {
    func json(at now: UnixTime) -> JSONObject {
        var object: JSONObject = ["offer": .string(text), "id": .string(id.hexadecimal)]
        object.append(fields.json)
        object.append("expired", .bool(isExpired(at: now)))
        object.append("unknownRecords", stream.unknownJSON)
        return object
    }

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

extension Bolt12Invoice {
    /// The full contents of the invoice, for programs. Amounts in msat, times in seconds of Unix time.
    func json(at now: UnixTime) -> JSONObject {
        [
            "invoice": .string(text), "chain": .string(chainToPayOn.name), "amount": .unsigned(amount.msat),
            "paymentHash": .string(paymentHash.hexadecimal), "nodeID": .string(nodeID.hexadecimal),
            "createdAt": .unsigned(createdAt.seconds), "relativeExpiry": .unsigned(UInt64(relativeExpiry)),
            "expiresAt": .unsigned(expiresAt.seconds), "expired": .bool(isExpired(at: now)),
            "features": fields.features?.json ?? .null, "paths": .array(allPaths.map { .object($0.json) }),
            "fallbacks": .array((fields.fallbacks ?? []).map { $0.json(isUsable: usableFallbacks.contains($0)) }),
            "signature": .hexadecimal(fields.signature?.bytes), "request": .object(fields.request.json),
            "unknownRecords": stream.unknownJSON,
        ]
    }

    func add(to page: inout Page, at now: UnixTime) {
        page.add("amount", amount.formatted)
        page.add("chain", chainToPayOn.name)
        page.add("payment hash", paymentHash.hexadecimal)
        page.add("node id", nodeID.hexadecimal)
        page.add("made", createdAt.iso8601)
        page.add("expires", expiresAt.iso8601 + (isExpired(at: now) ? ", in the past" : ""))
        page.add("parts", parts.text)
        page.add("features", fields.features?.names)
        for (index, path) in allPaths.enumerated() {
            path.path.add(to: &page, label: "path \(index + 1)", costs: path.payinfo)
        }
        for fallback in fields.fallbacks ?? [] {
            page.add("fallback", fallback.text + (usableFallbacks.contains(fallback) ? "" : ", not usable"))
        }
        page.add("What was requested:")
        fields.request.add(to: &page)
        fields.request.offer.add(to: &page, at: now)
        stream.addUnknown(to: &page)
    }

    /// The usable paths and the rest.
    private var allPaths: [PaymentPath] {
        zip(fields.paths ?? [], fields.blindedPay ?? []).map(PaymentPath.init)
    }
}

extension PaymentPath {
    fileprivate var json: JSONObject {
        var object = path.json
        object.append("payinfo", .object(payinfo.json))
        return object
    }
}

extension PartsOfPayment {
    fileprivate var text: String {
        switch self {
        case .one: "one"
        case .severalAllowed: "one or several"
        case .severalRequired: "several"
        }
    }
}

extension FallbackProgram {
    fileprivate var text: String { "witness program, version \(version): \(Hexadecimal.encode(program))" }

    fileprivate func json(isUsable: Bool) -> JSONValue {
        ["version": .integer(Int(version)), "program": .hexadecimal(program), "usable": .bool(isUsable)]
    }
}

extension ChainHash {
    var name: String { network?.rawValue ?? description }
}

extension FeatureBits {
    var json: JSONValue { .array(bits.map { .integer($0) }) }

    /// `bit 1, bit 16 (required)`
    var names: String {
        bits.map { "bit \($0)" + ($0.isMultiple(of: 2) ? " (required)" : "") }.joined(separator: ", ")
    }
}

extension TLVStream {
    private var unknown: [TLVRecord] { records.filter { RecordName.name(ofType: $0.type) == nil } }

    /// The unknown records, for programs: types, and values in hexadecimal.
    var unknownJSON: JSONValue {
        .array(unknown.map { ["type": .unsigned($0.type), "value": .hexadecimal(Array($0.value))] })
    }

    func addUnknown(to page: inout Page) {
        for record in unknown { page.add("record \(record.type)", "unknown: \(Hexadecimal.encode(record.value))") }
    }
}
