import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto

extension Invoice {
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

    /// The same for people.
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
        object.append("payinfo", payinfo.json)
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
