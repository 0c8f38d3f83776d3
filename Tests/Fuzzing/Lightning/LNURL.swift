import LNURL
import LightningCoding
import LightningCrypto

extension FuzzTarget {
    static let lnurl = [
        FuzzTarget(text: "lnurl-target") { text in
            _ = try? LNURLTarget(text)
            guard let url = try? EncodedURL.decode(text) else { return }
            try require(
                (try? EncodedURL.decode(EncodedURL.encode(url))) == url,
                "an LNURL is read as it was written")
        },
        FuzzTarget(text: "lightning-address") { text in
            try requireRoundTrip(text, { try LightningAddress($0) }, \.text)
            try requireRoundTrip(text, { try PublicURL($0) }, \.text)
            _ = try? AddressName(text)
            _ = try? DomainName(text)
        },
        FuzzTarget("callback") { bytes in
            let items = String(decoding: bytes, as: UTF8.self).split(separator: "&").map { item in
                let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                return (name: parts[0], value: parts.count > 1 ? parts[1] : "")
            }
            _ = try? CallbackQuery(items: items)
            guard let body = try? JSONValue(parsing: bytes), let query = try? CallbackQuery(body: body) else { return }
            try require((try? CallbackQuery(body: query.body)) == query, "a callback is read as it was written")
        },
        FuzzTarget("pay-request") { bytes in
            guard let json = try? JSONValue(parsing: bytes) else { return }
            _ = ErrorResponse(json: json)
            guard let request = try? PayRequest(json: json) else { return }
            // Members of payer data that are unknown to us are not written.
            try requireRoundTrip(request.json, { try PayRequest(json: $0) }, \.json)
        },
        FuzzTarget("pay-invoice") { bytes in
            guard let json = try? JSONValue(parsing: bytes) else { return }
            try requireRoundTrip(json, { try PayInvoice(json: $0, from: callback.get()) }, \.json)
            try requireRoundTrip(json, { try VerifyResponse(json: $0) }, \.json)
        },
        FuzzTarget("success-action") { bytes in
            guard let json = try? JSONValue(parsing: bytes) else { return }
            try requireRoundTrip(json, { try SuccessAction(json: $0) }, \.json)
            guard case .aes(let action)? = try? SuccessAction(json: json) else { return }
            _ = try? action.open(with: Preimage([UInt8](repeating: 7, count: 32)))
        },
        FuzzTarget(text: "pay-metadata") { text in
            guard let metadata = try? PayMetadata(parsing: text) else { return }
            try require(metadata.text.isExactly(text), "the text of metadata is kept")
        },
        FuzzTarget(text: "payer-data") { text in
            guard let data = try? PayerData(parsing: text, against: everything) else { return }
            try require(data.text?.isExactly(text) ?? false, "the text of payer data is kept")
            try? data.require(everything)
        },
    ]

    private static let callback = Result { try HTTPURL("https://example.com/pay") }
    private static let everything = PayerDataSpec(
        Dictionary(uniqueKeysWithValues: PayerDataSpec.Field.allCases.map { ($0, .optional) }),
        k1: try? Challenge([UInt8](repeating: 9, count: 32)))
}
