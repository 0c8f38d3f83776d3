import Bolt11
import LightningCoding
import LightningCrypto

extension VectorRunner {
    static let bolt11 = [
        VectorRunner("bolt-11", "decode") { input in
            let invoice = try Bolt11Invoice(input.text("invoice"))
            // As lnurl shows it, but for what has other forms there.
            var values = invoice.json(at: invoice.contents.timestamp)
            values["payeeIsStated"] = .bool(invoice.isPayeeStated)
            values["fallbackAddresses"] = .array(invoice.contents.fallbackAddresses.map(\.vectorValue))
            values["routeHints"] = .array(
                invoice.contents.routeHints.map { .array($0.hops.map(\.vectorValue)) })
            values["signature"] = .hexadecimal(invoice.signature.compact)
            values["recoveryID"] = .unsigned(UInt64(invoice.signature.recoveryID))
            return values
        },
        VectorRunner("bolt-11", "sign") { input in
            let contents = try UnverifiedBolt11Invoice(input.text("invoice")).contents
            let key = try SecretKey(input.bytes("secretKey"))
            return ["invoice": .string(try Bolt11Draft(contents).signed(by: key).text)]
        },
    ]
}

extension FallbackAddress {
    fileprivate var vectorValue: JSONValue {
        ["version": .unsigned(UInt64(kind.version)), "program": .hexadecimal(bytes)]
    }
}

extension RouteHint.Hop {
    fileprivate var vectorValue: JSONValue {
        var value = json
        value["shortChannelID"] = .unsigned(shortChannelID.value)
        return .object(value)
    }
}
