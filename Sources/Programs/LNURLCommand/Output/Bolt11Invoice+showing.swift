import Bolt11
import LightningCoding
import LightningCrypto

extension Bolt11Invoice {
    /// The full contents of the invoice, for programs. Amounts in msat, times in seconds of Unix time.
    func json(at now: UnixTime) -> JSONObject {
        let (description, hash): (JSONValue, JSONValue) =
            switch contents.description {
            case .text(let text): (.string(text), .null)
            case .hash(let hash): (.null, .hexadecimal(hash))
            }
        return [
            "invoice": .string(text),
            "network": .string(contents.network.rawValue),
            "amount": .number(contents.amount?.msat),
            "paymentHash": .string(contents.paymentHash.hexadecimal),
            "paymentSecret": .string(contents.paymentSecret.hexadecimal),
            "payee": .string(payee.hexadecimal),
            "payeeStated": .bool(isPayeeStated),
            "description": description,
            "descriptionHash": hash,
            "timestamp": .unsigned(contents.timestamp.seconds),
            "expiry": .unsigned(contents.expiry),
            "expiresAt": .unsigned(contents.expiresAt.seconds),
            "expired": .bool(contents.isExpired(at: now)),
            "minFinalCLTVExpiryDelta": .unsigned(contents.minFinalCLTVExpiryDelta),
            "features": .array(contents.features.bits.map { .integer($0) }),
            "fallbackAddresses": .array(contents.fallbackAddresses.map(\.json)),
            "routeHints": .array(contents.routeHints.map { .array($0.hops.map { .object($0.json) }) }),
            "paymentMetadata": .hexadecimal(contents.paymentMetadata),
            "signature": .hexadecimal(signature.compact + [signature.recoveryID]),
        ]
    }

    func add(to page: inout Page, at now: UnixTime) {
        page.add("amount", contents.amount?.formatted ?? "any")
        switch contents.description {
        case .text(let text): page.add("description", text)
        case .hash(let hash): page.add("description", "SHA-256 " + Hexadecimal.encode(hash))
        }
        page.add("network", contents.network.rawValue)
        page.add("payment hash", contents.paymentHash.hexadecimal)
        page.add("payee", payee.hexadecimal + (isPayeeStated ? "" : " (from the signature)"))
        page.add("made", contents.timestamp.iso8601)
        page.add("expires", contents.expiresAt.iso8601 + (contents.isExpired(at: now) ? ", in the past" : ""))
        page.add("last hop", "\(contents.minFinalCLTVExpiryDelta) blocks")
        page.add("features", contents.features.isEmpty ? nil : contents.features.names)
        for address in contents.fallbackAddresses { page.add("fallback", address.text) }
        for hint in contents.routeHints { page.add("route hint", hint.hops.map(\.text).joined(separator: " → ")) }
        page.add("metadata", contents.paymentMetadata.map { Hexadecimal.encode($0) })
    }
}

extension Bolt11Features {
    fileprivate var names: String {
        bits.map { bit in
            let name = Feature(rawValue: bit & ~1).map { "\($0)" } ?? "bit \(bit)"
            return name + (bit.isMultiple(of: 2) ? " (required)" : "")
        }.joined(separator: ", ")
    }
}

extension FallbackAddress {
    fileprivate var kindName: String {
        switch kind {
        case .witnessProgram(let version): "witness program, version \(version)"
        case .publicKeyHash: "public key hash"
        case .scriptHash: "script hash"
        }
    }

    fileprivate var text: String { "\(kindName): \(Hexadecimal.encode(bytes))" }

    fileprivate var json: JSONValue { ["kind": .string(kindName), "bytes": .string(Hexadecimal.encode(bytes))] }
}

extension RouteHint.Hop {
    fileprivate var text: String {
        "\(nodeID.hexadecimal) (channel \(shortChannelID), \(feeBase) msat + \(feeProportionalMillionths) ppm, "
            + "\(cltvExpiryDelta) blocks)"
    }

    var json: JSONObject {
        [
            "nodeID": .string(nodeID.hexadecimal), "shortChannelID": .string(shortChannelID.description),
            "feeBase": .unsigned(UInt64(feeBase)),
            "feeProportionalMillionths": .unsigned(UInt64(feeProportionalMillionths)),
            "cltvExpiryDelta": .unsigned(UInt64(cltvExpiryDelta)),
        ]
    }
}
