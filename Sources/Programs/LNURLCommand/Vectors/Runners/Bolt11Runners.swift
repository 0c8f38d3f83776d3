import Bolt11
import LightningCoding
import LightningCrypto

extension VectorRunner {
    static let bolt11 = [
        // Parses an invoice and checks its signature: every value.
        VectorRunner("bolt-11", "decode") { input in
            let invoice = try Bolt11Invoice(input.text("invoice"))
            var values = invoice.contents.vectorValues
            values["payee"] = .string(invoice.payee.hexadecimal)
            values["payeeIsStated"] = .bool(invoice.isPayeeStated)
            values["signature"] = .hexadecimal(invoice.signature.compact)
            values["recoveryID"] = .unsigned(UInt64(invoice.signature.recoveryID))
            return values
        },
        // Encodes the contents of an invoice again and signs them.
        VectorRunner("bolt-11", "sign") { input in
            let contents = try UnverifiedBolt11Invoice(input.text("invoice")).contents
            let key = try SecretKey(input.bytes("secretKey"))
            return ["invoice": .string(try Bolt11Draft(contents).signed(by: key).text)]
        },
    ]
}

extension Bolt11Contents {
    fileprivate var vectorValues: JSONObject {
        var values: JSONObject = [
            "network": .string(network.rawValue),
            "amount": .number(amount?.msat),
            "timestamp": .unsigned(timestamp.seconds),
            "paymentHash": .string(paymentHash.hexadecimal),
            "paymentSecret": .string(paymentSecret.hexadecimal),
            "paymentMetadata": .hexadecimal(paymentMetadata),
            "expiry": .unsigned(expiry),
            "expiresAt": .unsigned(expiresAt.seconds),
            "minFinalCLTVExpiryDelta": .unsigned(minFinalCLTVExpiryDelta),
            "fallbackAddresses": .array(fallbackAddresses.map(\.vectorValue)),
            "routeHints": .array(routeHints.map { .array($0.hops.map(\.vectorValue)) }),
            "features": .array(features.bits.map(JSONValue.integer)),
            "description": .null,
            "descriptionHash": .null,
        ]
        switch description {
        case .text(let text): values["description"] = .string(text)
        case .hash(let hash): values["descriptionHash"] = .hexadecimal(hash)
        }
        return values
    }
}

extension FallbackAddress {
    fileprivate var vectorValue: JSONValue {
        ["version": .unsigned(UInt64(kind.version)), "program": .hexadecimal(bytes)]
    }
}

extension RouteHint.Hop {
    fileprivate var vectorValue: JSONValue {
        [
            "nodeID": .string(nodeID.hexadecimal),
            "shortChannelID": .unsigned(shortChannelID.value),
            "feeBase": .unsigned(UInt64(feeBase)),
            "feeProportionalMillionths": .unsigned(UInt64(feeProportionalMillionths)),
            "cltvExpiryDelta": .unsigned(UInt64(cltvExpiryDelta)),
        ]
    }
}
